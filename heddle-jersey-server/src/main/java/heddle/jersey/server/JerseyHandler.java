package heddle.jersey.server;

import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.spi.Exchange;
import heddle.server.spi.ExchangeHandler;
import jakarta.ws.rs.core.Application;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import org.glassfish.jersey.internal.MapPropertiesDelegate;
import org.glassfish.jersey.internal.inject.InjectionManager;
import org.glassfish.jersey.server.ApplicationHandler;
import org.glassfish.jersey.server.ContainerRequest;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.spi.Container;
import org.glassfish.jersey.uri.UriComponent;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests by the resources of a Jakarta REST application, which Jersey runs. Resources run
 * on the request's own thread and may block. If one suspends its {@code AsyncResponse} or returns a
 * {@code CompletionStage}, that thread waits until the response is complete. Safe for use by many
 * threads.
 *
 * <p>What JAX-RS does not show of a request is in Heddle's {@link Exchange}, which can be injected:
 * the peer's address and certificates, the version of HTTP, informational responses.
 *
 * <pre>{@code
 * @Path("hello")
 * public class Hello {
 *   @Context Exchange exchange;
 *
 *   @GET
 *   public String hello() {
 *     return "Hello, " + exchange.remoteAddress();
 *   }
 * }
 *
 * try (JerseyHandler handler = JerseyHandler.of(new ResourceConfig(Hello.class));
 *     HttpServer server = HttpServer.builder().port(8080).exchangeHandler(handler).start()) {
 *   Thread.sleep(Duration.ofHours(1));
 * }
 * }</pre>
 */
public final class JerseyHandler implements ExchangeHandler, Container, AutoCloseable {
  private final ApplicationHandler application;
  private final String contextPath;

  private JerseyHandler(Application application, String contextPath) {
    this.contextPath = contextPath;
    this.application = new ApplicationHandler(application, new HeddleBinder(this::injections));
  }

  private InjectionManager injections() {
    return application.getInjectionManager();
  }

  /**
   * Starts an application, whose resources have the paths that their annotations say.
   *
   * @param application as a rule a {@link ResourceConfig}; its {@code @ApplicationPath} is not read
   * @throws RuntimeException if Jersey finds a fault in the application
   */
  public static JerseyHandler of(Application application) {
    return of(application, "/");
  }

  /**
   * Starts an application below a path. Requests for other paths are answered 404.
   *
   * @param contextPath such as {@code /api}, with the escapes that requests use; a slash at its end
   *     makes no difference
   * @throws IllegalArgumentException if the path does not begin with a slash, or is no path
   * @throws RuntimeException if Jersey finds a fault in the application
   */
  public static JerseyHandler of(Application application, String contextPath) {
    if (!contextPath.startsWith("/")) {
      throw new IllegalArgumentException(
          "contextPath must begin with a slash, but was \"" + contextPath + "\"");
    }
    if (!contextPath.equals(URI.create("http://host" + contextPath).getRawPath())) {
      throw new IllegalArgumentException(
          "contextPath must be a path alone, but was \"" + contextPath + "\"");
    }
    String trimmed = contextPath.endsWith("/")
        ? contextPath.substring(0, contextPath.length() - 1)
        : contextPath;
    JerseyHandler handler = new JerseyHandler(application, trimmed);
    handler.application.onStartup(handler);
    return handler;
  }

  @Override
  public @Nullable Response handle(Exchange exchange) throws Exception {
    Request request = exchange.request();
    String path = request.path();
    if (!path.startsWith("/")) {
      // CONNECT names no resource, and OPTIONS with an asterisk asks the server as a whole.
      boolean connect = request.method().equals(Method.CONNECT);
      return Response.of(connect ? Status.NOT_IMPLEMENTED : Status.NO_CONTENT);
    }
    if (!path.startsWith(contextPath)
        || (path.length() > contextPath.length() && path.charAt(contextPath.length()) != '/')) {
      return Response.of(Status.NOT_FOUND);
    }
    ResponseWriter writer = new ResponseWriter(exchange);
    ContainerRequest received;
    try {
      received = received(exchange, writer);
    } catch (URISyntaxException e) {
      return Response.of(Status.BAD_REQUEST);
    }
    try {
      application.handle(received);
      return writer.await();
    } finally {
      writer.leave();
    }
  }

  private ContainerRequest received(Exchange exchange, ResponseWriter writer)
      throws URISyntaxException, IOException {
    Request request = exchange.request();
    String root = request.origin().scheme() + "://" + request.origin().hostHeader();
    ContainerRequest received = new ContainerRequest(
        new URI(root + contextPath + "/"),
        uri(root, request),
        request.method().name(),
        new Security(request.origin().isSecure()),
        new MapPropertiesDelegate(),
        application.getConfiguration());
    Headers fields = request.headers();
    for (int i = 0; i < fields.size(); i++) {
      received.getHeaders().add(fields.name(i).toString(), fields.value(i));
    }
    received.setEntityStream(request.body().stream());
    received.setWriter(writer);
    received.setProperty(ResponseWriter.PROPERTY, writer);
    received.setRequestScopedInitializer(
        injections -> HeddleBinder.holder(injections).set(exchange));
    return received;
  }

  /** Clients send characters such as | unescaped, which URI refuses. */
  private URI uri(String root, Request request) throws URISyntaxException {
    String path = request.path().equals(contextPath) ? contextPath + "/" : request.path();
    String query = request.query();
    try {
      return new URI(root + (query == null ? path : path + "?" + query));
    } catch (URISyntaxException e) {
      String escaped = UriComponent.contextualEncode(path, UriComponent.Type.PATH);
      return new URI(root
          + (query == null
              ? escaped
              : escaped + "?" + UriComponent.contextualEncode(query, UriComponent.Type.QUERY)));
    }
  }

  @Override
  public ResourceConfig getConfiguration() {
    return application.getConfiguration();
  }

  @Override
  public ApplicationHandler getApplicationHandler() {
    return application;
  }

  /**
   * Not supported.
   *
   * @throws UnsupportedOperationException always
   */
  @Override
  public void reload() {
    throw new UnsupportedOperationException(
        "a JerseyHandler keeps its application: start a server with another one");
  }

  /**
   * Not supported.
   *
   * @throws UnsupportedOperationException always
   */
  @Override
  public void reload(ResourceConfig configuration) {
    reload();
  }

  /** Ends the application. Close the server before, because requests need the application. */
  @Override
  public void close() {
    application.onShutdown(this);
  }
}
