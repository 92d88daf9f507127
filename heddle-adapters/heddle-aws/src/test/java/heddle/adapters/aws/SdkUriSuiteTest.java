package heddle.adapters.aws;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpClientUriNormalizationTestSuite;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;

/** The SDK's own suite for paths that must not be normalised. */
public class SdkUriSuiteTest extends HttpClientUriNormalizationTestSuite {
  private final List<HttpExecuteResponse> responses = new ArrayList<>();

  @Override
  protected SdkHttpClient createSdkHttpClient() {
    SdkHttpClient client = HeddleHttpClient.create();
    return new SdkHttpClient() {
      @Override
      public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
        ExecutableHttpRequest call = client.prepareRequest(request);
        return new ExecutableHttpRequest() {
          @Override
          public HttpExecuteResponse call() throws IOException {
            HttpExecuteResponse response = call.call();
            responses.add(response);
            return response;
          }

          @Override
          public void abort() {
            call.abort();
          }
        };
      }

      @Override
      public void close() {
        client.close();
      }
    };
  }

  /** The suite leaves them open, which Heddle reports at length. */
  @AfterEach
  void closeResponses() throws Exception {
    for (HttpExecuteResponse response : responses) {
      response.responseBody().orElseThrow().close();
    }
  }
}
