package heddle.codec;

import heddle.http.HeaderName;
import heddle.http.Headers;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which fields are allowed in a trailer section, in any protocol version.
 *
 * <p>One that would frame or route the message is refused: it can only be meant for a recipient
 * that merges trailers into the head. Others that RFC 9110 §6.5.1 keeps out of trailers
 * (credentials, challenges, conditions, how to process the content) are dropped, as §6.5.1 and RFC
 * 9112 §7.1.2 allow: senders add them carelessly, and unmerged they do no harm. Neither is sent.
 */
public final class TrailerRules {
  private static final Set<HeaderName> REFUSED = Set.of(
      HeaderName.CONTENT_LENGTH,
      HeaderName.TRANSFER_ENCODING,
      HeaderName.HOST,
      HeaderName.CONNECTION,
      HeaderName.TRAILER,
      HeaderName.UPGRADE,
      HeaderName.TE);

  private static final Set<HeaderName> DROPPED = Set.of(
      HeaderName.AUTHORIZATION,
      HeaderName.PROXY_AUTHENTICATE,
      HeaderName.PROXY_AUTHORIZATION,
      HeaderName.WWW_AUTHENTICATE,
      HeaderName.COOKIE,
      HeaderName.SET_COOKIE,
      HeaderName.CONTENT_ENCODING,
      HeaderName.CONTENT_TYPE,
      HeaderName.CONTENT_RANGE,
      HeaderName.CACHE_CONTROL,
      HeaderName.EXPECT,
      HeaderName.IF_MATCH,
      HeaderName.IF_MODIFIED_SINCE,
      HeaderName.IF_NONE_MATCH,
      HeaderName.IF_RANGE,
      HeaderName.IF_UNMODIFIED_SINCE,
      HeaderName.MAX_FORWARDS,
      HeaderName.RANGE,
      HeaderName.LOCATION,
      HeaderName.RETRY_AFTER);

  private TrailerRules() {}

  /** The first trailer for which a recipient refuses the message, or null. */
  public static @Nullable HeaderName refused(Headers trailers) {
    for (int i = 0; i < trailers.size(); i++) {
      if (REFUSED.contains(trailers.name(i))) {
        return trailers.name(i);
      }
    }
    return null;
  }

  /** The trailers without those that a recipient drops. */
  public static Headers withoutDropped(Headers trailers) {
    for (int i = 0; i < trailers.size(); i++) {
      if (DROPPED.contains(trailers.name(i))) {
        Headers.Builder kept = trailers.toBuilder();
        DROPPED.forEach(kept::remove);
        return kept.build();
      }
    }
    return trailers;
  }

  /**
   * Refuses trailers that must not be sent.
   *
   * @throws IllegalArgumentException if a field is among them that recipients refuse or drop
   */
  public static void checkToSend(Headers trailers) {
    for (int i = 0; i < trailers.size(); i++) {
      HeaderName name = trailers.name(i);
      if (REFUSED.contains(name) || DROPPED.contains(name)) {
        throw forbidden(name);
      }
    }
  }

  /** The exception for a trailer that must not be sent. */
  public static IllegalArgumentException forbidden(HeaderName name) {
    return new IllegalArgumentException(
        name + " may not be a trailer field (RFC 9110 §6.5.1): send it in the head");
  }
}
