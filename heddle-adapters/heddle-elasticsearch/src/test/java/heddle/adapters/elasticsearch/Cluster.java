package heddle.adapters.elasticsearch;

import co.elastic.clients.elasticsearch.ElasticsearchClient;
import co.elastic.clients.transport.ElasticsearchTransportConfig;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Nodes on loopback that send what a test sets. */
final class Cluster implements AutoCloseable {
  final List<MockServer> nodes = new ArrayList<>();

  Cluster(int size) throws IOException {
    for (int i = 0; i < size; i++) {
      nodes.add(MockServer.start());
    }
  }

  MockServer node(int number) {
    return nodes.get(number);
  }

  ElasticsearchClient client() {
    return client(builder -> builder);
  }

  ElasticsearchClient client(UnaryOperator<ElasticsearchTransportConfig.Builder> settings) {
    List<URI> hosts = nodes.stream().map(node -> URI.create(node.url(""))).toList();
    return ElasticsearchClient.of(
        builder -> settings.apply(builder.hosts(hosts).transportFactory(HeddleTransport::new)));
  }

  /** An answer of Elasticsearch's. */
  static MockResponse json(int status, String text) {
    return MockResponse.of(status)
        .body(text)
        .header("Content-Type", "application/vnd.elasticsearch+json; compatible-with=9")
        .header("X-Elastic-Product", "Elasticsearch");
  }

  static MockResponse indexed(String id) {
    return json(
        201,
        "{\"_index\":\"looms\",\"_id\":\"" + id + "\",\"_version\":1,\"result\":\"created\","
            + "\"_shards\":{\"total\":1,\"successful\":1,\"failed\":0},"
            + "\"_seq_no\":0,\"_primary_term\":1}");
  }

  static MockResponse counted(int documents) {
    return json(
        200,
        "{\"count\":" + documents
            + ",\"_shards\":{\"total\":1,\"successful\":1,\"skipped\":0,\"failed\":0}}");
  }

  @Override
  public void close() {
    nodes.forEach(MockServer::close);
  }
}
