package heddle.verify.soak;

import heddle.client.HttpClient;
import heddle.http.Body;
import heddle.http.Headers;
import heddle.http.HttpException;
import heddle.http.HttpVersion;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Sent;
import heddle.http.Trailers;
import heddle.testkit.SimWorld;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** One exchange: its request, how its caller behaves, and what must hold when it ends. */
final class SoakCall {
  /** How a call may end. */
  enum Outcome {
    ANSWERED,
    REFUSED,
    FAILED,
    INTERRUPTED,
    CANCELLED
  }

  private static final List<Method> METHODS =
      List.of(Method.GET, Method.POST, Method.PUT, Method.DELETE, Method.POST);

  /** Answers that are allowed to a request that came in pieces, late, or to a busy server. */
  private static final Set<Integer> REFUSALS = Set.of(400, 408, 503);

  private final SimWorld world;
  private final HttpClient client;
  private final Ledger ledger;
  private final int id;
  private final Random random;
  private final Duration deadline;
  private final Method method;
  private final int up;
  private final int down;
  private final boolean replayable;

  private Duration slept = Duration.ZERO;
  private Outcome outcome = Outcome.FAILED;
  private @Nullable Sent sent;
  private @Nullable String why;

  SoakCall(SimWorld world, HttpClient client, Ledger ledger, int id) {
    this.world = world;
    this.client = client;
    this.ledger = ledger;
    this.id = id;
    this.random = world.random("call " + id);
    this.deadline = Duration.ofMillis(
        random.nextInt(4) == 0 ? 1 + random.nextInt(400) : 1_000 + random.nextInt(20_000));
    this.method = METHODS.get(random.nextInt(METHODS.size()));
    boolean hasContent = method.equals(Method.POST) || method.equals(Method.PUT);
    this.up = hasContent ? length() : 0;
    this.down = length();
    this.replayable = random.nextInt(3) > 0;
  }

  /** Mostly small, sometimes more than any window or buffer takes at once. */
  private int length() {
    int most = Math.min(200_000, 500 * world.faults().smallestPiece());
    return switch (random.nextInt(10)) {
      case 0, 1, 2 -> random.nextInt(Math.min(20_000, most));
      case 3 -> random.nextInt(most);
      default -> random.nextInt(500);
    };
  }

  // ---- the exchange

  /** Makes the call on this thread, from its beginning to the last byte that is read. */
  void run() {
    long start = world.network().clock().nanoTime();
    try {
      if (random.nextInt(5) == 0) {
        runAsync(request());
      } else {
        try (Response response = client.send(request())) {
          look(response);
        }
      }
    } catch (InterruptedIOException e) {
      interrupted(e);
    } catch (HttpException e) {
      failed(e);
    } catch (IOException | RuntimeException e) {
      ledger.broken(this + " failed with what no call fails with: " + e, e);
    }
    long end = world.network().clock().nanoTime();
    inTime(Duration.ofNanos(end - start));
    ledger.end(id + " " + outcome + " " + end + (why == null ? "" : " " + why));
  }

  private Request request() throws IOException {
    String host = random.nextInt(3) > 0 ? "real.test:" : "mock.test:";
    int port = host.startsWith("real") ? SoakServers.REAL_PORT : SoakServers.MOCK_PORT;
    Request.Builder builder = Request.builder("http://" + host + port + "/" + id)
        .method(method)
        .version(random.nextBoolean() ? HttpVersion.HTTP_2 : HttpVersion.HTTP_1_1)
        .deadline(deadline)
        .header("X-Id", Integer.toString(id))
        .header("X-Up", Integer.toString(up))
        .header("X-Down", Integer.toString(down));
    return up == 0
        ? builder.build()
        : withExtras(builder.body(body(Ledger.content(id, up)))).build();
  }

  /** Some bodies wait for 100 (Continue), some have trailers. */
  private Request.Builder withExtras(Request.Builder builder) {
    Random extras = world.random("extras of call " + id);
    if (extras.nextInt(4) == 0) {
      builder.expectContinue();
    }
    if (extras.nextInt(4) == 0) {
      Headers sum = Headers.of(SoakServers.SUM, Integer.toString(id));
      builder.trailers(extras.nextBoolean() ? Trailers.of(sum) : Trailers.of(() -> sum));
      builder.header("X-Trailers", "yes");
    }
    return builder;
  }

