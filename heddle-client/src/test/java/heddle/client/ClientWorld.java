package heddle.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.settings.PoolLimits;
import heddle.client.settings.RedirectPolicy;
import heddle.client.settings.Timeouts;
import heddle.client.spi.PoolSnapshot;
import heddle.http.HttpException;
import heddle.http.HttpVersion;
import heddle.http.Method;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Sent;
import heddle.testkit.Direction;
import heddle.testkit.RawConnection;
import heddle.testkit.ScriptedPeer;
import heddle.testkit.SimNetwork;
import heddle.transport.Network;
import heddle.transport.names.Resolver;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A client and the servers that it talks to, in a world of virtual time. Unless a test sets it
 * otherwise, the client sends and returns messages as they are, so that scripts can tell them.
 */
public final class ClientWorld implements AutoCloseable {
  /** Every host is this one. */
  static final Resolver LOCAL = (host, deadline) -> List.of(InetAddress.getLoopbackAddress());

  public final SimNetwork network;
  public final HttpClient client;

  /** Of the next visit. */
  private final List<ScriptedPeer.Script> scripts = new ArrayList<>();

  ClientWorld() {
    this(SimNetwork.builder());
  }

  ClientWorld(SimNetwork.Builder builder) {
    this(builder, Timeouts.DEFAULTS, PoolLimits.DEFAULTS);
  }

  ClientWorld(Timeouts timeouts) {
    this(SimNetwork.builder(), timeouts, PoolLimits.DEFAULTS);
  }

  ClientWorld(PoolLimits limits) {
    this(SimNetwork.builder(), Timeouts.DEFAULTS, limits);
  }

  ClientWorld(SimNetwork.Builder builder, Timeouts timeouts, PoolLimits limits) {
    this(builder, timeouts, limits, LOCAL);
  }

  ClientWorld(SimNetwork.Builder builder, Timeouts timeouts, PoolLimits limits, Resolver resolver) {
    this(builder, timeouts, limits, resolver, null);
  }

  private ClientWorld(
      SimNetwork.Builder builder,
      Timeouts timeouts,
      PoolLimits limits,
      Resolver resolver,
      @Nullable HttpVersion version) {
    this(builder, described -> {
      described.timeouts(timeouts).poolLimits(limits).resolver(resolver);
      return version == null ? described : described.version(version);
    });
  }

  /** A world whose client is made with more than the defaults. */
  public ClientWorld(SimNetwork.Builder builder, UnaryOperator<HttpClient.Builder> settings) {
    network = builder.virtualTime().build();
    client = settings
        .apply(HttpClient.builder()
            .redirects(RedirectPolicy.never())
            .contentCodings(null)
            .userAgent(null)
            .network(network.lasting())
            .resolver(LOCAL))
        .build();
  }

  /** A world whose client is made with more than the defaults. */
  public ClientWorld(UnaryOperator<HttpClient.Builder> settings) {
    this(SimNetwork.builder(), settings);
  }

  /** A world whose client speaks HTTP/2 by prior knowledge. */
  static ClientWorld http2(SimNetwork.Builder builder, Timeouts timeouts, PoolLimits limits) {
    return new ClientWorld(builder, timeouts, limits, LOCAL, HttpVersion.HTTP_2);
  }

  public static ClientWorld http2() {
    return http2(SimNetwork.builder(), Timeouts.DEFAULTS, PoolLimits.DEFAULTS);
  }

  /** What a test does with a server. */
  @FunctionalInterface
  public interface Visit {
    void to(ScriptedPeer peer) throws Exception;
  }

  /** The next connections of the server that is visited then follow these scripts, in order. */
  public void serve(ScriptedPeer.Script... next) {
    scripts.addAll(List.of(next));
  }

  /** A server's connection that sends a head, and never the content that it announces. */
  static void withholdContent(RawConnection c) throws IOException {
    c.expectHead();
    c.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n");
    c.hasMore();
  }

  /** Runs a visit to a server that serves these scripts too, each on a connection. */
  public void visit(Visit visit, ScriptedPeer.Script... next) throws Exception {
    serve(next);
    visit(network, visit);
  }

  /** As {@link #visit(Visit, ScriptedPeer.Script...)}, to a server that listens on this network. */
  public void visit(Network listening, Visit visit) throws Exception {
    ScriptedPeer.Script[] all = scripts.toArray(ScriptedPeer.Script[]::new);
    scripts.clear();
    network.run(() -> {
      try (ScriptedPeer peer = ScriptedPeer.inOrder(listening, all)) {
        visit.to(peer);
        client.close();
      }
    });
  }

  /** Runs a visit to a server whose connections all follow one script. */
  public void visitMany(Visit visit, ScriptedPeer.Script script) throws Exception {
    network.run(() -> {
      try (ScriptedPeer peer = ScriptedPeer.each(network, script)) {
        visit.to(peer);
        client.close();
      }
    });
  }

