package heddle.client.dial;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.spi.Authenticator;
import heddle.client.spi.Authenticator.Question;
import heddle.client.spi.Proxy;
import heddle.http.Credentials;
import heddle.http.Method;
import heddle.http.Origin;
import heddle.http.Request;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is remembered of what proxies were shown. */
class ProxyCredentialsTest {
  private static final Credentials TOKEN = Credentials.of("Bearer", "x");

  private static Question question(Proxy proxy) {
    Origin origin = Origin.https("a.test", 443);
    Request connect = Request.builder(origin, Method.CONNECT, "a.test:443").build();
    return new Question(ProxyCredentials.asOrigin(proxy), true, List.of(), connect, 1);
  }

  private static Proxy proxy(int number) {
    return Proxy.http("p%d.test".formatted(number), 3128);
  }

  /** The memory comes last, and has nothing to say of what it did not see. */
  private static Credentials remembered(ProxyCredentials credentials, Proxy proxy)
      throws IOException {
    Authenticator memory = credentials.authenticatorsFor(proxy).getLast();
    assertNull(memory.answer(question(proxy)));
    return memory.beforehand(question(proxy));
  }

  @Test
  void noAuthenticatorsWithoutCredentials() {
    assertTrue(new ProxyCredentials(List.of()).authenticatorsFor(proxy(0)).isEmpty());
  }

  /** A selector may answer with a new proxy for each origin, and origins come from anywhere. */
  @Test
  void memoryIsBounded() throws Exception {
    ProxyCredentials credentials = new ProxyCredentials(List.of(question -> TOKEN));
    for (int i = 0; i <= 1000; i++) {
      assertEquals(
          TOKEN, credentials.authenticatorsFor(proxy(i)).getFirst().answer(question(proxy(i))));
      assertEquals(TOKEN, remembered(credentials, proxy(i)));
    }
    int kept = 0;
    for (int i = 0; i <= 1000; i++) {
      kept += remembered(credentials, proxy(i)) == null ? 0 : 1;
    }
    assertTrue(kept <= 1000, "remembers " + kept);
  }

  @Test
  void whatOneProxyWasShownIsForNoOther() throws Exception {
    ProxyCredentials credentials = new ProxyCredentials(List.of(question -> TOKEN));
    credentials.authenticatorsFor(proxy(1)).getFirst().answer(question(proxy(1)));
    assertNull(remembered(credentials, proxy(2)));
    assertNull(remembered(credentials, proxy(1).withCredentials("me", "pw")));
  }
}
