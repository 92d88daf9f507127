package heddle.adapters.langchain4j;

import dev.langchain4j.http.client.HttpClientBuilder;
import heddle.adapters.support.Clients;
import heddle.client.HttpClient;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Builds a client for LangChain4j. Not thread-safe.
 *
 * <pre>{@code
 * ChatModel model = OpenAiChatModel.builder()
 *     .httpClientBuilder(new HeddleHttpClientBuilder())
 *     .apiKey(key)
 *     .build();
 * }</pre>
 */
public final class HeddleHttpClientBuilder implements HttpClientBuilder {
  private @Nullable Duration connectTimeout;
  private @Nullable Duration readTimeout;
  private Consumer<HttpClient.Builder> settings = builder -> {};

  /** Creates a builder without timeouts; models set their own. */
  public HeddleHttpClientBuilder() {}

  @Override
  public @Nullable Duration connectTimeout() {
    return connectTimeout;
  }

  /**
   * Sets the timeout for opening a connection, and again for its TLS handshake.
   *
   * @param timeout zero or null for no limit
   */
  @Override
  public HeddleHttpClientBuilder connectTimeout(@Nullable Duration timeout) {
    connectTimeout = timeout;
    return this;
  }

  @Override
  public @Nullable Duration readTimeout() {
    return readTimeout;
  }

  /**
   * Sets how long the server may be silent before or within a response.
   *
   * @param timeout zero or null for no limit
   */
  @Override
  public HeddleHttpClientBuilder readTimeout(@Nullable Duration timeout) {
    readTimeout = timeout;
    return this;
  }

  /**
   * Sets settings of Heddle's, such as TLS, proxies or listeners. The timeouts of this builder
   * override theirs.
   */
  public HeddleHttpClientBuilder settings(Consumer<HttpClient.Builder> newSettings) {
    settings = newSettings;
    return this;
  }

  /**
   * Builds a client.
   *
   * @throws IllegalArgumentException if a timeout is negative; the message names it
   */
  @Override
  public HeddleHttpClient build() {
    Duration connect = orNone(connectTimeout);
    Duration read = orNone(readTimeout);
    HttpClient.Builder builder = Clients.builder(connect, read);
    settings.accept(builder);
    return new HeddleHttpClient(
        builder.timeouts(Clients.timeouts(connect, read)).build());
  }

  private static Duration orNone(@Nullable Duration timeout) {
    return timeout == null ? Duration.ZERO : timeout;
  }
}
