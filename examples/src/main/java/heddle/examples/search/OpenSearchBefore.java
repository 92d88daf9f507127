package heddle.examples.search;

import org.apache.hc.core5.http.HttpHost;
import org.opensearch.client.opensearch.OpenSearchClient;
import org.opensearch.client.transport.OpenSearchTransport;
import org.opensearch.client.transport.httpclient5.ApacheHttpClient5TransportBuilder;

/** Pings OpenSearch; {@link OpenSearchAfter} is the same with one line added. */
final class OpenSearchBefore {

  void main(String[] args) throws Exception {
    String url = args.length > 0 ? args[0] : "http://127.0.0.1:9200";
    try (OpenSearchTransport transport =
        ApacheHttpClient5TransportBuilder.builder(HttpHost.create(url)).build()) {
      OpenSearchClient client = new OpenSearchClient(transport);
      IO.println("there: " + client.ping().value());
    }
  }
}
