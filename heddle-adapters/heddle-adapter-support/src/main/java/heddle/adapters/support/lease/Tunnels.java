package heddle.adapters.support.lease;

import heddle.adapters.support.CallLocal;
import heddle.client.HttpCall;
import heddle.client.spi.Authenticator;
import heddle.http.Body;
import heddle.http.Credentials;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Response;
import heddle.http.failure.ProxyException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Calls through tunnels, each with its own credentials for the proxy. Heddle opens a tunnel on the
 * thread of the call that needs it.
 */
public final class Tunnels {
  /** Has the credentials for the call that the current thread makes. */
  private static final CallLocal<Authenticator> CURRENT = new CallLocal<>();

  /** For clients: answers proxies with the credentials of the call that the thread makes. */
  public static final Authenticator AUTHENTICATOR = new Authenticator() {
    @Override
    public @Nullable Credentials answer(Question question) throws IOException {
      Authenticator own = question.proxy() ? CURRENT.get() : null;
      return own == null ? null : own.answer(question);
    }

    @Override
    public @Nullable Credentials beforehand(Question question) throws IOException {
      Authenticator own = question.proxy() ? CURRENT.get() : null;
      return own == null ? null : own.beforehand(question);
    }
  };

  private Tunnels() {}

  /**
   * Makes a call through a tunnel. If the proxy opens none, its response is returned, as by
   * Apache's own connections.
   *
   * @param closes whether that response says that the connection must not be used again
   */
  public static Response send(HttpCall call, Authenticator credentials, boolean closes)
      throws IOException {
    try {
      return CURRENT.execute(call, credentials);
    } catch (ProxyException e) {
      ProxyException.Answer answer = e.answer();
      if (answer == null) {
        throw e;
      }
      return refused(answer, closes);
    }
  }

  private static Response refused(ProxyException.Answer answer, boolean closes) {
    byte[] content = answer.content().getBytes(StandardCharsets.ISO_8859_1);
    Headers.Builder fields = answer.headers().toBuilder()
        .set(HeaderName.CONTENT_LENGTH, Integer.toString(content.length))
        .remove(HeaderName.TRANSFER_ENCODING);
    if (closes) {
      fields.set(HeaderName.CONNECTION, "close").remove(HeaderName.of("Proxy-Connection"));
    }
    return Response.builder(answer.status())
        .headers(fields.build())
        .body(Body.of(content))
        .build();
  }

  /** The credentials in the value of a Proxy-Authorization field; null if there are none. */
  public static @Nullable Credentials credentials(@Nullable String value) {
    int space = value == null ? -1 : value.indexOf(' ');
    return value == null || space < 0
        ? null
        : Credentials.of(value.substring(0, space), value.substring(space + 1).strip());
  }
}
