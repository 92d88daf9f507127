package heddle.adapters.spring;

import heddle.adapters.support.Clients;
import heddle.adapters.support.LimitAdvice;
import heddle.adapters.support.SocketFailures;
import heddle.client.HttpClient;
import heddle.client.settings.DecodingLimits;
import heddle.client.settings.RedirectPolicy;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.UnaryOperator;
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
 * limit, gzip and deflate are requested and decoded, and redirects are followed, except from https
 * to http. For other settings, pass a client.
 */
public final class HeddleClientHttpRequestFactory
    implements ClientHttpRequestFactory, DisposableBean {
  private static final LimitAdvice ADVICE = new LimitAdvice(
      "setConnectTimeout of the request factory, or spring.http.clients.connect-timeout of Spring"
          + " Boot",
      "setReadTimeout of the request factory, or spring.http.clients.read-timeout of Spring Boot");

  private final ReentrantLock lock = new ReentrantLock();

  /** Makes the client with the first request; null if a client was given. */
  private final @Nullable Function<Options, HttpClient> clients;

  private final boolean owner;

  // Guarded by the lock, except reads of the executor.
  private Options options = new Options(Duration.ofSeconds(5), Duration.ofSeconds(30), true, true);
  private volatile @Nullable Executor executor;
  private boolean destroyed;

  /**
   * The properties of a factory.
   *
   * @param connectTimeout for opening a connection, and again for its TLS handshake; zero for none
   * @param readTimeout how long the server may be silent; zero for no limit
   * @param followRedirects whether redirects are followed
   * @param compression whether gzip and deflate are requested and decoded
   */
  public record Options(
      Duration connectTimeout, Duration readTimeout, boolean followRedirects, boolean compression) {
    /** Returns the builder of a client with these properties. */
    public HttpClient.Builder builder() {
      HttpClient.Builder builder = Clients.builder(connectTimeout, readTimeout)
          .redirects(followRedirects ? RedirectPolicy.standard() : RedirectPolicy.never());
      return compression ? builder.contentCodings(DecodingLimits.DEFAULTS) : builder;
    }
  }

  /**
   * A client, and what is known about its settings.
   *
   * @param options null if the client was given, with settings that are not known
   */
  record Executor(HttpClient client, @Nullable Options options) {
    /** Returns the exception to throw for a failure. */
    IOException translate(IOException failure) {
      return options == null ? SocketFailures.translate(failure) : ADVICE.translate(failure);
    }
  }

  /** Creates a factory that makes its own client with the first request. */
  public HeddleClientHttpRequestFactory() {
    this(options -> options.builder().build(), true);
  }

  /** Creates a factory over a client, which decides all settings and which its owner must close. */
  public HeddleClientHttpRequestFactory(HttpClient client) {
    clients = null;
    owner = false;
    executor = new Executor(client, null);
  }

  /**
   * Creates a factory that takes its client from elsewhere, such as one that several factories
   * share. Destroying the factory does not close the client.
   *
   * @param clients called once, with the first request. It makes a client by {@link
   *     Options#builder}, with further settings, or returns one that it made for the same options
   */
  public HeddleClientHttpRequestFactory(Function<Options, HttpClient> clients) {
    this(clients, false);
  }

  private HeddleClientHttpRequestFactory(Function<Options, HttpClient> clients, boolean owner) {
    this.clients = clients;
    this.owner = owner;
  }

  /**
   * Sets the timeout for opening a connection, and again for its TLS handshake.
   *
   * @param timeout zero for no limit
   * @throws IllegalArgumentException if it is negative
   * @throws IllegalStateException if the client was given, or has been made
   */
  public void setConnectTimeout(Duration timeout) {
    change(
        "connectTimeout",
        old -> new Options(timeout, old.readTimeout, old.followRedirects, old.compression));
  }

  /**
   * Sets how long the server may be silent before or within a response.
   *
   * @param timeout zero for no limit
   * @throws IllegalArgumentException if it is negative
   * @throws IllegalStateException if the client was given, or has been made
   */
  public void setReadTimeout(Duration timeout) {
    change(
        "readTimeout",
        old -> new Options(old.connectTimeout, timeout, old.followRedirects, old.compression));
  }

  /**
   * Sets whether redirects are followed, by RFC 9110 and at most 20 of them; none is followed from
   * https to http, and credentials are not sent to another origin. The default is true. If false,
   * the redirect is the response.
   *
   * @throws IllegalStateException if the client was given, or has been made
   */
  public void setFollowRedirects(boolean follow) {
    change(
        "followRedirects",
        old -> new Options(old.connectTimeout, old.readTimeout, follow, old.compression));
  }

  /**
   * Sets whether gzip and deflate are requested if a request has no Accept-Encoding, and decoded
   * while the response is read, within {@link DecodingLimits#DEFAULTS}. The default is true.
   *
   * @throws IllegalStateException if the client was given, or has been made
   */
  public void enableCompression(boolean enable) {
    change(
        "enableCompression",
        old -> new Options(old.connectTimeout, old.readTimeout, old.followRedirects, enable));
  }

  private void change(String property, UnaryOperator<Options> change) {
    lock.lock();
    try {
      if (clients == null) {
        throw new IllegalStateException("the property " + property + " cannot be set: the"
            + " HttpClient of this factory decides it");
      }
      if (executor != null) {
        throw new IllegalStateException("the property " + property + " cannot be set: a request"
            + " was already made; set it before the first request");
      }
      Options changed = change.apply(options);
      var ignored = Clients.timeouts(changed.connectTimeout, changed.readTimeout);
      options = changed;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Creates a request, which is sent when it is executed.
   *
   * @throws IllegalStateException if the factory has been destroyed
   */
  @Override
  public ClientHttpRequest createRequest(URI uri, HttpMethod httpMethod) {
    Executor known = executor;
    return new HeddleClientHttpRequest(known == null ? made() : known, uri, httpMethod);
  }

  private Executor made() {
    lock.lock();
    try {
      Executor known = executor;
      if (known != null) {
        return known;
      }
      if (destroyed || clients == null) {
        throw new IllegalStateException("the factory was destroyed: create another one");
      }
      Executor made = new Executor(clients.apply(options), options);
      executor = made;
      return made;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Refuses further requests. Running requests have 5 s before they are aborted. Idempotent. Does
   * not close a client that the factory has not made itself.
   */
  @Override
  public void destroy() {
    Executor known;
    lock.lock();
    try {
      destroyed = true;
      known = executor;
    } finally {
      lock.unlock();
    }
    if (known != null && owner) {
      known.client.close();
    }
  }
}
