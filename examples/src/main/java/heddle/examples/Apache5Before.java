package heddle.examples;

import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.core5.http.io.entity.EntityUtils;

/** Shows a request of Apache's client; {@link Apache5After} is the same with one line changed. */
final class Apache5Before {

  void main(String[] args) throws Exception {
    String url = args.length > 0 ? args[0] : "http://127.0.0.1:8080/hello";
    try (CloseableHttpClient client = HttpClients.custom()
        .setConnectionManager(new PoolingHttpClientConnectionManager())
        .build()) {
      IO.println(client.execute(
          new HttpGet(url),
          response -> response.getCode() + " " + EntityUtils.toString(response.getEntity())));
    }
  }
}
