package heddle.adapters.aws;

import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.async.SdkAsyncHttpService;

/** Lets the SDK find {@link HeddleAsyncHttpClient} where a client names no HTTP client. */
public final class HeddleAsyncHttpService implements SdkAsyncHttpService {
  /** For the service loader. */
  public HeddleAsyncHttpService() {}

  @Override
  public SdkAsyncHttpClient.Builder<?> createAsyncHttpClientFactory() {
    return HeddleAsyncHttpClient.builder();
  }
}
