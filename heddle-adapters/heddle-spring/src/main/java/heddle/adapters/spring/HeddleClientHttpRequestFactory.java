package heddle.adapters.spring;

import heddle.adapters.support.Clients;
import heddle.client.HttpClient;
import heddle.client.coding.DecodingLimits;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.ClientHttpRequest;
import org.springframework.http.client.ClientHttpRequestFactory;

/**
 * Makes the requests of {@code RestClient}, {@code RestTemplate} and interfaces with {@code
 * HttpExchange} over Heddle, on the thread that calls. Safe for use by many threads, virtual or
 * not, once its properties are set; made once, kept, and destroyed when no more requests are made.
 *
 * <pre>{@code
 * RestClient client =
 *     RestClient.builder().requestFactory(new HeddleClientHttpRequestFactory()).build();
 * }</pre>
 *
 * <p>By default a connection is opened within 5 s, a server may be silent for 30 s, a call has no
 * other limit, gzip and deflate are asked for and undone, and redirects are not followed, as by
 * Spring's factory for the JDK's client. For anything else, give a client.
 */
public final class HeddleClientHttpRequestFactory
    implements ClientHttpRequestFactory, DisposableBean {
  private final ReentrantLock lock = new ReentrantLock();
  private final boolean given;

  // Guarded by the lock, but for looks at the client.
  private Duration connectTimeout = Duration.ofSeconds(5);
  private Duration readTimeout = Duration.ofSeconds(30);
  private boolean compression = true;
  private volatile @Nullable HttpClient client;
  private boolean destroyed;

  /** A factory with a client of its own, which is made with the first request. */
  public HeddleClientHttpRequestFactory() {
    given = false;
  }

  /** A factory over a client that decides everything, and that stays its owner's to close. */
  public HeddleClientHttpRequestFactory(HttpClient client) {
    this.client = client;
    given = true;
  }

  /**
   * The most time for opening a connection, and as long again for its TLS handshake.
   *
   * @param timeout zero for no limit
   * @throws IllegalArgumentException if it is negative
   * @throws IllegalStateException if the client was given, or has been made
   */
  public void setConnectTimeout(Duration timeout) {
    lock.lock();
    try {
      requireChangeable("connectTimeout");
      Clients.timeouts(timeout, readTimeout);
      connectTimeout = timeout;
    } finally {
      lock.unlock();
    }
  }

  /**
   * How long a server may be silent while a response is awaited or read.
   *
   * @param timeout zero for ever
   * @throws IllegalArgumentException if it is negative
   * @throws IllegalStateException if the client was given, or has been made
   */
  public void setReadTimeout(Duration timeout) {
    lock.lock();
    try {
      requireChangeable("readTimeout");
      Clients.timeouts(connectTimeout, timeout);
      readTimeout = timeout;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Whether gzip and deflate are asked for where a request does not say what it accepts, and undone
   * while the response is read, within {@link DecodingLimits#DEFAULTS}. They are by default.
   *
   * @throws IllegalStateException if the client was given, or has been made
   */
  public void enableCompression(boolean enable) {
    lock.lock();
    try {
      requireChangeable("enableCompression");
      compression = enable;
    } finally {
      lock.unlock();
    }
  }

  private void requireChangeable(String property) {
    if (given) {
      throw new IllegalStateException("the property " + property + " cannot be honoured: the"
          + " HttpClient that was given decides it");
    }
    if (client != null) {
      throw new IllegalStateException("the property " + property + " cannot be honoured: a request"
          + " was made, and its connections with it; set it before");
    }
  }

  /**
   * A request, which is sent when it is executed.
   *
   * @throws IllegalStateException if the factory has been destroyed
   */
  @Override
  public ClientHttpRequest createRequest(URI uri, HttpMethod httpMethod) {
    HttpClient known = client;
    return new HeddleClientHttpRequest(known == null ? made() : known, uri, httpMethod);
  }

  private HttpClient made() {
    lock.lock();
    try {
      HttpClient known = client;
      if (known != null) {
        return known;
      }
      if (destroyed) {
        throw new IllegalStateException("the factory was destroyed: make another one");
      }
      HttpClient.Builder builder = Clients.builder(connectTimeout, readTimeout);
      if (compression) {
        builder.contentCodings(DecodingLimits.DEFAULTS);
      }
      HttpClient made = builder.build();
      client = made;
      return made;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes no more requests; those under way have 5 s before they are aborted. Idempotent. A client
   * that was given is left as it is.
   */
  @Override
  public void destroy() {
    HttpClient known;
    lock.lock();
    try {
      destroyed = true;
      known = client;
    } finally {
      lock.unlock();
    }
    if (known != null && !given) {
      known.close();
    }
  }
}
