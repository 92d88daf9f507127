package heddle.connection;

import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.Method;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.Trailers;
import heddle.transport.SafeLog;
import java.io.IOException;
import java.lang.System.Logger.Level;

/** The parts of sending a response that all protocol versions share. */
public final class Responding {
  private static final System.Logger LOG = System.getLogger(Responding.class.getName());

  private Responding() {}

  /** Throws if a handler's response has the status of an interim one. */
  public static void checkFinal(Status status) throws ResponseFailedException {
    if (status.isInformational()) {
      throw new ResponseFailedException(
          "a handler answers with a final status, not " + status.code(), null);
    }
  }

  /** For logs: method and path, without query and user information, which may hold secrets. */
  public static String describe(Method method, String target) {
    int end = target.length();
    for (int i = 0; i < end; i++) {
      if (target.charAt(i) == '?' || target.charAt(i) == '#') {
        end = i;
      }
    }
    int start = 0;
    if (target.charAt(0) != '/') {
      int authority = target.indexOf("://");
      if (authority >= 0 && authority < end) { // absolute-form, RFC 9112 §3.2.2
        int slash = target.indexOf('/', authority + 3);
        start = slash < 0 || slash > end ? end : slash;
      } else {
        start = target.lastIndexOf('@', end - 1) + 1;
      }
    }
    return method + " " + (start == end ? "/" : target.substring(start, end));
  }

  /** A request as it would stand in HTTP/1.1, for logs. */
  public static String requestLine(Method method, String target, HttpVersion version) {
    return method + " " + target + " " + version;
  }

  /** Whether a final response has no content, regardless of its body, RFC 9110 §6.4.1. */
  public static boolean isWithoutContent(Status status, Method method) {
    return method.equals(Method.HEAD) || !status.mayHaveContent();
  }

  /** Whether content is sent with a response to a request with this method. */
  public static boolean mayCarryContent(Response response, Method method) {
    return !isWithoutContent(response.status(), method) && response.body().length() != 0;
  }

  /** The trailers of a response, if the client has said that it reads them (RFC 9110 §10.1.4). */
  public static Trailers trailers(Response response, Headers request) {
    Trailers trailers = response.trailers();
    return mayHaveTrailers(trailers) && request.containsToken(HeaderName.TE, "trailers")
        ? trailers
        : Trailers.none();
  }

  /** Whether there may be trailers, which are obtained at the end of the content. */
  @SuppressWarnings("ReferenceEquality") // none() is one instance; others are called at the end
  public static boolean mayHaveTrailers(Trailers trailers) {
    return trailers != Trailers.none();
  }

  /**
   * The stream for the content of a response whose head is given.
   *
   * @param method of the request: the Content-Length of a response to HEAD is not that of content
   * @throws IllegalArgumentException if the Content-Length is malformed
   */
  public static ResponseOutput output(Response head, Method method, ResponseOutput.Sink sink) {
    boolean unknown = isWithoutContent(head.status(), method);
    return new ResponseOutput(
        sink, unknown ? Body.UNKNOWN : ContentFields.declaredLength(head.headers()));
  }

  /**
   * Has the {@linkplain Body#isWritten written} body of a response to this method written.
   *
   * @throws ResponseFailedException if the response cannot be sent as it is, or its body fails
   * @throws IOException if the channel fails
   */
  public static void write(Response response, Method method, ResponseOutput.Sink sink)
      throws ResponseFailedException, IOException {
    ResponseOutput output;
    try {
      output = output(response, method, sink);
    } catch (IllegalArgumentException e) {
      throw new ResponseFailedException("the response cannot be sent: " + e.getMessage(), e);
    }
    try {
      response.body().transferTo(output);
      output.close();
    } catch (IOException | RuntimeException e) {
      if (output.failure() == null) {
        throw new ResponseFailedException("the response's body failed: " + e.getMessage(), e);
      }
    }
    // The writer may have thrown another exception than it got, or none.
    switch (output.failure()) {
      case null -> {}
      case ResponseFailedException e -> throw e;
      case IOException e -> throw e;
      case Exception e ->
        throw new ResponseFailedException("the response cannot be sent: " + e.getMessage(), e);
    }
  }

  /** Refuses a request on a new thread, as {@link ServerExchange#refuse} does. */
  public static void refuse(ServerExchange exchange, Response response) {
    try {
      exchange.reportRefused(response.status());
      Thread.ofVirtual().name("heddle-refusal").start(() -> turnAway(exchange, response));
    } catch (RuntimeException | Error e) {
      try {
        exchange.abandon();
      } finally {
        exchange.leave();
      }
      SafeLog.log(LOG, Level.ERROR, "No thread can be started to refuse ", exchange, e);
    }
  }

  private static void turnAway(ServerExchange exchange, Response response) {
    try {
      exchange.respond(response);
    } catch (ResponseFailedException | RuntimeException | Error e) {
      exchange.abandon();
      SafeLog.log(LOG, Level.ERROR, "Refusing failed of ", exchange, e);
    } finally {
      exchange.leave();
    }
  }

  /** Closes a response that was sent, or cannot be. Logs a failure, as no caller can handle it. */
  public static void closeQuietly(Response response) {
    try {
      response.close();
    } catch (IOException | RuntimeException | Error e) {
      SafeLog.log(LOG, Level.WARNING, "Closing failed of the body of ", response, e);
    }
  }
}
