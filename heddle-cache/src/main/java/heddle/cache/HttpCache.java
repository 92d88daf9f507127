package heddle.cache;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import heddle.cache.CacheStatus.Forward;
import heddle.client.spi.Interceptor;
import heddle.http.Body;
import heddle.http.FailurePoint;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.HttpException;
import heddle.http.HttpVersion;
import heddle.http.MalformedUrlException;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Sent;
import heddle.http.Status;
import heddle.http.Trailers;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A private cache (RFC 9111): answers GET and HEAD from stored responses as long as these are
 * fresh, and asks the server whether they are still valid when they are not. Add it after other
 * interceptors, so that it sees what they change; thread-safe.
 *
 * <pre>{@code
 * HttpCache cache = HttpCache.inMemory(64 << 20);
 * HttpClient client = HttpClient.builder().interceptor(cache).build();
 * }</pre>
 *
 * <p>Responses say in Cache-Status (RFC 9211) what the cache did: {@code heddle; hit; ttl=59} if
 * the server was not asked, {@code heddle; fwd=stale; fwd-status=304} if it said that the stored
 * response is still valid, {@code heddle; fwd=uri-miss; stored} if the response is its own and is
 * stored while it is read. A response that is not read to its end is not stored.
 *
 * <p>What is stored for a request with Authorization or Cookie is used only for requests with the
 * same, unless the response is {@code public}. Credentials that steps of the client add after the
 * cache (its cookie store, its authenticators) are the same user's for the cache: {@link #clear} it
 * when the user changes.
 */
public final class HttpCache implements Interceptor, AutoCloseable {
  private static final long DEFAULT_MAX_RESPONSE_BYTES = 16L << 20;

  private final CacheContext context;
  private final Counters counters = new Counters();
  private final Revalidations revalidations = new Revalidations();

  private HttpCache(Builder builder) {
    context = new CacheContext(
        new FailSafeStore(builder.store, counters),
        new CachePolicy(builder.maxHeuristic.toSeconds(), builder.staleIfError.toSeconds()),
        builder.wallClock,
        builder.maxResponseBytes,
        counters);
  }

  /**
   * A cache in memory, with the defaults.
   *
   * @param maxBytes of heap, about, for all responses
   * @throws IllegalArgumentException if it is less than 1
   */
  public static HttpCache inMemory(long maxBytes) {
    return builder(CacheStore.inMemory(maxBytes)).build();
  }

  /** A builder of a cache with this store. */
  public static Builder builder(CacheStore store) {
    return new Builder(store);
  }

  /** Collects the settings of a cache. Not safe for use by several threads. */
  public static final class Builder {
    private final CacheStore store;
    private long maxResponseBytes;
    private Duration maxHeuristic = Duration.ofDays(1);
    private Duration staleIfError = Duration.ZERO;
    private InstantSource wallClock = InstantSource.system();

    private Builder(CacheStore store) {
      this.store = Objects.requireNonNull(store, "store");
      maxResponseBytes = Math.min(DEFAULT_MAX_RESPONSE_BYTES, store.maxBytes());
    }

    /**
     * The most content of a response that is stored; by default 16 MiB, or all of a smaller store.
     *
     * @param bytes at least 1, at most what the store takes
     * @throws IllegalArgumentException if it is out of this range
     */
    public Builder maxResponseBytes(long bytes) {
      if (bytes < 1 || bytes > store.maxBytes()) {
        throw new IllegalArgumentException("maxResponseBytes must be 1 to " + store.maxBytes()
            + ", what the store takes, but was " + bytes);
      }
      maxResponseBytes = bytes;
      return this;
    }

    /**
     * How long a response counts as fresh that does not say it: a tenth of the time since it was
     * last changed (RFC 9111 section 4.2.2), and this at most; a day by default.
     *
     * @param most zero if such responses are to be validated each time
     * @throws IllegalArgumentException if it is negative
     */
    public Builder maxHeuristicFreshness(Duration most) {
      maxHeuristic = requireNotNegative("maxHeuristicFreshness", most);
      return this;
    }

