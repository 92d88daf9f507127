package heddle.examples;

import co.elastic.clients.elasticsearch.ElasticsearchClient;
import co.elastic.clients.transport.ElasticsearchTransport;
import co.elastic.clients.transport.ElasticsearchTransportConfig;
import heddle.adapters.elasticsearch.HeddleTransport;
import java.io.IOException;
import java.util.function.Function;

/** Pings Elasticsearch over Heddle: {@link ElasticsearchBefore} with one line changed. */
final class ElasticsearchAfter {

  void main(String[] args) throws IOException {
    String url = args.length > 0 ? args[0] : "http://127.0.0.1:9200";
    Function<ElasticsearchTransportConfig, ElasticsearchTransport> transport = HeddleTransport::new;
    try (ElasticsearchClient client =
        ElasticsearchClient.of(builder -> builder.host(url).transportFactory(transport))) {
      IO.println("there: " + client.ping().value());
    }
  }
}
