package heddle.examples.jersey;

import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientBuilder;
import org.glassfish.jersey.client.ClientConfig;

/** Makes a call with Jersey's client; {@link JerseyAfter} is the same with one line changed. */
final class JerseyBefore {

  void main(String[] args) {
    String url = args.length > 0 ? args[0] : "http://127.0.0.1:8080/hello";
    ClientConfig config = new ClientConfig();
    try (Client client = ClientBuilder.newClient(config)) {
      IO.println(client.target(url).request().get(String.class));
    }
  }
}
