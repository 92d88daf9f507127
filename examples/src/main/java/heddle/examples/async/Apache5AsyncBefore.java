package heddle.examples.async;

import java.util.concurrent.Future;
import org.apache.hc.client5.http.async.methods.SimpleHttpRequest;
import org.apache.hc.client5.http.async.methods.SimpleHttpResponse;
import org.apache.hc.client5.http.async.methods.SimpleRequestBuilder;
import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient;
import org.apache.hc.client5.http.impl.async.HttpAsyncClients;
import org.apache.hc.client5.http.impl.nio.PoolingAsyncClientConnectionManagerBuilder;

/** Shows an asynchronous request of Apache's client; {@link Apache5AsyncAfter} changes one line. */
final class Apache5AsyncBefore {

  void main(String[] args) throws Exception {
    String url = args.length > 0 ? args[0] : "http://127.0.0.1:8080/hello";
    try (CloseableHttpAsyncClient client = HttpAsyncClients.custom()
        .setConnectionManager(
            PoolingAsyncClientConnectionManagerBuilder.create().build())
        .build()) {
      client.start();
      SimpleHttpRequest request = SimpleRequestBuilder.get(url).build();
      Future<SimpleHttpResponse> response = client.execute(request, null);
      IO.println(response.get().getCode() + " " + response.get().getBodyText());
    }
  }
}
