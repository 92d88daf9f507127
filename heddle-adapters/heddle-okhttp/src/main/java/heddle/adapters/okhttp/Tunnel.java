package heddle.adapters.okhttp;

import heddle.adapters.support.SocketFailures;
import heddle.client.spi.Authenticator;
import heddle.http.Challenge;
import heddle.http.Credentials;
import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.failure.ProxyException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import okhttp3.HttpUrl;
import okhttp3.OkHttp;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.Route;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates to an HTTP proxy that opens a tunnel, by OkHttp's rules: the authenticator is
 * called before the first CONNECT, with a preemptive challenge, and after each 407. Used by one
 * thread.
 */
final class Tunnel {
  /** Fields that OkHttp sends with each CONNECT, independent of the request in the tunnel. */
  static final Headers FIELDS =
      Headers.of("Proxy-Connection", "Keep-Alive", "User-Agent", "okhttp/" + OkHttp.VERSION);

  /** OkHttp's limit of refused CONNECT requests. */
  private static final int MOST_CONNECTS = 21;

  static final String FIELD = "Proxy-Authorization";

  /** Answers challenges of proxies for the request of the current thread. */
  static final Authenticator AUTHENTICATOR = new Authenticator() {
    @Override
    public boolean decidesAlone() {
      return HeddleExchange.currentTunnel() != null;
    }

    @Override
    public @Nullable Credentials beforehand(Question question) throws IOException {
      Tunnel tunnel = tunnel(question);
      return tunnel == null ? null : tunnel.beforehand();
    }

    @Override
    public @Nullable Credentials answer(Question question) throws IOException {
      Tunnel tunnel = tunnel(question);
      return tunnel == null ? null : tunnel.answer(question);
    }

    private @Nullable Tunnel tunnel(Question question) {
      return question.proxy() && question.request().method().equals(Method.CONNECT)
          ? HeddleExchange.currentTunnel()
          : null;
    }
  };

  private final Route route;
  private final okhttp3.Authenticator authenticator;

  /** The CONNECT request that OkHttp would send. */
  private Request request;

  private int challenges;

  Tunnel(Way way, OkHttpClient client, okhttp3.Authenticator authenticator, HttpUrl url) {
    this.route = new Route(
        client.address(url), way.proxy(), (InetSocketAddress) way.proxy().address());
    this.authenticator = authenticator;
    Request.Builder connect = new Request.Builder()
        .url(Way.server(url))
        .method("CONNECT", null)
        .header(
            "Host",
            url.host().indexOf(':') < 0
                ? url.host() + ":" + url.port()
                : "[" + url.host() + "]:" + url.port());
    for (Headers.Field each : FIELDS) {
      connect.header(each.name().toString(), each.value());
    }
    this.request = connect.build();
  }

  private @Nullable Credentials beforehand() throws IOException {
    Request next = authenticator.authenticate(
        route,
        response("Preemptive Authenticate")
            .sentRequestAtMillis(-1)
            .receivedResponseAtMillis(-1)
            .header("Proxy-Authenticate", "OkHttp-Preemptive")
            .build());
    return next == null ? null : shown(next);
  }

  private @Nullable Credentials answer(Authenticator.Question question) throws IOException {
    challenges++;
    Response.Builder response = response("Proxy Authentication Required");
    for (Challenge each : question.challenges()) {
      response.addHeader("Proxy-Authenticate", text(each));
    }
    Request next = authenticator.authenticate(route, response.build());
    if (next != null && challenges >= MOST_CONNECTS) {
      throw new ProtocolException("Too many tunnel connections attempted: " + challenges);
    }
    return next == null ? null : shown(next);
  }

  private Response.Builder response(String message) {
    return new Response.Builder()
        .request(request)
        .protocol(Protocol.HTTP_1_1)
        .code(407)
        .message(message);
  }

  private @Nullable Credentials shown(Request next) {
    request = next;
    String value = next.header(FIELD);
    return value == null || value.isBlank() ? null : Credentials.verbatim(value);
  }

  private static String text(Challenge challenge) {
    StringBuilder text = new StringBuilder(challenge.scheme());
    if (challenge.token68() != null) {
      text.append(' ').append(challenge.token68());
    }
    String before = " ";
    for (var each : challenge.parameters().entrySet()) {
      String quoted = each.getValue().replace("\\", "\\\\").replace("\"", "\\\"");
      text.append(before).append(each.getKey()).append("=\"").append(quoted).append('"');
      before = ", ";
    }
    return text.toString();
  }

  /** Returns the exception to throw if the proxy opened no tunnel. */
  IOException explain(ProxyException e) {
    ProxyException.Answer answer = e.answer();
    if (e.reason() == ProxyException.Reason.AUTHENTICATION) {
      // Rethrows what the authenticator has thrown, unchanged.
      return answer == null && e.getCause() instanceof IOException own
          ? own
          : new IOException("Failed to authenticate with proxy", e);
    }
    return answer == null
        ? SocketFailures.caused(new ProtocolException(SocketFailures.problem(e)), e)
        : new IOException(
            "Unexpected response code for CONNECT: " + answer.status().code(), e);
  }
}
