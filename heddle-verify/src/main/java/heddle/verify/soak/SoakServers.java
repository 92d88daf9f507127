package heddle.verify.soak;

import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Settings;
import heddle.http.Body;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.HttpServer;
import heddle.testkit.SimWorld;
import heddle.testkit.mock.MockFault;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.RecordedRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The servers of a world: {@code real.test}, this project's server behind two addresses, and {@code
 * mock.test}, which answers one request in a few with a fault. Each writes to the ledger.
 */
final class SoakServers implements AutoCloseable {
  static final int REAL_PORT = 8_001;
  static final int MOCK_PORT = 8_002;

  /** The trailer of a request that has any: its number. */
  static final String SUM = "X-Sum";

  private final SimWorld world;
  private final Ledger ledger;
  private final HttpServer first;
  private final HttpServer second;
  private final MockServer mock;
  private final double faulty;
  private final Set<Integer> refused = ConcurrentHashMap.newKeySet();

  SoakServers(SimWorld world, Ledger ledger) throws IOException {
    this.world = world;
    this.ledger = ledger;
    this.faulty = world.random("faulty").nextDouble() * 0.5;
    InetAddress one = InetAddress.ofLiteral("127.0.0.1");
    InetAddress two = InetAddress.ofLiteral("127.0.0.2");
    world.name("real.test", one, two);
    world.name("mock.test", one);
    Random random = world.random("servers");
    first = real(new InetSocketAddress(one, REAL_PORT), random);
    second = real(new InetSocketAddress(two, REAL_PORT), random);
    mock = MockServer.builder()
        .network(world.network())
        .address(new InetSocketAddress(one, MOCK_PORT))
        .handler(this::answerBadly)
        .start();
  }

  private HttpServer real(InetSocketAddress address, Random random) throws IOException {
    return HttpServer.builder()
        .network(world.network().lasting())
        .executor(world.network().executor())
        .address(address)
        .maxRequests(random.nextInt(4) == 0 ? 3 : 1_000)
        .idleTimeout(Duration.ofMillis(200 + random.nextInt(30_000)))
        .handler(this::answer)
        .closeTimeout(Duration.ofSeconds(1))
        .start();
  }

  // ---- the real one

  private Response answer(Request request) throws IOException {
    int id = number(request.headers().first("X-Id"));
    ledger.process(id);
    // Everything below is drawn from the request, so that the order of requests does not matter.
    Random random = world.random("request " + id);
    boolean calm = request.headers().first("X-Calm") != null;
    if (random.nextInt(4) == 0 && !calm) {
      world.network().sleep(Duration.ofMillis(random.nextInt(300)));
    }
    if (random.nextInt(10) > 0 || calm) {
      ledger.uploaded(id, request.body().bytes(), number(request.headers().first("X-Up")));
      boolean summed = Integer.toString(id).equals(request.trailers().get().first(SUM));
      if (summed != request.headers().contains("X-Trailers")) {
        ledger.broken("request " + id + " came with other trailers than it was sent with");
      }
    }
    byte[] content = Ledger.content(-id, number(request.headers().first("X-Down")));
    Body body =
        switch (random.nextInt(3)) {
          case 0 -> Body.of(content);
          case 1 -> Body.of(new ByteArrayInputStream(content), content.length);
          default -> Body.of(new ByteArrayInputStream(content));
        };
    return Response.builder(Status.OK).body(body).build();
  }

  // ---- the other one

  private MockResponse answerBadly(RecordedRequest request) {
    int id = number(request.header("X-Id"));
    if (request.header("X-Calm") != null) {
      return answerInTheEnd(request, id);
    }
    // A repeated request gets another fault.
    Random random = world.random("mock " + id + " " + ledger.processed(id));
    byte[] content = Ledger.content(-id, number(request.header("X-Down")));
    MockResponse response = MockResponse.ok(content);
    if (random.nextInt(3) == 0) {
      response = response.chunked();
    }
    if (random.nextInt(3) == 0) {
      response = response.after(Duration.ofMillis(random.nextInt(500)));
    }
    if (random.nextDouble() < faulty) {
      response = response.with(fault(random, content.length));
    }
    if (!response.refuses()) {
      ledger.process(id);
      ledger.uploaded(id, request.body(), number(request.header("X-Up")));
    }
    return response;
  }

  /** Refuses the first attempt in one of two ways, and uses each connection once. */
  private MockResponse answerInTheEnd(RecordedRequest request, int id) {
    if (refused.add(id)) {
      return MockResponse.fault(id % 2 == 0 ? MockFault.goAway() : MockFault.refusedStream());
    }
    ledger.process(id);
    ledger.uploaded(id, request.body(), number(request.header("X-Up")));
    return MockResponse.ok(Ledger.content(-id, number(request.header("X-Down"))))
        .with(MockFault.goAwayAfterwards());
  }

  private static MockFault fault(Random random, int length) {
    int within = random.nextInt(length + 1);
    return switch (random.nextInt(15)) {
      case 0 -> MockFault.cutInHead(random.nextInt(60));
      case 1 -> MockFault.cutInBody(within);
      case 2 -> MockFault.resetInHead(random.nextInt(60));
      case 3 -> MockFault.resetInBody(within);
      case 4 -> MockFault.blackHole();
      case 5 -> MockFault.slowBody(1 + within, Duration.ofMillis(random.nextInt(400)));
      case 6 -> MockFault.wrongContentLength(length + 1L + random.nextInt(10));
      case 7, 8 -> MockFault.goAway();
      case 9 -> MockFault.goAwayAfterwards();
      case 10 -> MockFault.refusedStream();
      case 11 ->
        MockFault.resetStream(
            within, random.nextBoolean() ? ErrorCode.INTERNAL_ERROR : ErrorCode.CANCEL);
      case 12 -> MockFault.garbage();
      case 13 -> MockFault.interim(1 + random.nextInt(10));
      default ->
        MockFault.settings(
            Settings.MAX_CONCURRENT_STREAMS,
            1 + random.nextInt(20),
            Settings.INITIAL_WINDOW_SIZE,
            100 + random.nextInt(200_000));
    };
  }

  private static int number(@Nullable String text) {
    return text == null ? 0 : Integer.parseInt(text);
  }

  // ---- the end

  /** Requests that are being answered. */
  int active() {
    return first.active() + second.active();
  }

  @Override
  public void close() {
    first.close();
    second.close();
    mock.close();
  }
}
