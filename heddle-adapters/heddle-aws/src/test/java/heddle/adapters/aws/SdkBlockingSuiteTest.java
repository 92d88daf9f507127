package heddle.adapters.aws;

import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpClientTestSuite;
import software.amazon.awssdk.http.SdkHttpConfigurationOption;
import software.amazon.awssdk.utils.AttributeMap;

/** The SDK's own suite for blocking clients. */
public class SdkBlockingSuiteTest extends SdkHttpClientTestSuite {
  @Override
  protected SdkHttpClient createSdkHttpClient(SdkHttpClientOptions options) {
    HeddleHttpClient.Builder builder = HeddleHttpClient.builder();
    if (options.tlsTrustManagersProvider() != null) {
      builder.tlsTrustManagersProvider(options.tlsTrustManagersProvider());
    }
    return builder.buildWithDefaults(AttributeMap.builder()
        .put(SdkHttpConfigurationOption.TRUST_ALL_CERTIFICATES, options.trustAll())
        .build());
  }
}
