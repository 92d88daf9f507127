package heddle.adapters.aws;

import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpService;

/** Lets the SDK find {@link HeddleHttpClient} where a service's client names no HTTP client. */
public final class HeddleHttpService implements SdkHttpService {
  /** For the service loader. */
  public HeddleHttpService() {}

  @Override
  public SdkHttpClient.Builder<?> createHttpClientBuilder() {
    return HeddleHttpClient.builder();
  }
}
