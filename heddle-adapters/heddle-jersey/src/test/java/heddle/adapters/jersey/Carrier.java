package heddle.adapters.jersey;

import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientBuilder;
import org.glassfish.jersey.client.ClientConfig;
import org.glassfish.jersey.client.HttpUrlConnectorProvider;
import org.glassfish.jersey.client.spi.ConnectorProvider;

/** What carries the calls of a client: tests that pass with both say what users may rely on. */
enum Carrier {
  /** Jersey's own connector, over HttpURLConnection. */
  STOCK,
  HEDDLE;

  ConnectorProvider provider() {
    return this == STOCK ? new HttpUrlConnectorProvider() : new HeddleConnectorProvider();
  }

  ClientConfig config() {
    return new ClientConfig().connectorProvider(provider());
  }

  Client client() {
    return ClientBuilder.newClient(config());
  }
}
