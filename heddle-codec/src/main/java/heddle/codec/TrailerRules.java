package heddle.codec;

import heddle.http.HeaderName;
import heddle.http.Headers;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
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
  private static final Set<HeaderName> REFUSED =
      names("content-length transfer-encoding host connection trailer upgrade te");

  private static final Set<HeaderName> DROPPED = names(
      "authorization proxy-authenticate proxy-authorization www-authenticate cookie set-cookie "
          + "content-encoding content-type content-range cache-control expect if-match "
          + "if-modified-since if-none-match if-range if-unmodified-since max-forwards range "
          + "location retry-after");

  private TrailerRules() {}

  private static Set<HeaderName> names(String words) {
    return Arrays.stream(words.split(" ", -1))
        .map(HeaderName::of)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The first trailer for which a recipient refuses the message, or null. */
  public static @Nullable HeaderName refused(Headers trailers) {
    return first(trailers, REFUSED);
  }

  private static @Nullable HeaderName first(Headers trailers, Set<HeaderName> names) {
    for (int i = 0; i < trailers.size(); i++) {
      if (names.contains(trailers.name(i))) {
        return trailers.name(i);
      }
    }
    return null;
  }

  /** The trailers without those that a recipient drops. */
  public static Headers withoutDropped(Headers trailers) {
    if (first(trailers, DROPPED) == null) {
      return trailers;
    }
    Headers.Builder kept = trailers.toBuilder();
    DROPPED.forEach(kept::remove);
    return kept.build();
  }

  /** Throws the exception of {@link #forbidden} if recipients refuse or drop one of the fields. */
  public static void checkToSend(Headers trailers) {
    HeaderName refused = refused(trailers);
    HeaderName bad = refused != null ? refused : first(trailers, DROPPED);
    if (bad != null) {
      throw forbidden(bad);
    }
  }

  /** The exception for a trailer that must not be sent. */
  public static IllegalArgumentException forbidden(HeaderName name) {
    return new IllegalArgumentException(
        name + " may not be a trailer field (RFC 9110 §6.5.1): send it in the head");
  }
}
