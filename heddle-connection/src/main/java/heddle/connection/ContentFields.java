package heddle.connection;

import heddle.codec.TrailerRules;
import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.MediaType;
import heddle.http.Method;
import heddle.http.Trailers;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What header sections say about the content. */
public final class ContentFields {
  private static final int LONGEST_RECENT = 128;

  /**
   * Media types that were parsed last, by the length of their texts: most messages have one of a
   * few. Threads may overwrite what others have set, as each element is immutable.
   */
  private static final @Nullable KnownType[] RECENT = new KnownType[32];

  private record KnownType(String text, MediaType type) {}

  private ContentFields() {}

  /** A message's Content-Length, which the session has checked, or {@link Body#UNKNOWN}. */
  public static long declaredLength(Headers headers) {
    String declared = headers.first(HeaderName.CONTENT_LENGTH);
    return declared == null ? Body.UNKNOWN : Long.parseLong(declared);
  }

  /** Whether requests without content send Content-Length: 0 (RFC 9110 §8.6). */
  public static boolean isMadeForContent(Method method) {
    return method.equals(Method.POST) || method.equals(Method.PUT) || method.equals(Method.PATCH);
  }

  /**
   * The fields of a message that has trailers, with a Trailer field that names them, if they are
   * known and the field is missing (RFC 9110 §6.6.2).
   *
   * @throws IllegalArgumentException if a known one must not be sent as a trailer
   */
  public static Headers announcing(Headers headers, Trailers trailers) {
    Headers known = trailers.known();
    if (known == null || known.isEmpty()) {
      return headers;
    }
    TrailerRules.checkToSend(known);
    if (headers.contains(HeaderName.TRAILER)) {
      return headers;
    }
    Set<String> names = new LinkedHashSet<>();
    known.forEach(field -> names.add(field.name().toString()));
    return headers.toBuilder().add(HeaderName.TRAILER, String.join(", ", names)).build();
  }

  /** Content-Type; null if it is missing or malformed. */
  static @Nullable MediaType mediaType(Headers headers) {
    int i = headers.indexOf(HeaderName.CONTENT_TYPE, 0);
    if (i < 0) {
      return null;
    }
    int place = headers.valueLength(i) % RECENT.length;
    KnownType known = RECENT[place];
    if (known != null && headers.valueEquals(i, known.text)) {
      return known.type;
    }
    String text = headers.value(i);
    try {
      MediaType parsed = MediaType.parse(text);
      if (text.length() <= LONGEST_RECENT) {
        RECENT[place] = new KnownType(text, parsed);
      }
      return parsed;
    } catch (IllegalArgumentException e) {
      return null; // RFC 9110 §8.3: a recipient may treat it as unknown.
    }
  }
}
