package heddle.cache;

import heddle.client.spi.Interceptor;
import heddle.http.Body;
import heddle.http.Headers;
import heddle.http.HttpDate;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A cache with a caller, a server, and a clock that the test controls. */
final class CacheScene implements Interceptor.Chain {
  static final String URL = "http://example.com/a";
  static final Instant START = Instant.parse("2026-01-02T03:04:05Z");

  private static final Pattern TIME = Pattern.compile("[{]([+-]?[0-9]+)[}]");

  /** What the server does with a request. */
  interface Server {
    Response answer(Request request) throws IOException;
  }

  final HttpCache cache;
  final List<Request> received = new CopyOnWriteArrayList<>();
  volatile Server server;

  private final AtomicReference<Instant> now = new AtomicReference<>(START);

  CacheScene() {
    this(CacheStore.inMemory(1 << 20), settings -> settings);
  }

  CacheScene(CacheStore store, UnaryOperator<HttpCache.Builder> settings) {
    InstantSource clock = now::get;
    cache = settings.apply(HttpCache.builder(store).wallClock(clock)).build();
    server = request -> response(404, "Cache-Control: no-store", "nothing was prepared");
  }

  void pass(long seconds) {
    now.updateAndGet(time -> time.plusSeconds(seconds));
  }

  /** Answers 304 to conditions, and else with this. */
  void serve(int status, String fields, String content) {
    server = request ->
        isConditional(request) ? response(304, fields, "") : response(status, fields, content);
  }

  static boolean isConditional(Request request) {
    return request.headers().contains("If-None-Match")
        || request.headers().contains("If-Modified-Since");
  }

  /**
   * @param fields with semicolons between; CC stands for Cache-Control, and {@code {-60}} for the
   *     date a minute before START
   */
  static Response response(int status, String fields, String content) {
    return Response.ok(content).toBuilder()
        .status(Status.of(status))
        .headers(headers(fields))
        .build();
  }

  static Headers headers(String fields) {
    Headers.Builder headers = Headers.builder();
    for (String line : fields.split(";", -1)) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        Matcher time = TIME.matcher(line.substring(colon + 1).strip());
        String name = line.substring(0, colon).strip();
        headers.add(
            name.equals("CC") ? "Cache-Control" : name,
            time.replaceAll(
                found -> HttpDate.format(START.plusSeconds(Long.parseLong(found.group(1))))));
      }
    }
    return headers.build();
  }

  Response send(Method method, String url, String fields) throws IOException {
    Request request =
        Request.builder(url).method(method).headers(headers(fields)).build();
    return cache.intercept(request, this);
  }

  /** Sends a GET and reads the response. */
  Response get(String fields) throws IOException {
    Response response = send(Method.GET, URL, fields);
    String content = response.string();
    return response.withBody(Body.of(content));
  }

  @Override
  public Response proceed(Request request) throws IOException {
    received.add(request);
    return server.answer(request).toBuilder().request(request).build();
  }

  @Override
  public Response callSeparately(Request request) throws IOException {
    return proceed(request);
  }

  Request last() {
    return received.getLast();
  }

  /** What the cache says that it did: hit, validated, 504 or miss. */
  static String outcome(Response response) {
    String status = String.valueOf(response.headers().all("Cache-Status"));
    if (status.contains("heddle; hit")) {
      return "hit";
    }
    if (status.contains("fwd-status=304")) {
      return "validated";
    }
    return status.contains("only-if-cached") ? "504" : "miss";
  }
}
