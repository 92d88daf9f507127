package heddle.adapters.langchain4j;

import dev.langchain4j.http.client.HttpClientBuilderFactory;

/**
 * Provides Heddle to LangChain4j's models, if it is the only HTTP client on the class path or the
 * system property {@code langchain4j.http.clientBuilderFactory} names this class.
 */
public final class HeddleHttpClientBuilderFactory implements HttpClientBuilderFactory {
  /** For the service loader. */
  public HeddleHttpClientBuilderFactory() {}

  @Override
  public HeddleHttpClientBuilder create() {
    return new HeddleHttpClientBuilder();
  }
}
