package heddle.adapters.urlconnection;

import heddle.adapters.support.CallLocal;
import heddle.adapters.support.Clients;
import heddle.adapters.support.ClientsByOptions;
import heddle.client.HttpClient;
import heddle.client.spi.Authenticator;
import heddle.http.Credentials;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Heddle's clients of this process: one for each set of timeouts and TLS settings. */
final class Engines {
  /** The exchange of the calling thread, which the clients ask for proxies and passwords. */
  static final CallLocal<Exchange> CURRENT = new CallLocal<>();

  /**
   * What a client cannot change from call to call.
   *
   * @param connect in milliseconds; 0 for no limit
   * @param read in milliseconds; 0 for no limit
   * @param tls null for http
   */
  record Key(int connect, int read, @Nullable Tls tls) {}

  private static final ClientsByOptions<Key> CLIENTS =
      new ClientsByOptions<>("timeouts and TLS settings", new Key(0, 0, null), Engines::client);

  private Engines() {}

  /** Returns the clients. */
  static ClientsByOptions<Key> clients() {
    return CLIENTS;
  }

  private static HttpClient client(Key key) {
    HttpClient.Builder builder = Clients.builder(
            Duration.ofMillis(key.connect()), Duration.ofMillis(key.read()))
        .proxies(origin -> current().proxies())
        .authenticator(new Questions());
    Tls tls = key.tls();
    return tls == null ? builder.build() : builder.tls(tls.options()).build();
  }

  private static Exchange current() {
    return Objects.requireNonNull(CURRENT.get(), "a call of an exchange");
  }

  /** Asks the authenticator of the call. */
  private static final class Questions implements Authenticator {
    @Override
    public boolean keepsAnswers() {
      return true; // Another call may have another authenticator.
    }

    @Override
    public @Nullable Credentials answer(Question question) {
      return current().passwords().answer(question);
    }

    @Override
    public @Nullable Credentials beforehand(Question question) {
      return current().passwords().known(question);
    }
  }
}
