package heddle.cookies;

import heddle.client.spi.CookieStore;
import heddle.http.Request;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Keeps cookies in memory as browsers do: by draft-ietf-httpbis-rfc6265bis, the successor of RFC
 * 6265, with the public suffix list. Only https counts as secure. Thread-safe; several clients may
 * share it.
 *
 * <pre>{@code
 * HttpClient client = HttpClient.builder().cookies(Rfc6265CookieStore.create()).build();
 * }</pre>
 */
public final class Rfc6265CookieStore implements CookieStore {
  private static final String SECURE_PREFIX = "__secure-";
  private static final String HOST_PREFIX = "__host-";

  /** Null for the list of this module, which is read with the first cookie. */
  private final @Nullable PublicSuffixes suffixes;

  private final InstantSource wallClock;
  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by {@link #lock}. */
  private final CookieShelf shelf;

  private Rfc6265CookieStore(Builder builder) {
    suffixes = builder.suffixes;
    wallClock = builder.wallClock;
    shelf = new CookieShelf(builder.limits);
  }

  private PublicSuffixes suffixes() {
    return suffixes == null ? PublicSuffixes.bundled() : suffixes;
  }

  /** Returns an empty store with the defaults. */
  public static Rfc6265CookieStore create() {
    return builder().build();
  }

  /** A builder with the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** Builds a store. Not thread-safe. */
  public static final class Builder {
    private CookieLimits limits = CookieLimits.DEFAULTS;
    private @Nullable PublicSuffixes suffixes;
    private InstantSource wallClock = InstantSource.system();

    private Builder() {}

    /** Sets how many cookies are kept. */
    public Builder limits(CookieLimits newLimits) {
      limits = newLimits;
      return this;
    }

    /** Sets the domains for which no cookies may be set. The default is the list of this module. */
    public Builder publicSuffixes(PublicSuffixes list) {
      suffixes = list;
      return this;
    }

    /** Sets the clock by which cookies expire. The default is the system's. */
    public Builder wallClock(InstantSource source) {
      wallClock = source;
      return this;
    }

    /** Builds the store. */
    public Rfc6265CookieStore build() {
      return new Rfc6265CookieStore(this);
    }
  }

  /** Returns the cookies for a request (section 5.8.3). */
  @Override
  public String load(Request request) {
    String host = Matching.host(request);
    String path = Matching.path(request);
    boolean secure = request.origin().isSecure();
    return locked(() -> shelf.isEmpty()
            ? List.<Cookie>of()
            : shelf.take(
                suffixes().site(host),
                cookie -> (cookie.hostOnly()
                        ? host.equals(cookie.domain())
                        : Matching.domainMatches(host, cookie.domain()))
                    && Matching.pathMatches(path, cookie.path())
                    && (secure || !cookie.secure()),
                wallClock.instant()))
        .stream()
        .map(cookie ->
            cookie.name().isEmpty() ? cookie.value() : cookie.name() + "=" + cookie.value())
        .collect(Collectors.joining("; "));
  }

  /** Stores the valid ones of these cookies (sections 5.6 and 5.7), and ignores the others. */
  @Override
  public void save(Request request, List<String> setCookies) {
    for (String line : setCookies) {
      Instant now = wallClock.instant();
      SetCookie set = SetCookie.parse(line, now);
      Cookie cookie = set == null ? null : cookie(set, request, now);
      if (cookie != null) {
        put(cookie, request.origin().isSecure(), now);
      }
    }
  }

  /** Returns the cookie that a response sets; null if that is not allowed (section 5.7). */
  private @Nullable Cookie cookie(SetCookie set, Request request, Instant now) {
    String host = Matching.host(request);
    String domain = set.domain();
    if (domain.chars().anyMatch(c -> c > 0x7F)) {
      return null;
    }
    if (!domain.isEmpty() && suffixes().isPublicSuffix(domain)) {
      if (!domain.equals(host)) {
        return null;
      }
      domain = "";
    }
    boolean hostOnly = domain.isEmpty();
    if (!hostOnly && !Matching.domainMatches(host, domain)) {
      return null;
    }
    String path = set.path() == null ? Matching.defaultPath(Matching.path(request)) : set.path();
    boolean insecure = set.secure() && !request.origin().isSecure();
    boolean everywhere = set.sameSite() == Cookie.SameSite.NONE && !set.secure();
    if (insecure || everywhere || !keepsPrefix(set, hostOnly, path)) {
      return null;
    }
    return new Cookie(
        set.name(),
        set.value(),
        hostOnly ? host : domain,
        hostOnly,
        path,
        set.secure(),
        set.httpOnly(),
        set.sameSite(),
        set.expires(),
        now,
        now);
  }

  /** Whether a cookie fulfils the prefix of its name (section 5.7 steps 20 to 22). */
  private static boolean keepsPrefix(SetCookie set, boolean hostOnly, String path) {
    String name = set.name().toLowerCase(Locale.ROOT);
    if (name.isEmpty()) {
      // Only its value is sent, which must not look like such a name.
      String value = set.value().toLowerCase(Locale.ROOT);
      return !value.startsWith(SECURE_PREFIX) && !value.startsWith(HOST_PREFIX);
    }
    if (name.startsWith(HOST_PREFIX)) {
      return set.secure() && hostOnly && set.pathGiven() && path.equals("/");
    }
    return !name.startsWith(SECURE_PREFIX) || set.secure();
  }

  private void put(Cookie cookie, boolean secureOrigin, Instant now) {
    String site = suffixes().site(cookie.domain());
    locked(() -> {
      if (cookie.secure() || secureOrigin || !shelf.has(site, old -> hides(cookie, old), now)) {
        shelf.put(cookie, site, now);
      }
      return null;
    });
  }

  /** Whether a cookie set in cleartext would hide a secure one (step 16). */
  private static boolean hides(Cookie added, Cookie old) {
    return old.secure()
        && old.name().equals(added.name())
        && (Matching.domainMatches(old.domain(), added.domain())
            || Matching.domainMatches(added.domain(), old.domain()))
        && Matching.pathMatches(added.path(), old.path());
  }

  /**
   * Returns all cookies that have not expired, including session cookies, the oldest first, to be
   * kept longer than this store.
   */
  public List<Cookie> snapshot() {
    return locked(() -> shelf.all(wallClock.instant()));
  }

  /**
   * Adds cookies of a {@linkplain #snapshot snapshot}, in their order. Cookies that have expired,
   * or whose domain has become a public suffix, are ignored. None lives longer than 400 days from
   * now.
   */
  public void restore(Collection<Cookie> cookies) {
    Instant now = wallClock.instant();
    Instant latest = now.plus(SetCookie.MAX_AGE);
    for (Cookie cookie : cookies) {
      if (cookie.hostOnly() || !suffixes().isPublicSuffix(cookie.domain())) {
        Instant expires = cookie.expires();
        Cookie capped = expires != null && expires.isAfter(latest)
            ? cookie.at(latest, cookie.created(), cookie.lastAccess())
            : cookie;
        locked(() -> {
          shelf.put(capped, suffixes().site(capped.domain()), now);
          return null;
        });
      }
    }
  }

  /** Removes all cookies. */
  public void clear() {
    locked(() -> {
      shelf.clear();
      return null;
    });
  }

  private <T extends @Nullable Object> T locked(java.util.function.Supplier<T> work) {
    lock.lock();
    try {
      return work.get();
    } finally {
      lock.unlock();
    }
  }
}
