package heddle.bench.drivers.helidon;

import heddle.bench.driver.Answer;
import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.Clients;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import io.helidon.common.Version;
import io.helidon.common.tls.Tls;
import io.helidon.http.HeaderNames;
import io.helidon.webclient.api.ClientRequest;
import io.helidon.webclient.api.HttpClient;
import io.helidon.webclient.api.HttpClientResponse;
import io.helidon.webclient.http1.Http1Client;
import io.helidon.webclient.http1.Http1ClientConfig;
import io.helidon.webclient.http2.Http2Client;
import io.helidon.webclient.http2.Http2ClientConfig;
import java.io.IOException;
import java.io.InputStream;

/**
 * Helidon's client, which blocks by design. Tuned, it keeps as many idle connections as the load
 * has (256 by default). Over HTTP/2 it keeps one connection to a server, so that several
 * connections take several clients.
 */
public final class HelidonDriver implements ClientDriver {

  /**
   * Large enough for any answer of a race: with the default of 64 KiB, several large ones may
   * stall.
   */
  private static final int WINDOW = 1 << 20;

  private final Clients<HttpClient<?>> clients = new Clients<>();

  @Override
  public String name() {
    return "helidon";
  }

  @Override
  public String version() {
    return Version.VERSION;
  }

  @Override
  public void start(DriverConfig config) throws Exception {
    clients.start(config, () -> config.isHttp2() ? http2(config) : http1(config));
  }

  private static Http1Client http1(DriverConfig config) throws Exception {
    Http1ClientConfig.Builder builder = Http1Client.builder().shareConnectionCache(false);
    if (config.isTuned()) {
      builder.connectionCacheSize(config.wire().connections());
    }
    if (config.isTls()) {
      builder.tls(tls(config));
    }
    return builder.build();
  }

  private static Http2Client http2(DriverConfig config) throws Exception {
    Http2ClientConfig.Builder builder = Http2Client.builder()
        .shareConnectionCache(false)
        .protocolConfig(protocol -> {
          protocol.priorKnowledge(!config.isTls());
          if (config.isTuned()) {
            protocol.initialWindowSize(WINDOW);
          }
        });
    if (config.isTls()) {
      builder.tls(tls(config));
    }
    return builder.build();
  }

  private static Tls tls(DriverConfig config) throws Exception {
    return Tls.builder().sslContext(config.wire().trust().context()).build();
  }

  @Override
  public Exchange prepare(DriverRequest request) throws Exception {
    return clients.blocking(request, HelidonDriver::exchange);
  }

  private static Exchange exchange(HttpClient<?> client, DriverRequest request) {
    byte[] content = request.content();
    boolean large = request.isAnswerLarge();
    return content.length == 0
        ? () -> read(client.get().uri(request.uri()).request(), large)
        : () -> read(post(client, request).submit(content), large);
  }

  private static ClientRequest<?> post(HttpClient<?> client, DriverRequest request) {
    ClientRequest<?> post = client.post().uri(request.uri());
    String type = request.contentType();
    if (type != null) {
      post.header(HeaderNames.CONTENT_TYPE, type);
    }
    return post;
  }

  private static Answer read(HttpClientResponse answer, boolean large) throws IOException {
    try (HttpClientResponse response = answer) {
      int status = response.status().code();
      if (!response.entity().hasEntity()) {
        return new Answer(status, 0);
      }
      if (!large) {
        return new Answer(status, response.as(byte[].class).length);
      }
      try (InputStream content = response.inputStream()) {
        return Answer.drain(status, content);
      }
    }
  }

  @Override
  public void close() {
    clients.forEach(HttpClient::closeResource);
  }
}
