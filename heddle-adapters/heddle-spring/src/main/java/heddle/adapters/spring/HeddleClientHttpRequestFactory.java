package heddle.adapters.spring;

import heddle.adapters.support.Clients;
import heddle.client.HttpClient;
import heddle.client.settings.DecodingLimits;
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
 * HttpExchange} over Heddle, on the calling thread. Thread-safe once its properties are set. Make
 * one, keep it, and destroy it after the last request.
 *
 * <pre>{@code
 * RestClient client =
 *     RestClient.builder().requestFactory(new HeddleClientHttpRequestFactory()).build();
 * }</pre>
 *
 * <p>By default the connect timeout is 5 s, the server may be silent for 30 s, calls have no other
 * limit, gzip and deflate are requested and decoded, and redirects are not followed, as by Spring's
 * factory for the JDK's client. For other settings, pass a client.
 */
public final class HeddleClientHttpRequestFactory
    implements ClientHttpRequestFactory, DisposableBean {
  private final ReentrantLock lock = new ReentrantLock();
  private final boolean given;

  // Guarded by the lock, except reads of the client.
  private Duration connectTimeout = Duration.ofSeconds(5);
  private Duration readTimeout = Duration.ofSeconds(30);
  private boolean compression = true;
  private volatile @Nullable HttpClient client;
  private boolean destroyed;

  /** Creates a factory that makes its own client with the first request. */
  public HeddleClientHttpRequestFactory() {
    given = false;
  }

  /** Creates a factory over a client, which decides all settings and which its owner must close. */
  public HeddleClientHttpRequestFactory(HttpClient client) {
    this.client = client;
    given = true;
  }

  /**
   * Sets the timeout for opening a connection, and again for its TLS handshake.
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
   * Sets how long the server may be silent before or within a response.
   *
   * @param timeout zero for no limit
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
   * Sets whether gzip and deflate are requested if a request has no Accept-Encoding, and decoded
   * while the response is read, within {@link DecodingLimits#DEFAULTS}. The default is true.
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
      throw new IllegalStateException("the property " + property + " cannot be set: the"
          + " HttpClient of this factory decides it");
    }
    if (client != null) {
      throw new IllegalStateException("the property " + property + " cannot be set: a request"
          + " was already made; set it before the first request");
    }
  }

  /**
   * Creates a request, which is sent when it is executed.
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
        throw new IllegalStateException("the factory was destroyed: create another one");
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
   * Refuses further requests. Running requests have 5 s before they are aborted. Idempotent. Does
   * not close a client that was passed to the constructor.
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
