package heddle.adapters.apache5;

import heddle.adapters.support.ReusedContent;
import heddle.adapters.support.lease.Tunnels;
import heddle.client.HttpCall;
import heddle.client.spi.ConnectionInfo;
import heddle.http.Body;
import heddle.http.InformationalListener;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.Trailers;
import heddle.http.failure.ConnectionLostException;
import heddle.http.failure.MalformedMessageException;
import heddle.http.failure.MessageTooLargeException;
import java.io.IOException;
import java.util.function.Supplier;
import javax.net.ssl.SSLSession;
import org.apache.hc.client5.http.auth.AuthExchange;
import org.apache.hc.client5.http.auth.AuthScheme;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.Method;
import org.apache.hc.core5.http.ProtocolException;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.jspecify.annotations.Nullable;

/** One exchange with a route: a call of Heddle's, which any thread may end. */
abstract class Exchange {
  /**
   * The attribute of a context whose last request lost its connection. If Apache repeats it, it
   * needs a new connection, since the server may be closing the other idle ones too.
   */
  private static final String LOST = "heddle.connection-lost";

  final Leased leased;
  final HttpContext context;
  private volatile @Nullable HttpCall call;
  private volatile boolean ended;

  Exchange(Leased leased, HttpContext context) {
    this.leased = leased;
    this.context = context;
  }

  /** Ends the call. From any thread; idempotent. */
  void end() {
    ended = true;
    HttpCall running = call;
    if (running != null) {
      running.cancel();
    }
  }

  final boolean isEnded() {
    return ended;
  }

  /** The exception for a call that was ended. */
  abstract IOException closed(@Nullable IOException because);

  /** Returns the exception to throw for one of Heddle's. */
  abstract IOException translated(IOException e);

  /** Returns the exception to throw when Heddle has thrown this one. */
  final IOException explain(IOException e) {
    return ended ? closed(e) : translated(e);
  }

  /**
   * Makes the call on this thread. A CONNECT request is only noted: Heddle opens the tunnel with
   * the first request that needs it.
   *
   * @param failure what the entity has thrown, which is rethrown unchanged
   */
  final Response send(
      HttpRequest head,
      @Nullable Body content,
      Trailers trailers,
      InformationalListener interim,
      Supplier<@Nullable Throwable> failure)
      throws IOException, HttpException {
    if (Method.CONNECT.isSame(head.getMethod())) {
      leased.tunnelAsked(head);
      return Response.of(Status.OK);
    }
    Body body = content == null ? Body.empty() : content;
    Request whole = Messages.request(leased, head, body, trailers, interim);
    if (context.removeAttribute(LOST) != null) {
      whole = whole.toBuilder().onNewConnection(true).build();
    }
    try {
      HttpCall made = ReusedContent.newCall(leased.client(), whole);
      call = made;
      if (ended) {
        throw closed(null);
      }
      return execute(made);
    } catch (IllegalArgumentException e) {
      throw Messages.unsendable(leased, e);
    } catch (IOException e) {
      if (e instanceof ConnectionLostException) {
        context.setAttribute(LOST, true);
      }
      Throwable own = ended ? null : failure.get();
      if (own != null) {
        throw thrown(own);
      }
      if (e instanceof MalformedMessageException
          && !(e instanceof MessageTooLargeException)
          && !ended) {
        throw new ProtocolException(String.valueOf(e.getMessage()), e);
      }
      throw explain(e);
    }
  }

  private Response execute(HttpCall made) throws IOException {
    ConnectionDetails details = leased.details();
    details.begun(made);
    try {
      Response received =
          leased.isTunnelled() ? Tunnels.send(made, leased.tunnel(context), false) : made.execute();
      details.answered();
      return received;
    } finally {
      details.ended(made);
    }
  }

  /** Rethrows what a caller has thrown, unchanged. */
  static RuntimeException thrown(@Nullable Throwable own) throws IOException, HttpException {
    return switch (own) {
      case IOException e -> throw e;
      case HttpException e -> throw e;
      case RuntimeException e -> e;
      case Error e -> throw e;
      case null, default -> new IllegalStateException(own);
    };
  }

  /**
   * The scheme that authenticates the connection rather than the request, such as NTLM; null for
   * none.
   */
  static @Nullable AuthScheme connectionScheme(HttpRequest request, HttpContext context) {
    boolean authenticated = request.containsHeader(HttpHeaders.AUTHORIZATION)
        || request.containsHeader(HttpHeaders.PROXY_AUTHORIZATION);
    if (!authenticated || !(context instanceof HttpClientContext client)) {
      return null;
    }
    for (AuthExchange exchange : client.getAuthExchanges().values()) {
      AuthScheme scheme = exchange.getAuthScheme();
      if (scheme != null && scheme.isConnectionBased()) {
        return scheme;
      }
    }
    return null;
  }

  /** Null until the request has a Heddle connection. */
  final @Nullable ConnectionInfo info() {
    HttpCall made = call;
    return made == null ? null : made.connection();
  }

  /** Whether the Heddle connection has served another request before. */
  final boolean isConnectionReused() {
    HttpCall made = call;
    return made != null && made.isConnectionReused();
  }

  /** Null without TLS, and before the request has been sent. */
  public final @Nullable SSLSession getSSLSession() {
    ConnectionInfo known = info();
    return known == null ? null : known.tlsSession();
  }
}
