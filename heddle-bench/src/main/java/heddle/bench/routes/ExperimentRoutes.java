package heddle.bench.routes;

import heddle.http.Body;
import heddle.http.BodyTooLargeException;
import heddle.http.MediaType;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.spi.Handler;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;

/**
 * The routes that experiments need. Safe for use by many threads.
 *
 * <ul>
 *   <li>{@code GET /hello}: {@code Hello!} at once
 *   <li>{@code GET /delay/{ms}}: the same after this many milliseconds, 0 to 3,600,000; also for
 *       any other method, whose request content is ignored
 *   <li>{@code GET /bytes/{n}}: n bytes, 0 to 1,099,511,627,776
 *   <li>{@code POST /echo}: the content of the request, at most 64 MiB
 *   <li>{@code POST /sink}: an empty answer, after all content of the request was read and
 *       discarded
 *   <li>{@code GET /ping/{ms}}: {@code Ping_n} after this many milliseconds, 0 to 3,600,000, with n
 *       of 0 to 49 in turn
 *   <li>{@code GET /locked}: {@code Ping_n} after holding the lock n of 50 for 100 ms; requests
 *       take the locks in turn
 *   <li>{@code GET /hold/{n}}: {@code Hello!} when n requests wait for it, 1 to 1,000,000, or after
 *       an hour
 * </ul>
 *
 * <p>And the routes that report what it has {@linkplain Counted counted}.
 */
public final class ExperimentRoutes implements Handler {

  private static final Response HELLO =
      Response.ok(Body.of("Hello!".getBytes(StandardCharsets.US_ASCII), MediaType.TEXT_PLAIN_UTF8));
  private static final Response EMPTY = Response.ok(Body.of(new byte[0]));
  private static final long MAX_DELAY_MILLIS = 3_600_000;
  private static final long MAX_BYTES = 1L << 40;
  private static final int LOCKS = 50;
  private static final long LOCKED_MILLIS = 100;
  private static final String DELAY = "/delay/";
  private static final String BYTES = "/bytes/";
  private static final String PING = "/ping/";
  private static final String HOLD = "/hold/";
  private static final Pattern PATHS = Pattern.compile("/(bytes|ping|hold)/|/locked$");
  private static final int MAX_HELD = 1_000_000;

  private final Counted counted = new Counted(this::answer);
  private final Gathering gathering = new Gathering();
  private final AtomicInteger turn = new AtomicInteger();
  private final ReentrantLock[] locks = new ReentrantLock[LOCKS];

  /** Creates routes with their own counters. */
  public ExperimentRoutes() {
    for (int i = 0; i < LOCKS; i++) {
      locks[i] = new ReentrantLock();
    }
  }

  /**
   * Answers a request: 404 for an unknown path, 405 for a method that the path does not support,
   * 400 for an invalid number, 413 for content that is too large.
   *
   * @throws IOException if the content of the request cannot be read
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  @Override
  public Response handle(Request request) throws Exception {
    return counted.handle(request);
  }

  /** The handler that counts the requests. */
  public Counted counted() {
    return counted;
  }

  private Response answer(Request request) throws IOException, InterruptedException {
    String path = request.path();
    if (path.equals("/hello")) {
      return Counted.isRead(request) ? HELLO : Counted.notAllowed("GET, HEAD");
    }
    if (path.equals("/echo") || path.equals("/sink")) {
      return request.method().equals(Method.POST)
          ? path.equals("/echo") ? echo(request) : sink(request)
          : Counted.notAllowed("POST");
    }
    if (path.startsWith(DELAY)) {
      return delay(path);
    }
    if (!PATHS.matcher(path).lookingAt()) {
      return Counted.problem(
          Status.NOT_FOUND,
          "there is no "
              + path
              + " here: ask for /hello, /delay/{ms}, /bytes/{n}, /echo, /sink, /active, /ping/{ms},"
              + " /locked or /hold/{n}");
    }
    return Counted.isRead(request) ? read(path) : Counted.notAllowed("GET, HEAD");
  }

  private Response read(String path) throws InterruptedException {
    if (path.startsWith(BYTES)) {
      return bytes(path);
    }
    if (path.startsWith(PING)) {
      return ping(path);
    }
    if (path.startsWith(HOLD)) {
      return hold(path);
    }
    return locked();
  }

  private static Response delay(String path) throws InterruptedException {
    long millis = number(path.substring(DELAY.length()), MAX_DELAY_MILLIS);
    if (millis < 0) {
      return badNumber("milliseconds", path, MAX_DELAY_MILLIS);
    }
    Thread.sleep(millis);
    return HELLO;
  }

  private static Response bytes(String path) {
    long length = number(path.substring(BYTES.length()), MAX_BYTES);
    if (length < 0) {
      return badNumber("bytes", path, MAX_BYTES);
    }
    return Response.ok(Body.replayable(length, () -> new RepeatingStream(length)));
  }

  private static Response echo(Request request) throws IOException {
    byte[] content;
    try {
      content = request.body().bytes();
    } catch (BodyTooLargeException e) {
      return Counted.problem(
          Status.CONTENT_TOO_LARGE,
          "/echo takes at most " + (Body.MAX_IN_MEMORY >> 20) + " MiB of content");
    }
    MediaType type = request.body().mediaType();
    return Response.ok(type == null ? Body.of(content) : Body.of(content, type));
  }

  private static Response sink(Request request) throws IOException {
    request.body().transferTo(OutputStream.nullOutputStream());
    return EMPTY;
  }

  private Response ping(String path) throws InterruptedException {
    long millis = number(path.substring(PING.length()), MAX_DELAY_MILLIS);
    if (millis < 0) {
      return badNumber("milliseconds", path, MAX_DELAY_MILLIS);
    }
    Thread.sleep(millis);
    return Response.ok("Ping_" + next());
  }

  private Response hold(String path) throws InterruptedException {
    long size = number(path.substring(HOLD.length()), MAX_HELD);
    if (size < 1) {
      return Counted.problem(
          Status.BAD_REQUEST, path + " must end in a number of requests from 1 to " + MAX_HELD);
    }
    gathering.await((int) size, MAX_DELAY_MILLIS);
    return HELLO;
  }

  private int next() {
    return Math.floorMod(turn.getAndIncrement(), LOCKS);
  }

  private Response locked() throws InterruptedException {
    int number = next();
    ReentrantLock lock = locks[number];
    lock.lockInterruptibly();
    try {
      Thread.sleep(LOCKED_MILLIS);
    } finally {
      lock.unlock();
    }
    return Response.ok("Ping_" + number);
  }

  /** Reads plain decimal digits; -1 for anything else and for more than {@code max}. */
  private static long number(String text, long max) {
    boolean isShort = !text.isEmpty() && text.length() <= 18;
    if (!isShort || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return -1;
    }
    long value = Long.parseLong(text);
    return value > max ? -1 : value;
  }

  private static Response badNumber(String unit, String path, long max) {
    return Counted.problem(
        Status.BAD_REQUEST, path + " must end in a number of " + unit + " from 0 to " + max);
  }
}
