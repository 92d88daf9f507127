package heddle.web.filter;

import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.MediaType;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.spi.Handler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/**
 * Tells load balancers and orchestrators whether this process is alive and whether it should get
 * requests, as JSON. Thread-safe.
 *
 * <pre>{@code
 * Health health = Health.builder()
 *     .ready(() -> started && !draining)
 *     .check("database", () -> pool.query("SELECT 1"))
 *     .build();
 * Handler live = health.liveness();   // for a path such as /livez
 * Handler ready = health.readiness(); // for a path such as /readyz
 * }</pre>
 *
 * <p>Liveness is always 200 with {@code {"status":"UP"}}: a process that cannot answer that has to
 * be started again. Readiness is
 *
 * <ul>
 *   <li>503 with {@code {"status":"OUT_OF_SERVICE"}} while {@link Builder#ready} is false; checks
 *       are not run then
 *   <li>503 with {@code "status":"DOWN"} if a check fails or takes too long
 *   <li>200 with {@code "status":"UP"} otherwise
 * </ul>
 *
 * with the member {@code checks}, which has for each check its {@code status}, how long it took
 * ({@code millis}), and if it is down, {@code error}: {@code failed} or {@code timeout}. What it
 * has thrown is not shown, because anyone may ask; the log has it, when the check goes down.
 *
 * <p>Checks run at the same time, each on a virtual thread, and each at most once at a time:
 * requests that arrive meanwhile share its result, so that they cannot multiply the load on what is
 * checked.
 */
public final class Health {
  private static final Response LIVE = response(Status.OK, "{\"status\":\"UP\"}");

  private final BooleanSupplier ready;
  private final List<HealthCheck> checks;

  private Health(Builder builder) {
    ready = builder.ready;
    List<HealthCheck> all = new ArrayList<>();
    builder.checks.forEach(
        (name, check) -> all.add(new HealthCheck(name, check, builder.timeLimit)));
    checks = List.copyOf(all);
  }

  /** Finds out whether something works that requests need. */
  @FunctionalInterface
  public interface Check {
    /**
     * Returns if it works. May block; it is interrupted at the time limit.
     *
     * @throws Exception if it does not work
     */
    void run() throws Exception;
  }

  /** A builder without checks, which is always ready. */
  public static Builder builder() {
    return new Builder();
  }

  /** The settings of a {@link Health}. Not thread-safe. */
  public static final class Builder {
    private final Map<String, Check> checks = new LinkedHashMap<>();
    private BooleanSupplier ready = () -> true;
    private Duration timeLimit = Duration.ofSeconds(5);

    private Builder() {}

    /**
     * Whether the process wants requests: false until it has started, and again when its server is
     * about to close. Asked for each request, so it must not block.
     */
    public Builder ready(BooleanSupplier supplier) {
      ready = Objects.requireNonNull(supplier, "ready");
      return this;
    }

    /**
     * Adds a check.
     *
     * @param name its member in the response
     * @throws IllegalArgumentException if there is one with this name
     */
    public Builder check(String name, Check check) {
      Objects.requireNonNull(check, "check");
      if (checks.putIfAbsent(Objects.requireNonNull(name, "name"), check) != null) {
        throw new IllegalArgumentException("there is a check called " + name + " already");
      }
      return this;
    }

    /** How long each check may take: 5 s by default. Give less than the time limit of the probe. */
    public Builder timeLimit(Duration limit) {
      if (!limit.isPositive()) {
        throw new IllegalArgumentException("timeLimit must be positive, but was " + limit);
      }
      timeLimit = limit;
      return this;
    }

    /** Builds it. */
    public Health build() {
      return new Health(this);
    }
  }

  /** Answers 200. */
  public Handler liveness() {
    return request -> LIVE;
  }

  /** Answers 200 if this process should get requests, else 503. */
  public Handler readiness() {
    return request -> probe();
  }

  private Response probe() throws InterruptedException {
    if (!ready.getAsBoolean()) {
      return response(Status.SERVICE_UNAVAILABLE, "{\"status\":\"OUT_OF_SERVICE\"}");
    }
    List<HealthCheck.Run> runs = checks.stream().map(HealthCheck::start).toList();
    StringBuilder members = new StringBuilder();
    boolean up = true;
    for (HealthCheck.Run run : runs) {
      HealthCheck.Result result = run.await();
      up &= result.isUp();
      members.append(members.isEmpty() ? "" : ",");
      Escapes.json(members, run.name());
      members.append(":{\"status\":\"").append(result.isUp() ? "UP" : "DOWN");
      members.append("\",\"millis\":").append(result.elapsed().toMillis());
      if (!result.isUp()) {
        members.append(",\"error\":\"").append(result.error()).append('"');
      }
      members.append('}');
    }
    String status = up ? "UP" : "DOWN";
    return response(
        up ? Status.OK : Status.SERVICE_UNAVAILABLE,
        "{\"status\":\"" + status + "\",\"checks\":{" + members + "}}");
  }

  private static Response response(Status status, String json) {
    return Response.builder(status)
        .header(HeaderName.CACHE_CONTROL, "no-store")
        .body(Body.of(json, MediaType.APPLICATION_JSON))
        .build();
  }
}
