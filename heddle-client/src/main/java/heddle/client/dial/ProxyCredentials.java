package heddle.client.dial;

import heddle.client.spi.Authenticator;
import heddle.client.spi.BasicAuthenticator;
import heddle.client.spi.Proxy;
import heddle.http.Credentials;
import heddle.http.Origin;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Who knows what HTTP proxies are to be shown: the credentials that come with a proxy, by the Basic
 * scheme, the authenticators of the client, and the memory of what was shown to that proxy last.
 * That is the client's, not a call's: all its calls share tunnels, whoever had them opened. Safe
 * for use by many threads.
 */
final class ProxyCredentials {
  /** Beyond so many the proxies are asked anew: a selector may make up ever new ones. */
  private static final int MAX_KNOWN = 1000;

  private final List<Authenticator> authenticators;

  /** What each proxy was shown last because it had asked. */
  private final Map<Proxy, Credentials> known = new ConcurrentHashMap<>();

  ProxyCredentials(List<Authenticator> authenticators) {
    this.authenticators = List.copyOf(authenticators);
  }

  /** Who is asked what to show to a proxy, one after the other; empty where nobody knows. */
  List<Authenticator> askedFor(Proxy proxy) {
    List<Authenticator> asked = new ArrayList<>();
    Proxy.Credentials own = proxy.credentials();
    if (own != null) {
      BasicAuthenticator basic =
          BasicAuthenticator.forProxy(asOrigin(proxy), own.user(), own.password());
      asked.add(new Noted(proxy, proxy.isPreemptive() ? basic.preemptive() : basic));
    }
    authenticators.forEach(each -> asked.add(new Noted(proxy, each)));
    if (!asked.isEmpty()) {
      asked.add(new Memory(proxy));
    }
    return asked;
  }

  /** A proxy as authenticators know it. */
  static Origin asOrigin(Proxy proxy) {
    return proxy.kind() == Proxy.Kind.HTTPS
        ? Origin.https(proxy.host(), proxy.port())
        : Origin.http(proxy.host(), proxy.port());
  }

  /** Another's answers, which are remembered. */
  private final class Noted implements Authenticator {
    private final Proxy proxy;
    private final Authenticator authenticator;

    Noted(Proxy proxy, Authenticator authenticator) {
      this.proxy = proxy;
      this.authenticator = authenticator;
    }

    @Override
    public boolean decidesAlone() {
      return authenticator.decidesAlone();
    }

    @Override
    public @Nullable Credentials beforehand(Question question) throws IOException {
      return authenticator.beforehand(question);
    }

    @Override
    public @Nullable Credentials answer(Question question) throws IOException {
      Credentials answer = authenticator.answer(question);
      if (answer != null) {
        if (known.size() >= MAX_KNOWN) {
          known.clear();
        }
        known.put(proxy, answer);
      }
      return answer;
    }
  }

  /** What was shown last, for want of anything that an authenticator shows beforehand. */
  private final class Memory implements Authenticator {
    private final Proxy proxy;

    Memory(Proxy proxy) {
      this.proxy = proxy;
    }

    @Override
    public @Nullable Credentials beforehand(Question question) {
      return known.get(proxy);
    }

    @Override
    public @Nullable Credentials answer(Question question) {
      return null;
    }
  }
}
