package heddle.cache;

import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.syntax.DeltaSeconds;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The directives of Cache-Control that a private cache follows (RFC 9111 section 5.2, RFC 5861, RFC
 * 8246), of a request or a response. Times are in seconds, {@link #NONE} if the directive is
 * missing.
 *
 * @param noCache also if it names fields, for which it need not be followed: section 5.2.2.4
 */
record CacheControl(
    boolean noCache,
    boolean noStore,
    boolean mustRevalidate,
    boolean mustUnderstand,
    boolean isPublic,
    boolean isPrivate,
    boolean immutable,
    boolean onlyIfCached,
    long maxAge,
    long maxStale,
    long minFresh,
    long staleWhileRevalidate,
    long staleIfError) {
  /** The time of a directive that is missing. */
  static final long NONE = -1;

  private static final CacheControl EMPTY = new Parser().result();

  /** The directives of a response; what cannot be understood is ignored. */
  static CacheControl ofResponse(Headers headers) {
    int i = headers.indexOf(HeaderName.CACHE_CONTROL, 0);
    if (i < 0) {
      return EMPTY;
    }
    Parser parser = new Parser();
    for (; i >= 0; i = headers.indexOf(HeaderName.CACHE_CONTROL, i + 1)) {
      parser.read(headers.value(i));
    }
    return parser.result();
  }

  /** The directives of a request, where Pragma may say no-cache too (section 5.4). */
  static CacheControl ofRequest(Headers headers) {
    if (headers.contains(HeaderName.PRAGMA)
        && !headers.contains(HeaderName.CACHE_CONTROL)
        && headers.containsToken(HeaderName.PRAGMA, "no-cache")) {
      Parser parser = new Parser();
      parser.read("no-cache");
      return parser.result();
    }
    return ofResponse(headers);
  }

  /** Reads lists of directives. Of a directive that is repeated the first counts: section 4.2.1. */
  private static final class Parser {
    private boolean noCache;
    private boolean noStore;
    private boolean mustRevalidate;
    private boolean mustUnderstand;
    private boolean isPublic;
    private boolean isPrivate;
    private boolean immutable;
    private boolean onlyIfCached;
    private long maxAge = NONE;
    private long maxStale = NONE;
    private long minFresh = NONE;
    private long staleWhileRevalidate = NONE;
    private long staleIfError = NONE;

    private CacheControl result() {
      return new CacheControl(
          noCache,
          noStore,
          mustRevalidate,
          mustUnderstand,
          isPublic,
          isPrivate,
          immutable,
          onlyIfCached,
          maxAge,
          maxStale,
          minFresh,
          staleWhileRevalidate,
          staleIfError);
    }

    private void read(String text) {
      for (String element : FieldLists.elements(text)) {
        int equals = element.indexOf('=');
        String name = equals < 0 ? element : element.substring(0, equals).strip();
        String argument = equals < 0 ? null : element.substring(equals + 1).strip();
        take(name.toLowerCase(Locale.ROOT), argument);
      }
    }

    private void take(String name, @Nullable String argument) {
      switch (name) {
        case "no-cache" -> noCache = true;
        case "no-store" -> noStore = true;
        case "must-revalidate" -> mustRevalidate = true;
        case "must-understand" -> mustUnderstand = true;
        case "public" -> isPublic = true;
        case "private" -> isPrivate = true;
        case "immutable" -> immutable = true;
        case "only-if-cached" -> onlyIfCached = true;
        // Section 4.2.1: a response whose freshness is invalid counts as stale.
        case "max-age" -> maxAge = first(maxAge, argument, 0);
        case "max-stale" ->
          maxStale = first(maxStale, argument, argument == null ? Long.MAX_VALUE : 0);
        case "min-fresh" -> minFresh = first(minFresh, argument, DeltaSeconds.MAX);
        case "stale-while-revalidate" ->
          staleWhileRevalidate = first(staleWhileRevalidate, argument, 0);
        case "stale-if-error" -> staleIfError = first(staleIfError, argument, 0);
        default -> {} // Section 5.2.3: unknown directives are ignored.
      }
    }

    private static long first(long known, @Nullable String argument, long invalid) {
      return known == NONE ? seconds(argument, invalid) : known;
    }
  }

  /**
   * A number of seconds, which may be quoted (section 5.2).
   *
   * @param invalid what a missing or malformed one means
   */
  static long seconds(@Nullable String argument, long invalid) {
    if (argument == null) {
      return invalid;
    }
    int to = argument.length() - 1;
    boolean quoted = to > 0 && argument.charAt(0) == '"' && argument.charAt(to) == '"';
    long seconds = DeltaSeconds.parse(quoted ? argument.substring(1, to) : argument);
    return seconds == DeltaSeconds.MALFORMED ? invalid : seconds;
  }
}
