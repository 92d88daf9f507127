package heddle.bench.drivers.jersey;

import heddle.bench.driver.Answer;
import heddle.bench.driver.ClientDriver;
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
import java.util.Objects;
import org.glassfish.jersey.client.ClientConfig;
import org.jspecify.annotations.Nullable;

/**
 * Jersey's blocking calls, over any connector. The default is the JDK's {@code HttpURLConnection}.
 * Tuned, the JVM keeps every idle connection (5 to a server by default). It reads that limit once,
 * and has no way to close idle connections, which expire after 5 s.
 */
public final class JerseyDriver implements ClientDriver {

  private static final String MAX_IDLE = "http.maxConnections";
  private static final int EVERY_LOAD = 1 << 16;

  private final String name;
  private final Connector connector;
  private @Nullable Client client;

  /** Chooses what carries Jersey's requests. */
  @FunctionalInterface
  public interface Connector {

    /** Creates a configuration that has the connector and its limits for a load. */
    ClientConfig configuration(DriverConfig config) throws Exception;
  }

  /** The driver of the name {@code jersey}, not started. */
  public JerseyDriver() {
    this("jersey", JerseyDriver::urlConnections);
  }

  /** Creates a driver that is not started. */
  public JerseyDriver(String name, Connector connector) {
    this.name = name;
    this.connector = connector;
  }

  private static ClientConfig urlConnections(DriverConfig config) {
    if (config.isTuned()) {
      System.setProperty(MAX_IDLE, String.valueOf(EVERY_LOAD));
    }
    return new ClientConfig();
  }

  @Override
  public String name() {
    return name;
  }

  /** The version of Jersey itself. */
  @Override
  public String version() {
    return Release.of(ClientConfig.class);
  }

  /** All of Jersey's own connectors support HTTP/1.1 only. */
  @Override
  public @Nullable String refusal(DriverConfig config) {
    return config.isHttp2() ? "no HTTP/2" : null;
  }

  @Override
  public void start(DriverConfig config) throws Exception {
    ClientBuilder builder = ClientBuilder.newBuilder().withConfig(connector.configuration(config));
    if (config.isTls()) {
      builder.sslContext(config.wire().trust().context());
    }
    client = builder.build();
  }

  /** Jersey's client, once the driver is started. */
  public Client client() {
    return Objects.requireNonNull(client, "the driver was not started");
  }

  @Override
  public Exchange prepare(DriverRequest request) {
    WebTarget target = client().target(request.uri());
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
  @Override
  public void close() {
    if (client != null) {
      client.close();
    }
  }
}
