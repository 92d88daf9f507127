package heddle.examples;

import heddle.adapters.apache5.HeddleConnectionManager;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.core5.http.io.entity.EntityUtils;

/** Shows a request of Apache's client over Heddle: {@link Apache5Before} with one line changed. */
final class Apache5After {

  void main(String[] args) throws Exception {
    String url = args.length > 0 ? args[0] : "http://127.0.0.1:8080/hello";
    try (CloseableHttpClient client = HttpClients.custom()
        .setConnectionManager(HeddleConnectionManager.create())
        .build()) {
      IO.println(client.execute(
          new HttpGet(url),
          response -> response.getCode() + " " + EntityUtils.toString(response.getEntity())));
    }
  }
}