  /**
   * Of what clients send on a connection the server gets some 100 KB and then nothing for a while,
   * as if it had stopped to read; a script that pauses its reading may come too late for that.
   *
   * @param time for how long; null for good
   */
  void letServersStopReading(@Nullable Duration time) {
    network.onConnection(c -> c.stallAfterBytes(Direction.TO_SERVER, 100_000, time));
  }

  public Response get(ScriptedPeer peer) throws IOException {
    return client.send(Request.get(peer.url("/")));
  }

  /** A call on a thread of the world that can be interrupted. */
  public Running start(Request request) {
    return start(() -> client.send(request));
  }

  /** As {@link #start(Request)}, for a call made in another way. */
  public Running start(Callable<Response> call) {
    CompletableFuture<Response> outcome = new CompletableFuture<>();
    CompletableFuture<Boolean> flag = new CompletableFuture<>();
    Thread thread = network.threadFactory().newThread(() -> {
      try {
        outcome.complete(call.call());
      } catch (Throwable e) {
        outcome.completeExceptionally(e);
      }
      flag.complete(Thread.interrupted());
    });
    thread.start();
    return new Running(thread, outcome, flag);
  }

  /** As {@link #start}, and the request has gone out when this returns, or as much as can. */
  public Running startUnderWay(Request request) throws IOException {
    Running call = start(request);
    until(() -> pool().open() == 1);
    network.sleep(Duration.ofMillis(10));
    return call;
  }

  /** Awaits a call's response, which is to have this content. */
  public Response assertAnswered(Running call, String content) throws Exception {
    untilOver(call.outcome());
    Response response = call.outcome().get();
    assertEquals(content, response.string());
    return response;
  }

  public record Running(
      Thread thread, CompletableFuture<Response> outcome, CompletableFuture<Boolean> interrupted) {}

  public PoolSnapshot pool() {
    return client.pool();
  }

  public int inUse() {
    return pool().routes().stream().mapToInt(PoolSnapshot.RouteSnapshot::inUse).sum();
  }

  public int pending() {
    return pool().routes().stream()
        .mapToInt(PoolSnapshot.RouteSnapshot::pending)
        .sum();
  }

  /**
   * Parks a thread of the world until something holds; the test's own timeout is the limit. It
   * looks each millisecond at first, and less often when it has waited for long: each look costs
   * real time.
   */
  public void until(BooleanSupplier condition) throws IOException {
    Duration began = now();
    while (!condition.getAsBoolean()) {
      Duration waited = now().minus(began);
      network.sleep(Duration.ofMillis(Math.max(1, waited.toMillis() / 50)));
    }
  }

  /** Parks a thread of the world until a call is over, however it ends; time leaps to that. */
  public void untilOver(Future<?> call) throws InterruptedException {
    try {
      call.get();
    } catch (ExecutionException | CancellationException e) {
      // A failure is an end too: the caller inspects it.
    }
  }

  public Duration now() {
    return Duration.ofNanos(network.clock().nanoTime());
  }

  /** Asserts what every failure has to say. */
  <T extends HttpException> T assertFails(
      Class<T> type, Phase phase, Sent sent, HttpException failure) {
    assertInstanceOf(type, failure, failure.toString());
    assertEquals(Method.GET, failure.at().method());
    assertEquals(phase, failure.at().phase(), failure.toString());
    assertEquals(sent, failure.at().sent(), failure.toString());
    String message = failure.getMessage();
    assertTrue(message.contains("GET http://" + failure.at().origin().host()), message);
    assertTrue(message.endsWith("request sent: " + sent), message);
    assertEquals(0, pool().open());
    assertEquals(0, pending());
    return type.cast(failure);
  }

  public static void assertSays(HttpException failure, String part) {
    assertTrue(failure.getMessage().contains(part), failure.getMessage());
  }

  public HttpException failureOf(String url) {
    return assertThrows(HttpException.class, () -> client.send(Request.get(url)).bytes());
  }

  /** What a GET fails with on a connection that follows the script. */
  HttpException failureOf(ScriptedPeer.Script script) throws Exception {
    AtomicReference<HttpException> failure = new AtomicReference<>();
    visit(peer -> failure.set(failureOf(peer.url("/"))), c -> {
      c.expectHead();
      script.run(c);
    });
    return failure.get();
  }

  /** Waits until it is so: a cancelled call gives up its connection on another thread. */
  public void assertNothingIsOpen() throws IOException {
    until(() -> network.connections().stream().noneMatch(c -> c.isClientOpen()));
    until(() -> pool().open() == 0);
  }

  public static void waitForTheEnd(RawConnection c) throws IOException {
    c.expectHead();
    c.drain();
  }

  /** Closes the client while time goes on: a call that a failed test left behind is aborted. */
  @Override
  public void close() {
    try (network) {
      network.run(client::close);
    } catch (Exception e) {
      throw new AssertionError("closing the client failed", e);
    }
  }
}
