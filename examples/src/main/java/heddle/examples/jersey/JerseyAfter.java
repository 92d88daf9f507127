package heddle.examples.jersey;

import heddle.adapters.jersey.HeddleConnectorProvider;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientBuilder;
import org.glassfish.jersey.client.ClientConfig;

/** Makes a call of Jersey's client over Heddle: {@link JerseyBefore} with one line changed. */
final class JerseyAfter {

  void main(String[] args) {
    String url = args.length > 0 ? args[0] : "http://127.0.0.1:8080/hello";
    ClientConfig config = new ClientConfig().connectorProvider(new HeddleConnectorProvider());
    try (Client client = ClientBuilder.newClient(config)) {
      IO.println(client.target(url).request().get(String.class));
    }
  }
}
