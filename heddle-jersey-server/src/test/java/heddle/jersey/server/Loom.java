package heddle.jersey.server;

import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.core.StreamingOutput;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.sse.Sse;
import jakarta.ws.rs.sse.SseEventSink;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.glassfish.jersey.server.ResourceConfig;

/** The resources that the tests call. */
@Path("/")
public final class Loom {
  /** More than Jersey and the server collect. */
  static final int LARGE = 100_000;

  /** Content that goes on once a test has read its beginning; for one test at a time. */
  static volatile CountDownLatch read = new CountDownLatch(1);

  static ResourceConfig application() {
    return new ResourceConfig(Loom.class, TornThread.Mapper.class);
  }

  /** An exception that has a mapper. */
  static final class TornThread extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Its mapper. */
    public static final class Mapper implements ExceptionMapper<TornThread> {
      @Override
      public Response toResponse(TornThread torn) {
        return Response.status(418, "Torn").entity("mend it").build();
      }
    }
  }

  @GET
  @Path("hello")
  @Produces(MediaType.TEXT_PLAIN)
  public String hello() {
    return "Hello!";
  }

  @PUT
  @Path("hello")
  public void change() {}

  @GET
  @Path("large")
  public byte[] large() {
    return new byte[LARGE];
  }

  @GET
  @Path("uris/{rest: .*}")
  public String uris(@Context UriInfo uri, @PathParam("rest") String rest) {
    String absolute = uri.getRequestUri().toString();
    return uri.getBaseUri().getRawPath() + " "
        + absolute.substring(absolute.indexOf('/', "http://".length())) + " "
        + rest + " "
        + uri.getQueryParameters();
  }

  @GET
  @Path("base")
  public String base(@Context UriInfo uri) {
    return uri.getBaseUri() + " " + uri.getRequestUri();
  }

  @GET
  @Path("fields")
  public Response fields(@Context HttpHeaders headers, @HeaderParam("X-One") String one) {
    List<String> many = headers.getRequestHeader("x-many");
    return Response.ok(one + " " + many)
        .header("X-Back", "a")
        .header("X-Back", "b")
        .build();
  }

  @GET
  @Path("security")
  public String security(@Context SecurityContext security) {
    return security.isSecure() + " " + security.getUserPrincipal() + " "
        + security.getAuthenticationScheme() + " " + security.isUserInRole("weaver");
  }

  @POST
  @Path("echo")
  public StreamingOutput echo(InputStream content) {
    return content::transferTo;
  }

  @POST
  @Path("length")
  public int length(byte[] content) {
    return content.length;
  }

  @POST
  @Path("things")
  public Response create() {
    return Response.created(URI.create("things/7")).build();
  }

  @DELETE
  @Path("things")
  public void delete() {}

  @GET
  @Path("mapped")
  public String mapped() {
    throw new TornThread();
  }

  @GET
  @Path("conflict")
  public String conflict() {
    throw new WebApplicationException(Response.Status.CONFLICT);
  }

  @GET
  @Path("unmapped")
  public String unmapped() {
    throw new IllegalStateException("the secret");
  }

  @GET
  @Path("parts")
  public StreamingOutput parts() {
    CountDownLatch next = read;
    return out -> {
      out.write(new byte[LARGE]);
      out.flush();
      try {
        next.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      out.write("end".getBytes(StandardCharsets.US_ASCII));
    };
  }

  @GET
  @Path("broken")
  public StreamingOutput broken() {
    return out -> {
      out.write(new byte[LARGE]);
      out.flush();
      throw new IOException("the shuttle is stuck");
    };
  }

  @GET
  @Path("async/resumed")
  public void resumed(@Suspended AsyncResponse response) {
    Thread.ofPlatform().start(() -> response.resume("resumed"));
  }

  @GET
  @Path("async/large")
  public void resumedLarge(@Suspended AsyncResponse response) {
    Thread.ofPlatform().start(() -> response.resume(new byte[LARGE]));
  }

  @GET
  @Path("async/mapped")
  public void resumedMapped(@Suspended AsyncResponse response) {
    Thread.ofPlatform().start(() -> response.resume(new TornThread()));
  }

  @GET
  @Path("async/unmapped")
  public void resumedUnmapped(@Suspended AsyncResponse response) {
    Thread.ofPlatform().start(() -> response.resume(new IllegalStateException("the secret")));
  }

  @GET
  @Path("async/at-once")
  public void atOnce(@Suspended AsyncResponse response) {
    response.resume("at once");
  }

  @GET
  @Path("async/cancelled")
  public void cancelled(@Suspended AsyncResponse response) {
    Thread.ofPlatform().start(() -> response.cancel(7));
  }

  @GET
  @Path("async/timeout")
  public void timeout(@Suspended AsyncResponse response) {
    response.setTimeout(20, TimeUnit.MILLISECONDS);
  }

  @GET
  @Path("async/handled")
  public void handled(@Suspended AsyncResponse response) {
    response.setTimeoutHandler(late -> late.resume("late"));
    response.setTimeout(20, TimeUnit.MILLISECONDS);
  }

  @GET
  @Path("async/extended")
  public void extended(@Suspended AsyncResponse response) {
    int[] times = {0};
    response.setTimeoutHandler(late -> {
      if (++times[0] < 3) {
        late.setTimeout(10, TimeUnit.MILLISECONDS);
      } else {
        late.resume("third");
      }
    });
    response.setTimeout(10, TimeUnit.MILLISECONDS);
  }

  @GET
  @Path("async/stage")
  public CompletionStage<String> stage() {
    return CompletableFuture.supplyAsync(() -> "staged");
  }

  @GET
  @Path("async/failed")
  public CompletionStage<String> failed() {
    return CompletableFuture.failedFuture(
        new WebApplicationException(Response.Status.NOT_ACCEPTABLE));
  }

  @GET
  @Path("events")
  @Produces(MediaType.SERVER_SENT_EVENTS)
  public void events(@Context SseEventSink sink, @Context Sse sse) {
    CountDownLatch next = read;
    Thread.ofVirtual().start(() -> {
      try (sink) {
        sink.send(sse.newEventBuilder().id("1").data("weft").build());
        next.await();
        sink.send(sse.newEventBuilder().id("2").name("pass").data("warp").build());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
  }
}
