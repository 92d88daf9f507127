package heddle.adapters.langchain4j;

import dev.langchain4j.http.client.HttpClientBuilder;
import heddle.adapters.support.Clients;
import heddle.client.HttpClient;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a client of LangChain4j's is made with. Not safe for use by several threads.
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

  /** A builder with no limits of time; a model sets its own. */
  public HeddleHttpClientBuilder() {}

  @Override
  public @Nullable Duration connectTimeout() {
    return connectTimeout;
  }

  /**
   * The most time for opening a connection, and as long again for its TLS handshake.
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
   * How long a server may be silent while a response is awaited or read.
   *
   * @param timeout zero or null for ever
   */
  @Override
  public HeddleHttpClientBuilder readTimeout(@Nullable Duration timeout) {
    readTimeout = timeout;
    return this;
  }

  /**
   * Settings of Heddle's, such as TLS, proxies or listeners. Timeouts are those of this builder,
   * whatever is set here.
   */
  public HeddleHttpClientBuilder settings(Consumer<HttpClient.Builder> newSettings) {
    settings = newSettings;
    return this;
  }

  /**
   * A client.
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
