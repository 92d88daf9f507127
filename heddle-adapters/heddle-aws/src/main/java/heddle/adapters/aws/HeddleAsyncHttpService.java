package heddle.adapters.aws;

import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.async.SdkAsyncHttpService;

/** Provides {@link HeddleAsyncHttpClient} to SDK clients for which no HTTP client is set. */
public final class HeddleAsyncHttpService implements SdkAsyncHttpService {
  /** For the service loader. */
  public HeddleAsyncHttpService() {
    Selection.ASYNCHRONOUS.listed();
  }

  @Override
  public SdkAsyncHttpClient.Builder<?> createAsyncHttpClientFactory() {
    Selection.ASYNCHRONOUS.chosen();
    return HeddleAsyncHttpClient.builder();
  }
}
