package heddle.bench.drivers.jersey;

import heddle.bench.driver.Answer;
import heddle.bench.driver.ClientDriver.Exchange;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import heddle.bench.driver.Release;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientBuilder;
import jakarta.ws.rs.client.Entity;
import jakarta.ws.rs.client.WebTarget;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.io.InputStream;
import org.glassfish.jersey.client.ClientConfig;
import org.jspecify.annotations.Nullable;

/** Jersey's blocking calls over any connector. Used by the driver of each connector. */
public final class JerseyCalls {

  private @Nullable Client client;

  /** Creates calls without a client. */
  public JerseyCalls() {}

  /** The version of Jersey itself. */
  public static String version() {
    return Release.of(ClientConfig.class);
  }

  /** The refusal of a driver for a connector that supports HTTP/1.1 only, like all of Jersey's. */
  public static @Nullable String refusal(DriverConfig config) {
    return config.isHttp2() ? "no HTTP/2" : null;
  }

  /**
   * Creates the client.
   *
   * @param jersey has the connector and its limits
   */
  public Client start(DriverConfig config, ClientConfig jersey) throws Exception {
    ClientBuilder builder = ClientBuilder.newBuilder().withConfig(jersey);
    if (config.isTls()) {
      builder.sslContext(config.wire().trust().context());
    }
    Client made = builder.build();
    client = made;
    return made;
  }

  /** The exchange of a driver. */
  public Exchange prepare(DriverRequest request) {
    Client started = client;
    if (started == null) {
      throw new IllegalStateException("the driver was not started");
    }
    WebTarget target = started.target(request.uri());
    boolean large = request.isAnswerLarge();
    if (!request.isPost()) {
      return () -> read(target.request().get(), large);
    }
    String type = request.contentType();
    Entity<byte[]> content =
        Entity.entity(request.content(), type == null ? MediaType.APPLICATION_OCTET_STREAM : type);
    return () -> read(target.request().post(content), large);
  }

  private static Answer read(Response answer, boolean large) throws IOException {
    try (Response response = answer) {
      int status = response.getStatus();
      int length = response.getLength();
      Answer read = large
          ? Answer.drain(status, response.readEntity(InputStream.class))
          : new Answer(status, response.readEntity(byte[].class).length);
      // Not every connector distinguishes a connection that ends early from the end of the content.
      if (length >= 0 && length != read.bodyBytes()) {
        throw new IOException("the content ended after " + read.bodyBytes() + " of " + length);
      }
      return read;
    }
  }

  /** Closes the client, and the connector with it. */
  public void close() {
    if (client != null) {
      client.close();
    }
  }
}
