package heddle.adapters.aws;

import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import software.amazon.awssdk.http.SdkAsyncHttpClientH1TestSuite;
import software.amazon.awssdk.http.SdkHttpConfigurationOption;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.utils.AttributeMap;

/**
 * The SDK's own suite for asynchronous clients over HTTP/1.1. Several tests at a time, because each
 * waits for seconds until its server has shut down.
 */
@Execution(ExecutionMode.CONCURRENT)
public class SdkAsyncSuiteTest extends SdkAsyncHttpClientH1TestSuite {
  @Override
  protected SdkAsyncHttpClient setupClient() {
    return HeddleAsyncHttpClient.builder()
        .buildWithDefaults(AttributeMap.builder()
            .put(SdkHttpConfigurationOption.TRUST_ALL_CERTIFICATES, true)
            .build());
  }
}
