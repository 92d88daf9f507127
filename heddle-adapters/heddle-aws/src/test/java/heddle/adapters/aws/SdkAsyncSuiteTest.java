package heddle.adapters.aws;

import software.amazon.awssdk.http.SdkAsyncHttpClientH1TestSuite;
import software.amazon.awssdk.http.SdkHttpConfigurationOption;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.utils.AttributeMap;

/** The SDK's own suite for asynchronous clients over HTTP/1.1. */
public class SdkAsyncSuiteTest extends SdkAsyncHttpClientH1TestSuite {
  @Override
  protected SdkAsyncHttpClient setupClient() {
    return HeddleAsyncHttpClient.builder()
        .buildWithDefaults(AttributeMap.builder()
            .put(SdkHttpConfigurationOption.TRUST_ALL_CERTIFICATES, true)
            .build());
  }
}
