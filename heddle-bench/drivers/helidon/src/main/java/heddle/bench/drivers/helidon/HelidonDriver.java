package heddle.bench.drivers.helidon;

import heddle.bench.driver.Answer;
import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import heddle.bench.driver.Spread;
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
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

  private final List<HttpClient<?>> clients = new ArrayList<>();
  /** Over HTTP/2. */
  private @Nullable URI opening;

  private int streams;

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
    opening = config.isHttp2() ? config.opening().uri() : null;
    streams = config.wire().streams();
    for (int i = config.clientsOfOneConnection(); i > 0; i--) {
      clients.add(config.isHttp2() ? http2(config) : http1(config));
    }
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
    if (clients.isEmpty()) {
      throw new IllegalStateException("the driver was not started");
    }
    connect();
    byte[] content = request.content();
    boolean large = request.isAnswerLarge();
    List<Exchange> all = new ArrayList<>();
    for (HttpClient<?> client : clients) {
      all.add(
          content.length == 0
              ? () -> read(client.get().uri(request.uri()).request(), large)
              : () -> read(post(client, request).submit(content), large));
    }
    return Spread.blocking(all, streams);
  }

  private void connect() throws Exception {
    URI first = opening;
    if (first != null) {
      List<Exchange> all = new ArrayList<>();
      for (HttpClient<?> client : clients) {
        all.add(() -> read(client.get().uri(first).request(), false));
      }
      Spread.connect(all);
    }
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