    /**
     * How long a stale response is used if the server cannot be reached or answers 500, 502, 503 or
     * 504, although neither it nor the request has {@code stale-if-error} (RFC 5861); zero, the
     * default, for not at all. A response with must-revalidate or no-cache never is.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Builder staleIfError(Duration time) {
      staleIfError = requireNotNegative("staleIfError", time);
      return this;
    }

    private static Duration requireNotNegative(String name, Duration time) {
      if (time.isNegative()) {
        throw new IllegalArgumentException(name + " must not be negative, but was " + time);
      }
      return time;
    }

    /** The clock by which responses age; the system's by default. */
    public Builder wallClock(InstantSource source) {
      wallClock = Objects.requireNonNull(source, "source");
      return this;
    }

    /** The cache. */
    public HttpCache build() {
      return new HttpCache(this);
    }
  }

  /** Answers a request from the store, or asks the server. */
  @Override
  public Response intercept(Request request, Chain chain) throws IOException {
    if (!request.method().isSafe()) {
      return invalidating(request, chain);
    }
    if (!Lookup.isPossible(request)) {
      return passed(request, chain);
    }
    Lookup asked = Lookup.of(request);
    List<CachedResponse> stored = context.store().find(asked.key());
    CachedResponse chosen = choose(stored, asked);
    if (chosen != null) {
      Response hit = hit(asked, stored, chosen, chain);
      if (hit != null) {
        return hit;
      }
    }
    if (asked.control().onlyIfCached()) {
      return notCached(request);
    }
    Forward why = why(stored, chosen);
    return new CacheExchange(context, asked, stored, chosen, why, chain::proceed).forward();
  }

  /** A safe request that only the server can answer. */
  private static Response passed(Request request, Chain chain) throws IOException {
    if (CacheControl.ofRequest(request.headers()).onlyIfCached()) {
      return notCached(request);
    }
    boolean known = request.method() == Method.GET || request.method() == Method.HEAD;
    return CacheStatus.on(
        chain.proceed(request), CacheStatus.forwarded(known ? Forward.BYPASS : Forward.METHOD));
  }

  /** Section 5.2.1.7. */
  private static Response notCached(Request request) {
    return Response.received(
        request,
        Status.GATEWAY_TIMEOUT,
        HttpVersion.HTTP_1_1,
        Headers.builder().add(CacheStatus.NAME, CacheStatus.notCached()).build(),
        Body.empty(),
        Trailers.none());
  }

  /** The most recent of those that the request selects: section 4. */
  private static @Nullable CachedResponse choose(List<CachedResponse> stored, Lookup asked) {
    CachedResponse chosen = null;
    for (CachedResponse each : stored) {
      if (each.variant().matches(asked)
          && (chosen == null || each.receivedAt() > chosen.receivedAt())) {
        chosen = each;
      }
    }
    return chosen;
  }

  private Forward why(List<CachedResponse> stored, @Nullable CachedResponse chosen) {
    if (chosen == null) {
      return stored.isEmpty() ? Forward.URI_MISS : Forward.VARY_MISS;
    }
    boolean fresh = chosen
        .freshness(context.clock().millis(), context.policy().mostHeuristic())
        .isFresh();
    return fresh && !chosen.control().noCache() ? Forward.REQUEST : Forward.STALE;
  }

  /** The answer of the store; null if the server must be asked. */
  private @Nullable Response hit(
      Lookup asked, List<CachedResponse> stored, CachedResponse chosen, Chain chain)
      throws IOException {
    long now = context.clock().millis();
    CachePolicy.Use use = context.policy().use(asked.control(), chosen, now);
    if (use == CachePolicy.Use.AFTER_VALIDATION) {
      return null;
    }
    Freshness freshness = chosen.freshness(now, context.policy().mostHeuristic());
    String status = CacheStatus.hit(freshness.remaining());
    Response hit = CacheExchange.answer(context, asked, chosen, status, freshness.age());
    if (hit == null) {
      return null;
    }
    counters.hits.increment();
    if (use == CachePolicy.Use.WHILE_REVALIDATING && !asked.control().onlyIfCached()) {
      revalidations.start(asked.key(), () -> revalidate(asked, stored, chosen, chain));
    }
    return hit;
  }

