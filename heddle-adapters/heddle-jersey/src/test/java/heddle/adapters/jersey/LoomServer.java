package heddle.adapters.jersey;

import com.sun.net.httpserver.HttpServer;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.OPTIONS;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Cookie;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.NewCookie;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import jakarta.ws.rs.core.UriInfo;
import java.net.URI;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import org.glassfish.jersey.jdkhttp.JdkHttpServerFactory;
import org.glassfish.jersey.message.GZipEncoder;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.filter.EncodingFilter;

/** Resources of Jersey's own server on a port that the system chose. */
final class LoomServer implements AutoCloseable {
  private final HttpServer server;

  LoomServer() {
    ResourceConfig config = new ResourceConfig(Loom.class);
    EncodingFilter.enableFor(config, GZipEncoder.class);
    server =
        JdkHttpServerFactory.createHttpServer(URI.create("http://127.0.0.1:0/"), config, false);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
  }

  String url(String path) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + path;
  }

  @Override
  public void close() {
    server.stop(0);
  }

  /** What is asked for. */
  @Path("/")
  public static final class Loom {
    @GET
    @Path("hello")
    public String hello() {
      return "Hello!";
    }

    @GET
    @Path("status/{code}")
    public Response status(@PathParam("code") int code) {
      return Response.status(code).entity(code == 204 ? null : "status " + code).build();
    }

    @GET
    @Path("nothing")
    public Response nothing() {
      return Response.ok().build();
    }

    @POST
    @Path("echo")
    public byte[] echo(byte[] content) {
      return content;
    }

    @PUT
    @Path("echo")
    public byte[] put(byte[] content) {
      return content;
    }

    @DELETE
    @Path("echo")
    public String delete() {
      return "deleted";
    }

    @OPTIONS
    @Path("echo")
    public Response options() {
      return Response.noContent().header("Allow", "POST, PUT, DELETE").build();
    }

    @POST
    @Path("length")
    public long length(byte[] content) {
      return content.length;
    }

    @GET
    @Path("many/{count}")
    public StreamingOutput many(@PathParam("count") int count) {
      return out -> {
        byte[] piece = new byte[1000];
        for (int sent = 0; sent < count; sent += piece.length) {
          out.write(piece, 0, Math.min(piece.length, count - sent));
        }
      };
    }

    @GET
    @Path("to")
    public Response to(@QueryParam("status") int status, @QueryParam("path") String path) {
      return Response.status(status).location(URI.create(path)).build();
    }

    @POST
    @Path("to")
    public Response postTo(
        @QueryParam("status") int status, @QueryParam("path") String path, byte[] content) {
      return to(status, path);
    }

    @GET
    @Path("headers")
    public String headers(@Context HttpHeaders headers) {
      return text(headers.getRequestHeaders());
    }

    @POST
    @Path("headers")
    public String headersOfPost(@Context HttpHeaders headers, byte[] content) {
      return text(headers.getRequestHeaders());
    }

    private static String text(MultivaluedMap<String, String> fields) {
      Map<String, String> sorted = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
      fields.forEach((name, values) -> sorted.put(name, String.join("|", values)));
      StringBuilder text = new StringBuilder();
      sorted.forEach(
          (name, values) -> text.append(name).append('=').append(values).append('\n'));
      return text.toString();
    }

    @GET
    @Path("twice")
    public Response twice() {
      return Response.ok("x").header("X-Warp", "one").header("X-Warp", "two").build();
    }

    @GET
    @Path("uri")
    public String uri(@Context UriInfo uri) {
      return uri.getRequestUri().getRawPath() + "?" + uri.getRequestUri().getRawQuery();
    }

    @GET
    @Path("cookie")
    public Response cookie(@Context HttpHeaders headers) {
      Cookie known = headers.getCookies().get("weft");
      return Response.ok(known == null ? "none" : known.getValue())
          .cookie(new NewCookie.Builder("weft").value("red").path("/").build())
          .build();
    }

    @GET
    @Path("agent")
    public String agent(@HeaderParam("User-Agent") String agent) {
      return agent;
    }
  }
}
