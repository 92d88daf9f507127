package heddle.cache;

import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.HttpDate;
import heddle.http.HttpVersion;
import heddle.http.MediaType;
import heddle.http.Status;
import java.time.Instant;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A stored response.
 *
 * @param headers as {@link #stored} makes them
 * @param variant what selects it
 * @param requestedAt when the request was sent, in milliseconds since 1970
 * @param receivedAt when the response arrived, on the same scale
 */
record CachedResponse(
    Status status,
    HttpVersion version,
    Headers headers,
    Variant variant,
    long requestedAt,
    long receivedAt,
    Content content,
    Facts facts) {
  /** What follows from the fields, computed once. */
  private record Facts(
      CacheControl control,
      long explicitLifetime,
      long heuristicLifetime,
      long initialAgeMillis,
      @Nullable MediaType mediaType) {
    static Facts of(Headers headers, long requestedAt, long receivedAt) {
      CacheControl control = CacheControl.ofResponse(headers);
      return new Facts(
          control,
          Freshness.explicitLifetime(headers, control),
          Freshness.heuristicLifetime(headers),
          Freshness.initialAgeMillis(headers, requestedAt, receivedAt),
          parsed(headers.first(HeaderName.CONTENT_TYPE)));
    }

    private static @Nullable MediaType parsed(@Nullable String contentType) {
      try {
        return contentType == null ? null : MediaType.parse(contentType);
      } catch (IllegalArgumentException e) {
        return null; // A body has no media type then, whether received or stored.
      }
    }
  }

  /** Fields that concern a connection or a proxy (RFC 9111 section 3.1, RFC 9110 section 7.6.1). */
  private static final Set<HeaderName> NOT_STORED = Set.of(
      HeaderName.CONNECTION,
      HeaderName.KEEP_ALIVE,
      HeaderName.PROXY_AUTHENTICATE,
      HeaderName.PROXY_AUTHORIZATION,
      HeaderName.PROXY_CONNECTION,
      HeaderName.of("Proxy-Authentication-Info"),
      HeaderName.TE,
      HeaderName.TRAILER,
      HeaderName.TRANSFER_ENCODING,
      HeaderName.UPGRADE);

  /** Fields of the stored content, which a response without content cannot change: section 3.2. */
  private static final Set<HeaderName> OF_CONTENT =
      Set.of(HeaderName.CONTENT_ENCODING, HeaderName.CONTENT_LENGTH, HeaderName.CONTENT_RANGE);

  /** About what an entry needs in memory besides its texts and content. */
  private static final int OVERHEAD = 512;

  CachedResponse(
      Status status,
      HttpVersion version,
      Headers headers,
      Variant variant,
      long requestedAt,
      long receivedAt,
      Content content) {
    this(
        status,
        version,
        headers,
        variant,
        requestedAt,
        receivedAt,
        content,
        Facts.of(headers, requestedAt, receivedAt));
  }

  /**
   * The fields of a response that are stored (section 3.1). One without a Date gets the time of its
   * arrival (RFC 9110 section 6.6.1).
   */
  static Headers stored(Headers received, long receivedAt) {
    Headers.Builder kept = Headers.builder();
    addTo(kept, received, Set.of());
    if (Freshness.date(received, HeaderName.DATE) == null) {
      kept.set(HeaderName.DATE, HttpDate.format(Instant.ofEpochMilli(receivedAt)));
    }
    return kept.build();
  }

  private static void addTo(Headers.Builder kept, Headers received, Set<HeaderName> without) {
    Set<String> hops = new HashSet<>();
    for (String each : FieldLists.elements(received, HeaderName.CONNECTION)) {
      hops.add(each.toLowerCase(Locale.ROOT));
    }
    for (Headers.Field field : received) {
      HeaderName name = field.name();
      if (!NOT_STORED.contains(name)
          && !without.contains(name)
          && !hops.contains(name.lowerCase())) {
        kept.add(name, field.value());
      }
    }
  }

  /**
   * The fields of this response, brought up to date by one that has validated it (section 3.2).
   *
   * @param newer as received
   */
  Headers mergedWith(Headers newer, long receivedAt) {
    Headers given = stored(newer, receivedAt);
    Headers.Builder merged = headers.toBuilder().remove(HeaderName.AGE);
    for (Headers.Field field : given) {
      if (!OF_CONTENT.contains(field.name())) {
        merged.remove(field.name());
      }
    }
    addTo(merged, given, OF_CONTENT);
    return merged.build();
  }

  /** This response with other fields, of a later exchange. */
  CachedResponse withHead(Headers fields, Variant selects, long requestedAt, long receivedAt) {
    return new CachedResponse(status, version, fields, selects, requestedAt, receivedAt, content);
  }

  CachedResponse withContent(Content other) {
    return new CachedResponse(
        status, version, headers, variant, requestedAt, receivedAt, other, facts);
  }

  CacheControl control() {
    return facts.control();
  }

  @Nullable
  MediaType mediaType() {
    return facts.mediaType();
  }

  @Nullable
  String etag() {
    return headers.first(HeaderName.ETAG);
  }

  @Nullable
  String lastModified() {
    return headers.first(HeaderName.LAST_MODIFIED);
  }

  /**
   * @param now in milliseconds since 1970
   * @param mostHeuristic the longest lifetime, in seconds, if the response does not say its own
   */
  Freshness freshness(long now, long mostHeuristic) {
    long lifetime = facts.explicitLifetime();
    if (lifetime == CacheControl.NONE) {
      boolean mayGuess = control().isPublic() || CachePolicy.isHeuristicallyCacheable(status);
      lifetime = mayGuess ? Math.min(facts.heuristicLifetime(), mostHeuristic) : 0;
    }
    return new Freshness(lifetime, Freshness.age(facts.initialAgeMillis(), receivedAt, now));
  }

  /** Whether both have the same content, however often their fields were brought up to date. */
  boolean hasContentOf(CachedResponse other) {
    return content.equals(other.content);
  }

  /** About how many bytes of memory the fields take. */
  long headBytes() {
    long bytes = OVERHEAD;
    for (int i = 0; i < headers.size(); i++) {
      bytes += headers.name(i).length() + headers.valueLength(i);
    }
    for (Variant.Selecting each : variant.fields()) {
      String value = each.value();
      bytes += each.name().length() + (value == null ? 0 : value.length());
    }
    return bytes;
  }
}
