package heddle.adapters.aws;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpRequest;

/** Calls of the SDK's blocking client. */
final class Blocking {
  private Blocking() {}

  static ExecutableHttpRequest prepare(
      SdkHttpClient client, SdkHttpRequest request, ContentStreamProvider content) {
    return client.prepareRequest(HttpExecuteRequest.builder()
        .request(request)
        .contentStreamProvider(content)
        .build());
  }

  static HttpExecuteResponse call(SdkHttpClient client, SdkHttpRequest request) throws IOException {
    return prepare(client, request, null).call();
  }

  static HttpExecuteResponse call(SdkHttpClient client, SdkHttpRequest request, byte[] content)
      throws IOException {
    return prepare(client, request, () -> new ByteArrayInputStream(content)).call();
  }

  /** All of a response's content, which is closed then. */
  static byte[] content(HttpExecuteResponse response) throws IOException {
    try (AbortableInputStream content = response.responseBody().orElseThrow()) {
      return content.readAllBytes();
    }
  }
}
