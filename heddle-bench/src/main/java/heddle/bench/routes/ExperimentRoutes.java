package heddle.bench.routes;

import heddle.http.Body;
import heddle.http.BodyTooLargeException;
import heddle.http.HeaderName;
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

/**
 * The routes that experiments need. Safe for use by many threads.
 *
 * <ul>
 *   <li>{@code GET /hello}: {@code Hello!} at once
 *   <li>{@code GET /delay/{ms}}: the same after so many milliseconds, 0 to 3,600,000; for any
 *       other method too, without a look at the content of the request
 *   <li>{@code GET /bytes/{n}}: n bytes, 0 to 1,099,511,627,776
 *   <li>{@code POST /echo}: the content of the request, at most 64 MiB
 *   <li>{@code POST /sink}: nothing, after all content of the request was read and dropped
 *   <li>{@code GET /active}: {@code {"active":n,"peak":m}}, how many requests are being handled
 *       and the most so far; requests of this route and of the next are not counted
 *   <li>{@code POST /counters}: what the server counted by itself since this was asked for the last
 *       time, as a JSON object: requests, the most at once, and what its process took
 *   <li>{@code GET /locked}: {@code Ping_n} after holding the lock n of 50 for 100 ms; requests
 *       take the locks in turn
 * </ul>
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

  /** Where the server tells what it counted. */
  public static final String COUNTERS = "/counters";

  private final Counters counters = new Counters();
  private final AtomicInteger turn = new AtomicInteger();
  private final ReentrantLock[] locks = new ReentrantLock[LOCKS];

  /** Routes with counters of their own. */
  public ExperimentRoutes() {
    for (int i = 0; i < LOCKS; i++) {
      locks[i] = new ReentrantLock();
    }
  }

  /**
   * Answers a request: 404 for an unknown path, 405 for a method that the path has not, 400 for a
   * number that cannot be used, 413 for content that is too large.
   *
   * @throws IOException when the content of the request cannot be read
   * @throws InterruptedException when the thread is interrupted while it waits
   */
  @Override
  public Response handle(Request request) throws IOException, InterruptedException {
    String path = request.path();
    if (path.equals("/active")) {
      return isRead(request) ? json(counters.activity()) : notAllowed("GET, HEAD");
    }
    if (path.equals(COUNTERS)) {
      return request.method().equals(Method.POST) ? json(counters.look()) : notAllowed("POST");
    }
    counters.begin();
    try {
      return answer(request, path);
    } finally {
      counters.end();
    }
  }

  private Response answer(Request request, String path) throws IOException, InterruptedException {
    if (path.equals("/echo")) {
      return request.method().equals(Method.POST) ? echo(request) : notAllowed("POST");
    }
    if (path.equals("/sink")) {
      return request.method().equals(Method.POST) ? sink(request) : notAllowed("POST");
    }
    boolean hasNumber = path.startsWith(DELAY) || path.startsWith(BYTES);
    if (!hasNumber && !path.equals("/hello") && !path.equals("/locked")) {
      return problem(
          Status.NOT_FOUND,
          "there is no "
              + path
              + " here: ask for /hello, /delay/{ms}, /bytes/{n}, /echo, /sink, /active or /locked");
    }
    if (path.startsWith(DELAY)) {
      return delay(path);
    }
    if (!isRead(request)) {
      return notAllowed("GET, HEAD");
    }
    if (hasNumber) {
      return bytes(path);
    }
    return path.equals("/hello") ? HELLO : locked();
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
      return problem(
          Status.of(413), "/echo takes at most " + (Body.MAX_IN_MEMORY >> 20) + " MiB of content");
    }
    MediaType type = request.body().mediaType();
    return Response.ok(type == null ? Body.of(content) : Body.of(content, type));
  }

  private static Response sink(Request request) throws IOException {
    request.body().transferTo(OutputStream.nullOutputStream());
    return EMPTY;
  }

  private Response locked() throws InterruptedException {
    int number = Math.floorMod(turn.getAndIncrement(), LOCKS);
    ReentrantLock lock = locks[number];
    lock.lockInterruptibly();
    try {
      Thread.sleep(LOCKED_MILLIS);
    } finally {
      lock.unlock();
    }
    return Response.ok("Ping_" + number);
  }

  private static Response json(String text) {
    return Response.ok(Body.of(text, MediaType.APPLICATION_JSON));
  }

  private static boolean isRead(Request request) {
    return request.method().equals(Method.GET) || request.method().equals(Method.HEAD);
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
    return problem(
        Status.BAD_REQUEST, path + " must end in a number of " + unit + " from 0 to " + max);
  }

  private static Response notAllowed(String methods) {
    return problem(Status.of(405), "use " + methods).toBuilder()
        .header(HeaderName.of("Allow"), methods)
        .build();
  }

  private static Response problem(Status status, String message) {
    return Response.builder(status).body(Body.of(message + "\n")).build();
  }
}