  /** Has the server validate or replace a response, in a call that no caller waits for. */
  private void revalidate(
      Lookup asked, List<CachedResponse> stored, CachedResponse chosen, Chain chain)
      throws IOException {
    try (Response response = new CacheExchange(
            context, asked, stored, chosen, Forward.STALE, chain::callSeparately)
        .forward()) {
      if (response.body() instanceof TeeBody arriving) {
        arriving.transferTo(OutputStream.nullOutputStream());
      }
    }
  }

  // ---- invalidation: section 4.4

  private Response invalidating(Request request, Chain chain) throws IOException {
    Response response;
    try {
      response = chain.proceed(request);
    } catch (IOException e) {
      if (isPerhapsSent(e)) {
        invalidate(request); // The server may have changed the resource before the call failed.
      }
      throw e;
    }
    boolean done = false;
    try {
      for (Response each : response.earlier()) {
        invalidate(each, each.request());
      }
      invalidate(response, response.request());
      if (isSuccessful(response)) {
        invalidate(request);
      }
      done = true;
    } finally {
      if (!done) {
        response.close();
      }
    }
    return CacheStatus.on(response, CacheStatus.forwarded(Forward.METHOD));
  }

  private static boolean isPerhapsSent(IOException e) {
    FailurePoint at = e instanceof HttpException failure ? failure.at() : null;
    return at == null || at.sent() != Sent.NO;
  }

  private static boolean isSuccessful(Response response) {
    return response.status().isSuccess() || response.status().isRedirect();
  }

  private void invalidate(Response response, @Nullable Request sent) throws InterruptedIOException {
    if (sent == null || sent.method().isSafe() || !isSuccessful(response)) {
      return;
    }
    invalidate(sent);
    for (HeaderName name : List.of(HeaderName.LOCATION, HeaderName.CONTENT_LOCATION)) {
      String reference = response.headers().first(name);
      Request named = reference == null ? null : resolve(sent, reference);
      // No server decides about the resources of another.
      if (named != null && named.origin().equals(sent.origin())) {
        invalidate(named);
      }
    }
  }

  private void invalidate(Request request) throws InterruptedIOException {
    context.store().invalidate(Lookup.key(request));
  }

  private static @Nullable Request resolve(Request base, String reference) {
    try {
      // Octets beyond ASCII are UTF-8, as in redirects that are followed.
      String decoded = new String(reference.getBytes(ISO_8859_1), UTF_8);
      return Request.builder()
          .url(base.origin().scheme() + "://" + base.origin().authority() + base.path())
          .resolve(decoded)
          .build();
    } catch (MalformedUrlException | IllegalArgumentException e) {
      return null; // It names no resource that could be stored.
    }
  }

  /**
   * Removes what is stored of a URL, with its exact query.
   *
   * @throws MalformedUrlException if it is no absolute http or https URL
   * @throws IOException if the thread is interrupted
   */
  public void invalidate(String url) throws IOException {
    invalidate(Request.get(url));
  }

  /**
   * Removes all that is stored, as when another user begins. Responses that are arriving may be
   * stored after that.
   *
   * @throws IOException if the store fails
   */
  public void clear() throws IOException {
    context.store().unguarded().clear();
  }

  /** What the cache has done so far, and what its store holds. */
  public CacheStatistics statistics() {
    CacheStore store = context.store().unguarded();
    return new CacheStatistics(
        counters.hits.sum(),
        counters.validated.sum(),
        counters.misses.sum(),
        counters.stored.sum(),
        counters.failures.sum(),
        store.evicted(),
        store.bytes());
  }

  /**
   * Closes the store. Calls of clients that use the cache go on without it. Idempotent.
   *
   * @throws IOException if the store fails
   */
  @Override
  public void close() throws IOException {
    context.store().unguarded().close();
  }
}
