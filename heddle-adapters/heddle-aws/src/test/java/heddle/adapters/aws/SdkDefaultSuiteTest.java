package heddle.adapters.aws;

import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpClientDefaultTestSuite;

/** The SDK's own suite for blocking clients that are made with nothing but defaults. */
public class SdkDefaultSuiteTest extends SdkHttpClientDefaultTestSuite {
  @Override
  protected SdkHttpClient createSdkHttpClient() {
    return HeddleHttpClient.create();
  }
}
