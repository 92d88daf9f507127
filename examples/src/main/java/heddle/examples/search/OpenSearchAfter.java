package heddle.examples.search;

import heddle.adapters.apache5.HeddleAsyncConnectionManager;
import org.apache.hc.core5.http.HttpHost;
import org.opensearch.client.opensearch.OpenSearchClient;
import org.opensearch.client.transport.OpenSearchTransport;
import org.opensearch.client.transport.httpclient5.ApacheHttpClient5TransportBuilder;

/** Pings OpenSearch over Heddle: {@link OpenSearchBefore} with one line added. */
final class OpenSearchAfter {

  void main(String[] args) throws Exception {
    String url = args.length > 0 ? args[0] : "http://127.0.0.1:9200";
    try (OpenSearchTransport transport = ApacheHttpClient5TransportBuilder.builder(
            HttpHost.create(url))
        .setHttpClientConfigCallback(
            http -> http.setConnectionManager(HeddleAsyncConnectionManager.create()))
        .build()) {
      OpenSearchClient client = new OpenSearchClient(transport);
      IO.println("there: " + client.ping().value());
    }
  }
}
