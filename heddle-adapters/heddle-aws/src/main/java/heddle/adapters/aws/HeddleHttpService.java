package heddle.adapters.aws;

import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpService;

/** Provides {@link HeddleHttpClient} to SDK clients for which no HTTP client is set. */
public final class HeddleHttpService implements SdkHttpService {
  /** For the service loader. */
  public HeddleHttpService() {
    Selection.BLOCKING.listed();
  }

  @Override
  public SdkHttpClient.Builder<?> createHttpClientBuilder() {
    Selection.BLOCKING.chosen();
    return HeddleHttpClient.builder();
  }
}
