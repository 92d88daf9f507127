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
 * The sources of credentials for HTTP proxies: those of the {@link Proxy} itself, by the Basic
 * scheme, the authenticators of the client, and the credentials that the proxy was sent last. The
 * latter are kept per client, not per call, because the calls of a client share tunnels. Safe for
 * use by many threads.
 */
final class ProxyCredentials {
  /** Above this number all are forgotten: a selector may return ever new proxies. */
  private static final int MAX_KNOWN = 1000;

  private final List<Authenticator> authenticators;

  /** The last answer to a challenge of each proxy. */
  private final Map<Proxy, Credentials> known = new ConcurrentHashMap<>();

  ProxyCredentials(List<Authenticator> authenticators) {
    this.authenticators = List.copyOf(authenticators);
  }

  /** The authenticators to ask, in order, for credentials for a proxy; may be empty. */
  List<Authenticator> authenticatorsFor(Proxy proxy) {
    List<Authenticator> asked = new ArrayList<>();
    Proxy.Credentials own = proxy.credentials();
    if (own != null) {
      BasicAuthenticator basic =
          BasicAuthenticator.forProxy(asOrigin(proxy), own.user(), own.password());
      asked.add(remembering(proxy, proxy.isPreemptive() ? basic.preemptive() : basic));
    }
    authenticators.forEach(each -> asked.add(remembering(proxy, each)));
    if (!asked.isEmpty()) {
      asked.add(remembered(proxy));
    }
    return asked;
  }

  /** A proxy as authenticators see it. */
  static Origin asOrigin(Proxy proxy) {
    return proxy.kind() == Proxy.Kind.HTTPS
        ? Origin.https(proxy.host(), proxy.port())
        : Origin.http(proxy.host(), proxy.port());
  }

  /** Remembers the answers of an authenticator. */
  private Authenticator remembering(Proxy proxy, Authenticator authenticator) {
    return new Authenticator() {
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
        if (answer != null && !authenticator.keepsAnswers()) {
          if (known.size() >= MAX_KNOWN) {
            known.clear();
          }
          known.put(proxy, answer);
        }
        return answer;
      }
    };
  }

  /** The last answer, used if no authenticator has credentials beforehand. */
  private Authenticator remembered(Proxy proxy) {
    return new Authenticator() {
      @Override
      public @Nullable Credentials beforehand(Question question) {
        return known.get(proxy);
      }

      @Override
      public @Nullable Credentials answer(Question question) {
        return null;
      }
    };
  }
}
