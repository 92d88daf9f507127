package heddle.bench.routes;

import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.MediaType;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.spi.Handler;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/**
 * Counts the requests of another handler, and reports the counts. Safe for use by many threads.
 *
 * <ul>
 *   <li>{@code GET /active}: {@code {"active":n,"peak":m}}, how many requests are being handled
 *       and the most so far; requests of this route and of the next are not counted
 *   <li>{@code POST /counters}: the counts of the server since the last call, as a JSON object:
 *       requests, the most at once, requests per second, the cost of its process, and its course
 * </ul>
 */
public final class Counted implements Handler {

  /** The path at which the server reports its counts. */
  public static final String COUNTERS = "/counters";

  private static final int SAMPLES_PER_SECOND = 4;
  private static final Duration SAMPLING = Duration.ofSeconds(1).dividedBy(SAMPLES_PER_SECOND);

  private final Counters counters = new Counters();
  private final Handler handler;

  /** Counts what this handler answers. */
  public Counted(Handler handler) {
    this.handler = handler;
  }

  @Override
  public Response handle(Request request) throws Exception {
    String path = request.path();
    if (path.equals("/active")) {
      return isRead(request) ? json(counters.activity()) : notAllowed("GET, HEAD");
    }
    if (path.equals(COUNTERS)) {
      return request.method().equals(Method.POST) ? json(counters.look()) : notAllowed("POST");
    }
    counters.begin();
    try {
      return handler.handle(request);
    } finally {
      counters.end();
    }
  }

  /**
   * Samples the process four times a second, and how many requests are being handled once a
   * second, until it is closed.
   *
   * @param each receives the number of requests each second, on a thread for this purpose only
   */
  public Beat record(IntConsumer each) {
    AtomicInteger beats = new AtomicInteger();
    return new Beat(SAMPLING, () -> {
      counters.sample();
      if (beats.incrementAndGet() % SAMPLES_PER_SECOND == 0) {
        each.accept(counters.sampleSecond());
      }
    });
  }

  static boolean isRead(Request request) {
    return request.method().equals(Method.GET) || request.method().equals(Method.HEAD);
  }

  static Response json(String text) {
    return Response.ok(Body.of(text, MediaType.APPLICATION_JSON));
  }

  static Response notAllowed(String methods) {
    return problem(Status.METHOD_NOT_ALLOWED, "use " + methods).toBuilder()
        .header(HeaderName.of("Allow"), methods)
        .build();
  }

  static Response problem(Status status, String message) {
    return Response.builder(status).body(Body.of(message + "\n")).build();
  }
}
