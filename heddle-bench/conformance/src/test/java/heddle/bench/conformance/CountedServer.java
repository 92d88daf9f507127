package heddle.bench.conformance;

import heddle.bench.routes.ExperimentRoutes;
import heddle.http.Body;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.load.cluster.json.Json;
import heddle.server.HttpServer;
import heddle.transport.Channel;
import heddle.transport.ForwardingNetwork;
import heddle.transport.Network;
import heddle.transport.tcp.TcpNetwork;
import heddle.transport.tls.TlsOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.SocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The server of a race, which counts the connections that it has accepted. Beside the routes of a
 * race it has {@code /broken}, which answers 500, and {@code /cut/n} and {@code /cut-chunks/n},
 * whose content of n bytes ends before the last ten; the length is said, or is not; and {@code
 * /together}, which answers requests in groups.
 */
final class CountedServer implements AutoCloseable {

  private static final long GROUP_SECONDS = 10;

  private final CountingNetwork network = new CountingNetwork(TcpNetwork.create());
  private final ExperimentRoutes routes = new ExperimentRoutes();
  private volatile @Nullable CyclicBarrier group;
  private final HttpServer server;
  private final String scheme;

  /**
   * @param tls who the server is; null for cleartext
   */
  CountedServer(@Nullable TlsOptions tls) throws IOException {
    HttpServer.Builder builder = HttpServer.builder()
        .network(network)
        .closeTimeout(Duration.ofMillis(100))
        .handler(this::handle);
    server = (tls == null ? builder : builder.tls(tls)).start();
    scheme = tls == null ? "http" : "https";
  }

  private Response handle(Request request) throws Exception {
    String[] path = request.path().split("/", -1);
    return switch (path[1]) {
      case "broken" -> Response.builder(Status.of(500)).body(Body.of("no")).build();
      case "together" -> together();
      case "json" -> json(request);
      case "cut" -> Response.ok(Body.replayable(length(path), () -> cut(length(path))));
      case "cut-chunks" -> Response.ok(Body.of(cut(length(path))));
      default -> routes.handle(request);
    };
  }

  /** Takes content that is a JSON object and is said to be one. */
  private static Response json(Request request) throws IOException {
    String type = request.headers().first("Content-Type");
    if (type == null || !type.startsWith("application/json")) {
      return Response.of(Status.UNSUPPORTED_MEDIA_TYPE);
    }
    Map<String, Object> object = Json.object(request.body().string());
    return Response.ok(Body.of(String.valueOf(object.get("text"))));
  }

  private Response together() throws IOException, InterruptedException {
    CyclicBarrier all = group;
    try {
      if (all != null) {
        all.await(GROUP_SECONDS, TimeUnit.SECONDS);
      }
    } catch (BrokenBarrierException | TimeoutException e) {
      throw new IOException("fewer requests at once than expected", e);
    }
    return Response.ok("Hello!");
  }

  /** From now on {@code /together} answers when this many requests have arrived. */
  void group(int requests) {
    group = new CyclicBarrier(requests);
  }

  /** From now on {@code /together} answers at once. */
  void ungroup() {
    group = null;
  }

  private static int length(String[] path) {
    return Integer.parseInt(path[2]);
  }

  /** Cannot be read to its end, upon which the server cuts the answer off. */
  private static InputStream cut(int length) {
    return new SequenceInputStream(
        new ByteArrayInputStream(new byte[length - 10]), new Unreadable());
  }

  private static final class Unreadable extends InputStream {
    @Override
    public int read() throws IOException {
      throw new IOException("the test wants the answer to be cut off here");
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      return read();
    }
  }

  URI uri(String path) {
    return URI.create(scheme + "://127.0.0.1:" + server.port() + path);
  }

  /** How many connections were accepted so far. */
  int accepted() {
    return network.accepted.get();
  }

  /** How many connections are open. */
  int open() {
    return server.connections();
  }

  @Override
  public void close() {
    server.close();
    network.close();
  }

  private record CountingNetwork(Network target, AtomicInteger accepted)
      implements ForwardingNetwork {

    CountingNetwork(Network network) {
      this(network, new AtomicInteger());
    }

    @Override
    public Listening listen(SocketAddress address, int backlog, Consumer<Channel> onAccept)
        throws IOException {
      return target.listen(address, backlog, channel -> {
        accepted.incrementAndGet();
        onAccept.accept(channel);
      });
    }
  }
}