  private Body body(byte[] content) {
    if (!replayable) {
      return random.nextBoolean()
          ? Body.of(new ByteArrayInputStream(content), content.length)
          : Body.of(new ByteArrayInputStream(content));
    }
    return random.nextBoolean()
        ? Body.of(content)
        : Body.replayable(Body.UNKNOWN, () -> new ByteArrayInputStream(content));
  }

  private void runAsync(Request request) throws IOException {
    CompletableFuture<Response> future = client.sendAsync(request);
    try {
      if (random.nextInt(3) == 0) {
        sleep(random.nextInt(500));
        if (future.cancel(random.nextBoolean())) {
          outcome = Outcome.CANCELLED;
          return;
        }
      }
      await(future);
    } catch (InterruptedIOException e) {
      if (!future.cancel(true) && !future.isCompletedExceptionally()) {
        // The response came at the last moment; close it.
        future.resultNow().close();
      }
      throw e;
    }
  }

  private void await(CompletableFuture<Response> future) throws IOException {
    try (Response response = future.get()) {
      look(response);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for the future");
    } catch (CancellationException e) {
      outcome = Outcome.CANCELLED;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  // ---- the response

  private void look(Response response) throws IOException {
    int status = response.status().code();
    if (REFUSALS.contains(status)) {
      outcome = Outcome.REFUSED;
      return;
    }
    if (status != 200) {
      ledger.broken(this + " was answered " + status);
    }
    read(response);
    outcome = Outcome.ANSWERED;
  }

  private void read(Response response) throws IOException {
    byte[] expected = Ledger.content(-id, down);
    switch (random.nextInt(6)) {
      case 0 -> {
        // The body stays unread.
      }
      case 1 -> readPart(response.body().stream(), expected);
      case 2 -> {
        sleep(random.nextInt(200));
        same(expected, response.bytes());
      }
      default -> same(expected, response.bytes());
    }
  }

  private void readPart(InputStream stream, byte[] expected) throws IOException {
    int wanted = random.nextInt(expected.length + 1);
    byte[] part = stream.readNBytes(wanted);
    same(Arrays.copyOf(expected, wanted), part);
  }

  private void same(byte[] expected, byte[] came) {
    if (!Arrays.equals(expected, came)) {
      int at = Arrays.mismatch(expected, came);
      ledger.broken(this + " got other content than was sent: " + came.length + " bytes of "
          + expected.length + ", other from byte " + at + " on, and no error");
    }
  }

  private void sleep(int millis) throws IOException {
    long from = world.network().clock().nanoTime();
    try {
      world.network().sleep(Duration.ofMillis(millis));
    } finally {
      slept = slept.plusNanos(world.network().clock().nanoTime() - from);
    }
  }

  // ---- the end

  private void interrupted(InterruptedIOException e) {
    outcome = Outcome.INTERRUPTED;
    if (!Thread.interrupted()) {
      ledger.broken(this + " was interrupted, and the flag is not set", e);
    }
  }

  private void failed(HttpException e) {
    outcome = Outcome.FAILED;
    why = e.getClass().getSimpleName() + " " + e.at();
    if (e.at() == null) {
      ledger.broken(this + " failed without saying where: " + e, e);
    } else {
      sent = e.at().sent();
    }
  }

  private void inTime(Duration took) {
    // The time of a world stands still while a thread works: only a leap may come in between.
    Duration limit = deadline.plus(slept).plus(world.faults().maxLeap()).plusMillis(1);
    if (took.compareTo(limit) > 0) {
      ledger.broken(this + " ended after " + took.toMillis() + " ms with a deadline of "
          + deadline.toMillis() + " ms, of which its caller slept " + slept.toMillis());
    }
  }

  /** What must hold when all is over. */
  void settle() {
    int processed = ledger.processed(id);
    boolean mayRepeat = method.isIdempotent() && (up == 0 || replayable);
    if (processed > (mayRepeat ? 1 + ledger.repeated(id) : 1)) {
      ledger.broken(this + " was processed " + processed + " times, and repeated "
          + ledger.repeated(id) + " times, by what the client said");
    }
    if (!ledger.isBalanced(id)) {
      ledger.broken(this + " is over, and its listener was not told so once");
    }
    if (outcome == Outcome.ANSWERED && processed == 0) {
      ledger.broken(this + " was answered, and no server had it");
    }
    if (outcome == Outcome.FAILED && sent == Sent.NO && processed > 0) {
      ledger.broken(this + " failed, by its exception before it was sent, and a server had it");
    }
  }

  Outcome outcome() {
    return outcome;
  }

  @Override
  public String toString() {
    return "request " + id + " (" + method + ", " + up + " bytes up, " + down + " down)";
  }
}
