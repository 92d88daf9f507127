package heddle.adapters.apache4;

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
 * Calls through tunnels. The proxy gets the credentials of Apache's CONNECT. If it refuses, Apache
 * gets its response, answers the challenge, and sends another CONNECT.
 */
final class Tunnel {
  private static final ScopedValue<Credentials> CURRENT = ScopedValue.newInstance();

  /** Has the credentials for the request of the current thread. */
  static final Authenticator AUTHENTICATOR = new Authenticator() {
    @Override
    public @Nullable Credentials answer(Question question) {
      return null;
    }

    @Override
    public @Nullable Credentials beforehand(Question question) {
      return question.proxy() && CURRENT.isBound() ? CURRENT.get() : null;
    }
  };

  private Tunnel() {}

  /**
   * Makes a call through a tunnel.
   *
   * @param authorization the value of Proxy-Authorization; null for none
   */
  static Response send(HttpCall call, @Nullable String authorization) throws IOException {
    int space = authorization == null ? -1 : authorization.indexOf(' ');
    try {
      return authorization == null || space < 0
          ? call.execute()
          : ScopedValue.where(
                  CURRENT,
                  Credentials.of(
                      authorization.substring(0, space),
                      authorization.substring(space + 1).strip()))
              .call(call::execute);
    } catch (ProxyException e) {
      ProxyException.Answer answer = e.answer();
      if (answer == null) {
        throw e;
      }
      return refused(answer);
    }
  }

  /** The response of the proxy, after which Apache does not use the connection again. */
  private static Response refused(ProxyException.Answer answer) {
    byte[] content = answer.content().getBytes(StandardCharsets.ISO_8859_1);
    Headers fields = answer.headers().toBuilder()
        .set(HeaderName.CONTENT_LENGTH, Integer.toString(content.length))
        .set(HeaderName.CONNECTION, "close")
        .remove(HeaderName.of("Proxy-Connection"))
        .remove(HeaderName.TRANSFER_ENCODING)
        .build();
    return Response.builder(answer.status())
        .headers(fields)
        .body(Body.of(content))
        .build();
  }
}
