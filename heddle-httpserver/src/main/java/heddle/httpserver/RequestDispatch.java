package heddle.httpserver;

import com.sun.net.httpserver.Authenticator;
import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.MediaType;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.spi.Exchange;
import heddle.server.spi.ExchangeHandler;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Takes each request to the handler of its context, through filters and authenticator. The thread
 * that Heddle has for a request stays until the exchange has ended, because handlers may return
 * earlier and have another thread answer.
 */
final class RequestDispatch implements ExchangeHandler {
  private static final System.Logger LOG = ServerLifecycle.LOG;
  private static final MediaType HTML = MediaType.parse("text/html");

  private final Contexts contexts;
  private final SystemProperties properties;
  private final boolean secure;
  private final @Nullable Executor executor;

  /**
   * @param executor what runs the handlers; null for Heddle's threads
   */
  RequestDispatch(
      Contexts contexts, SystemProperties properties, boolean secure, @Nullable Executor executor) {
    this.contexts = contexts;
    this.properties = properties;
    this.secure = secure;
    this.executor = executor;
  }

  @Override
  public @Nullable Response handle(Exchange exchange) throws IOException {
    Request request = exchange.request();
    URI uri;
    try {
      uri = new URI(exchange.receivedTarget());
    } catch (URISyntaxException e) {
      return refusal(Status.BAD_REQUEST, "the request's target is not a URI");
    }
    String path = uri.getPath();
    Context context = path == null ? null : contexts.find(path);
    if (context == null) {
      return refusal(Status.NOT_FOUND, "No context found for request");
    }
    HttpHandler handler = context.getHandler();
    if (handler == null) {
      return refusal(Status.INTERNAL_SERVER_ERROR, "No handler for context");
    }
    if ("100-continue".equalsIgnoreCase(request.headers().first(HeaderName.EXPECT))) {
      exchange.interim(Status.CONTINUE, Headers.empty());
    }
    Conversation conversation = new Conversation(exchange, context, uri, properties);
    HttpExchange shown =
        secure ? new SecureExchange(conversation) : new PlainExchange(conversation);
    Executor given = executor;
    if (given == null) {
      answer(conversation, handler, shown);
    } else {
      try {
        given.execute(() -> answer(conversation, handler, shown));
      } catch (RuntimeException | Error e) {
        LOG.log(Level.WARNING, "the executor could not run the handler of " + exchange, e);
        conversation.fail();
      }
    }
    conversation.awaitEnd();
    return null;
  }

  /** The answer to a request that no handler gets, after which the connection is closed. */
  private static Response refusal(Status status, String why) {
    String text = "<h1>" + status.code() + " " + status.reason() + "</h1>" + why;
    return Response.builder(status)
        .header(HeaderName.CONNECTION, "close")
        .body(Body.of(text, HTML))
        .build();
  }

  private static void answer(Conversation conversation, HttpHandler handler, HttpExchange shown) {
    Context context = conversation.context();
    try {
      HttpHandler last = exchange -> authenticate(conversation, handler, exchange);
      new Filter.Chain(context.getFilters(), last).doFilter(shown);
      conversation.handled();
    } catch (Exception e) {
      // The peer may have gone, which is not worth a warning.
      Level level = e instanceof IOException ? Level.DEBUG : Level.WARNING;
      LOG.log(level, "the handler of " + context.getPath() + " has failed", e);
      conversation.fail();
    } catch (Error e) {
      LOG.log(Level.ERROR, "the handler of " + context.getPath() + " has failed", e);
      conversation.fail();
      throw e;
    }
  }

  /** Asks the authenticator of the context, if it has one, behind all filters. */
  private static void authenticate(
      Conversation conversation, HttpHandler handler, HttpExchange exchange) throws IOException {
    Authenticator authenticator = conversation.context().getAuthenticator();
    if (authenticator == null) {
      handler.handle(exchange);
      return;
    }
    switch (authenticator.authenticate(exchange)) {
      case Authenticator.Success success -> {
        conversation.setPrincipal(success.getPrincipal());
        handler.handle(exchange);
      }
      case Authenticator.Retry retry -> refuse(exchange, retry.getResponseCode());
      case Authenticator.Failure failure -> refuse(exchange, failure.getResponseCode());
      default -> throw new IOException("the authenticator has returned an unknown result");
    }
  }

  /** The content is read first, so that the client can ask again on the same connection. */
  private static void refuse(HttpExchange exchange, int code) throws IOException {
    exchange.getRequestBody().transferTo(OutputStream.nullOutputStream());
    exchange.getRequestBody().close();
    exchange.sendResponseHeaders(code, -1);
  }
}
