package heddle.bench.driver;

import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.concurrent.ExecutorService;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a server under test.
 *
 * @param address where it listens; with port 0 it chooses a free one
 * @param keys the key and certificate for TLS, with {@link #PASSWORD}; null for cleartext
 * @param handlers runs requests, for servers that accept any executor; the server need not shut it
 *     down
 * @param pool how many platform threads run requests, for servers with a pool of their own; 0 if
 *     each request has its own thread
 * @param profile whether limits are raised to the load
 * @param routes what it answers
 */
public record ServerConfig(
    InetSocketAddress address,
    @Nullable KeyStore keys,
    ExecutorService handlers,
    int pool,
    Profile profile,
    Routes routes) {

  /** Of the key store and its key, which exist in memory only. */
  public static final String PASSWORD = "in-memory";

  /** More connections wait to be accepted than a load opens at once; the kernel allows fewer. */
  public static final int BACKLOG = 4096;

  /** More connections than a load has. */
  public static final int MOST_CONNECTIONS = 100_000;

  /** More streams on a connection of HTTP/2 than a load has. */
  public static final int MOST_STREAMS = 1_000;

  /** Whether to raise limits to the load. */
  public boolean isTuned() {
    return profile == Profile.TUNED;
  }

  /** The TLS context of the keys, with the JDK's TLS; null for cleartext. */
  public @Nullable SSLContext tls() throws GeneralSecurityException {
    if (keys == null) {
      return null;
    }
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return context;
  }
}
