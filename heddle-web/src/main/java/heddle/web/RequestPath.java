package heddle.web;

import heddle.http.syntax.PercentDecoder;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The path of a request in segments, each decoded alone, so that an encoded slash does not split
 * one. Texts are made only of segments with escapes, and of those that are asked for.
 */
final class RequestPath {
  private static final int FIRST_SEGMENTS = 8;

  private final String target;
  private final int[] ends; // of the segment with the same index; each begins behind a slash
  private final int count;
  private final @Nullable String @Nullable [] decoded; // those with escapes

  private RequestPath(String target, int[] ends, int count, @Nullable String @Nullable [] decoded) {
    this.target = target;
    this.ends = ends;
    this.count = count;
    this.decoded = decoded;
  }

  /**
   * @param target in origin-form: begins with a slash
   * @throws ProblemException 400 if a segment is malformed, or is {@code .} or {@code ..}, encoded
   *     or not: clients resolve these before they send a path (RFC 3986 section 5.2.4)
   */
  static RequestPath parse(String target) {
    int mark = target.indexOf('?');
    int end = mark < 0 ? target.length() : mark;
    int[] ends = new int[FIRST_SEGMENTS];
    @Nullable String[] decoded = null;
    int count = 0;
    int escape = -1; // the first one at or after the segment
    for (int start = 1; start <= end; count++) {
      int slash = target.indexOf('/', start);
      int segmentEnd = slash < 0 || slash > end ? end : slash;
      if (count == ends.length) {
        ends = Arrays.copyOf(ends, 2 * count);
        decoded = decoded == null ? null : Arrays.copyOf(decoded, 2 * count);
      }
      ends[count] = segmentEnd;
      if (escape < start) {
        int next = target.indexOf('%', start);
        escape = next < 0 ? target.length() : next;
      }
      if (escape < segmentEnd) {
        decoded = decoded == null ? new @Nullable String[ends.length] : decoded;
        String segment = decode(target, start, segmentEnd);
        decoded[count] = segment;
        checkNotDots(segment, 0, segment.length());
      } else {
        checkNotDots(target, start, segmentEnd);
      }
      start = segmentEnd + 1;
    }
    return new RequestPath(target, ends, count, decoded);
  }

  private static String decode(String target, int start, int end) {
    String segment = PercentDecoder.decode(target, start, end, false);
    if (segment == null || segment.indexOf('\0') >= 0) {
      throw new ProblemException(
          400, "the path has an escape that is malformed, not UTF-8, or a zero byte");
    }
    return segment;
  }

  private static void checkNotDots(String text, int start, int end) {
    int length = end - start;
    if (length > 0 && length <= 2 && text.charAt(start) == '.' && text.charAt(end - 1) == '.') {
      throw new ProblemException(400, "the path has a segment . or ..: resolve it first");
    }
  }

  /** The number of segments, at least 1; the last one is empty if the path ends with a slash. */
  int count() {
    return count;
  }

  private int start(int i) {
    return i == 0 ? 1 : ends[i - 1] + 1;
  }

  private @Nullable String decodedOrNull(int i) {
    return decoded == null ? null : decoded[i];
  }

  /** The segment, decoded. */
  String segment(int i) {
    String text = decodedOrNull(i);
    return text != null ? text : target.substring(start(i), ends[i]);
  }

  /** The segments from an index on, decoded. */
  List<String> segmentsFrom(int first) {
    return IntStream.range(first, count).mapToObj(this::segment).toList();
  }

  boolean isEmpty(int i) {
    return start(i) == ends[i];
  }

  boolean segmentEquals(int i, String text) {
    String own = decodedOrNull(i);
    int length = ends[i] - start(i);
    return own != null
        ? own.equals(text)
        : length == text.length() && target.startsWith(text, start(i));
  }

  /** What {@link String#hashCode} returns for the segment. */
  int segmentHash(int i) {
    String own = decodedOrNull(i);
    if (own != null) {
      return own.hashCode();
    }
    int hash = 0;
    for (int at = start(i); at < ends[i]; at++) {
      hash = 31 * hash + target.charAt(at);
    }
    return hash;
  }
}
