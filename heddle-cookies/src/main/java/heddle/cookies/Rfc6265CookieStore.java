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
 * Keeps cookies in memory as browsers do: draft-ietf-httpbis-rfc6265bis, the successor of RFC 6265,
 * with the public suffix list. https alone counts as secure. Safe for use by many threads, and by
 * several clients.
 *
 * <pre>{@code
 * HttpClient client = HttpClient.builder().cookies(Rfc6265CookieStore.create()).build();
 * }</pre>
 */
public final class Rfc6265CookieStore implements CookieStore {
  private static final String SECURE_PREFIX = "__secure-";
  private static final String HOST_PREFIX = "__host-";

  private final PublicSuffixes suffixes;
  private final InstantSource wallClock;
  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by {@link #lock}. */
  private final CookieShelf shelf;

  private Rfc6265CookieStore(Builder builder) {
    suffixes = builder.suffixes == null ? PublicSuffixes.bundled() : builder.suffixes;
    wallClock = builder.wallClock;
    shelf = new CookieShelf(builder.limits);
  }

  /** An empty store with the defaults. */
  public static Rfc6265CookieStore create() {
    return builder().build();
  }

  public static Builder builder() {
    return new Builder();
  }

  /** What a store is made with. Not safe for use by several threads. */
  public static final class Builder {
    private CookieLimits limits = CookieLimits.DEFAULTS;
    private @Nullable PublicSuffixes suffixes;
    private InstantSource wallClock = InstantSource.system();

    private Builder() {}

    /** How many cookies are kept. */
    public Builder limits(CookieLimits newLimits) {
      limits = newLimits;
      return this;
    }

    /** Where nobody may set cookies for all; the list of this module by default. */
    public Builder publicSuffixes(PublicSuffixes list) {
      suffixes = list;
      return this;
    }

    /** Tells the time of day, by which cookies expire; the system's by default. */
    public Builder wallClock(InstantSource source) {
      wallClock = source;
      return this;
    }

    public Rfc6265CookieStore build() {
      return new Rfc6265CookieStore(this);
    }
  }

  /** The cookies for a request (section 5.8.3). */
  @Override
  public String load(Request request) {
    String host = Matching.host(request);
    String path = Matching.path(request);
    boolean secure = request.origin().isSecure();
    return locked(() -> shelf.take(
            suffixes.site(host),
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

  /** Keeps what may be kept of these cookies (sections 5.6 and 5.7), and ignores the others. */
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

  /** What a line makes in answer to a request; null where that is not allowed (section 5.7). */
  private @Nullable Cookie cookie(SetCookie set, Request request, Instant now) {
    String host = Matching.host(request);
    String domain = set.domain();
    if (domain.chars().anyMatch(c -> c > 0x7F)) {
      return null;
    }
    if (!domain.isEmpty() && suffixes.isPublicSuffix(domain)) {
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

  /** Whether a cookie keeps what its name promises (section 5.7 steps 20 to 22). */
  private static boolean keepsPrefix(SetCookie set, boolean hostOnly, String path) {
    String name = set.name().toLowerCase(Locale.ROOT);
    if (name.isEmpty()) {
      // It is sent as its value alone, which must not look like the name of such a cookie.
      String value = set.value().toLowerCase(Locale.ROOT);
      return !value.startsWith(SECURE_PREFIX) && !value.startsWith(HOST_PREFIX);
    }
    if (name.startsWith(HOST_PREFIX)) {
      return set.secure() && hostOnly && set.pathGiven() && path.equals("/");
    }
    return !name.startsWith(SECURE_PREFIX) || set.secure();
  }

  private void put(Cookie cookie, boolean secureOrigin, Instant now) {
    String site = suffixes.site(cookie.domain());
    locked(() -> {
      if (cookie.secure() || secureOrigin || !shelf.has(site, old -> hides(cookie, old), now)) {
        shelf.put(cookie, site, now);
      }
      return null;
    });
  }

  /** Whether a cookie that came in cleartext would stand in a secure one's way (step 16). */
  private static boolean hides(Cookie added, Cookie old) {
    return old.secure()
        && old.name().equals(added.name())
        && (Matching.domainMatches(old.domain(), added.domain())
            || Matching.domainMatches(added.domain(), old.domain()))
        && Matching.pathMatches(added.path(), old.path());
  }

  /**
   * All cookies that have not expired, those of the session included, the oldest first: for whoever
   * wants to keep them longer than this store lives.
   */
  public List<Cookie> snapshot() {
    return locked(() -> shelf.all(wallClock.instant()));
  }

  /**
   * Adds cookies of a {@linkplain #snapshot snapshot}, in their order. Those that have expired, or
   * whose domain has become a public suffix, are left out; none lives longer than 400 days from
   * now.
   */
  public void restore(Collection<Cookie> cookies) {
    Instant now = wallClock.instant();
    Instant latest = now.plus(SetCookie.MAX_AGE);
    for (Cookie cookie : cookies) {
      if (cookie.hostOnly() || !suffixes.isPublicSuffix(cookie.domain())) {
        Instant expires = cookie.expires();
        Cookie capped = expires != null && expires.isAfter(latest)
            ? cookie.at(latest, cookie.created(), cookie.lastAccess())
            : cookie;
        locked(() -> {
          shelf.put(capped, suffixes.site(capped.domain()), now);
          return null;
        });
      }
    }
  }

  /** Forgets all cookies. */
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
