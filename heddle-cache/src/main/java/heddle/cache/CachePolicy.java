package heddle.cache;

import static heddle.cache.CacheControl.NONE;

import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Status;
import java.util.Set;

/**
 * What a private cache may store, and when it may use that (RFC 9111 sections 3 and 4.2). Pure.
 *
 * @param mostHeuristic the longest lifetime of a response that does not say its own, in seconds
 * @param staleIfError how long after that a response is used if there is an error, in seconds,
 *     although neither response nor request say so
 */
record CachePolicy(long mostHeuristic, long staleIfError) {
  /** RFC 9110 section 15.1, without 206: parts are not stored. */
  private static final Set<Integer> HEURISTICALLY_CACHEABLE =
      Set.of(200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501);

  /** Statuses whose requirements for caches this one implements, for must-understand. */
  private static final Set<Integer> UNDERSTOOD = Set.of(
      200, 201, 202, 203, 204, 205, 300, 301, 302, 303, 307, 308, 400, 401, 402, 403, 404, 405, 406,
      408, 409, 410, 411, 413, 414, 415, 417, 421, 422, 426, 500, 501, 502, 503, 504, 505);

  /** The errors of RFC 5861 section 4. */
  private static final Set<Integer> ERRORS = Set.of(500, 502, 503, 504);

  /** What is to be done with a stored response that a request selects. */
  enum Use {
    /** It is the answer. */
    AT_ONCE,
    /** It is the answer, and is validated for the next request. */
    WHILE_REVALIDATING,
    /** It may become the answer once the server has said that it is still valid. */
    AFTER_VALIDATION
  }

  static boolean isHeuristicallyCacheable(Status status) {
    return HEURISTICALLY_CACHEABLE.contains(status.code());
  }

  /** Whether a stored response may be used instead of a response with this status: RFC 5861. */
  static boolean isError(Status status) {
    return ERRORS.contains(status.code());
  }

  /**
   * Whether the response to a GET may be stored, and will be of use: section 3.
   *
   * @param asked directives of the request
   * @param stored with the fields that would be stored
   */
  boolean mayStore(CacheControl asked, CachedResponse stored) {
    CacheControl control = stored.control();
    Headers headers = stored.headers();
    int code = stored.status().code();
    boolean forbidden =
        control.mustUnderstand() ? !UNDERSTOOD.contains(code) : control.noStore(); // §5.2.2.3
    if (asked.noStore() || forbidden || code == 206 || code == 304 || code < 200) {
      return false;
    }
    boolean explicit = control.maxAge() != NONE
        || control.isPublic()
        || control.isPrivate()
        || headers.contains(HeaderName.EXPIRES);
    if (!explicit && !isHeuristicallyCacheable(stored.status())) {
      return false;
    }
    return stored.etag() != null
        || stored.lastModified() != null
        || stored.freshness(stored.receivedAt(), mostHeuristic).isFresh()
        || control.staleWhileRevalidate() > 0
        || control.staleIfError() > 0
        || staleIfError > 0;
  }

  /** Whether a response may be used for a request that selects it: section 4. */
  Use use(CacheControl asked, CachedResponse stored, long now) {
    CacheControl control = stored.control();
    if (asked.noCache() || control.noCache()) {
      return Use.AFTER_VALIDATION;
    }
    Freshness natural = stored.freshness(now, mostHeuristic);
    // RFC 8246 section 2: what is immutable need not be reloaded as long as it is fresh.
    boolean limited = asked.maxAge() != NONE && !(control.immutable() && natural.isFresh());
    Freshness freshness = limited ? natural.within(asked.maxAge()) : natural;
    boolean freshEnough = asked.minFresh() == NONE || freshness.remaining() >= asked.minFresh();
    if (!freshEnough) {
      return Use.AFTER_VALIDATION;
    }
    if (freshness.isFresh()) {
      return Use.AT_ONCE;
    }
    if (control.mustRevalidate() && !natural.isFresh()) {
      return Use.AFTER_VALIDATION;
    }
    long staleFor = -freshness.remaining();
    if (asked.maxStale() != NONE && staleFor <= asked.maxStale()) {
      return Use.AT_ONCE;
    }
    return !limited && staleFor <= control.staleWhileRevalidate()
        ? Use.WHILE_REVALIDATING
        : Use.AFTER_VALIDATION;
  }

  /** Whether a response may be used because its validation has failed: RFC 5861 section 4. */
  boolean mayUseOnError(CacheControl asked, CachedResponse stored, long now) {
    CacheControl control = stored.control();
    if (asked.noCache() || control.noCache() || control.mustRevalidate()) {
      return false;
    }
    long most = Math.max(staleIfError, Math.max(asked.staleIfError(), control.staleIfError()));
    return most > 0 && -stored.freshness(now, mostHeuristic).remaining() <= most;
  }
}
