package heddle.testkit.mock;

import heddle.codec.http2.frame.ErrorCode;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * What goes wrong with a response of a {@link MockServer}. Over HTTP/1.1, faults that need a frame
 * of HTTP/2 close the connection instead.
 */
public sealed interface MockFault {
  /** The connection ends after this many bytes of the response's head. */
  static MockFault cutInHead(int afterBytes) {
    return new Cut(true, notNegative(afterBytes), false);
  }

  /** The connection ends after this many bytes of the response's content. */
  static MockFault cutInBody(int afterBytes) {
    return new Cut(false, notNegative(afterBytes), false);
  }

  /** The connection is reset after this many bytes of the response's head. */
  static MockFault resetInHead(int afterBytes) {
    return new Cut(true, notNegative(afterBytes), true);
  }

  /** The connection is reset after this many bytes of the response's content. */
  static MockFault resetInBody(int afterBytes) {
    return new Cut(false, notNegative(afterBytes), true);
  }

  /** The request is never answered. */
  static MockFault blackHole() {
    return new BlackHole();
  }

  /** The content comes in pieces of this many bytes, with a pause before each. */
  static MockFault slowBody(int bytes, Duration pause) {
    if (bytes < 1 || pause.isNegative()) {
      throw new IllegalArgumentException(
          "a slow body takes at least 1 byte at a time and a pause of 0 or longer, not %d and %s"
              .formatted(bytes, pause));
    }
    return new SlowBody(bytes, pause);
  }

  /** The head says another length than the content has; then the connection or stream ends. */
  static MockFault wrongContentLength(long said) {
    return new WrongLength(said);
  }

  /**
   * Instead of answering, the server sends GOAWAY and has not processed the request (RFC 9113
   * section 6.8).
   */
  static MockFault goAway() {
    return new GoAway(false);
  }

  /** The request is answered, then the server sends GOAWAY. */
  static MockFault goAwayAfterwards() {
    return new GoAway(true);
  }

  /** The stream is refused: the request was not processed (RFC 9113 section 8.7). */
  static MockFault refusedStream() {
    return new RefusedStream();
  }

  /** The stream is reset after the head and this many bytes of the content. */
  static MockFault resetStream(int afterBytes, ErrorCode error) {
    return new ResetStream(notNegative(afterBytes), error);
  }

  /** The server sends bytes that are not HTTP instead of a response. */
  static MockFault garbage() {
    return new Garbage();
  }

  /** The head is preceded by this many interim responses, 103 (Early Hints). */
  static MockFault interim(int responses) {
    return new Interim(notNegative(responses));
  }

  /**
   * HTTP/2 only: SETTINGS that change in flight, before the response.
   *
   * @param idsAndValues such as {@code Settings.MAX_CONCURRENT_STREAMS, 1}
   */
  static MockFault settings(long... idsAndValues) {
    if (idsAndValues.length % 2 != 0) {
      throw new IllegalArgumentException("each setting needs an identifier and a value");
    }
    return new NewSettings(Arrays.stream(idsAndValues).boxed().toList());
  }

  /** Whether the request counts as not processed. */
  default boolean refuses() {
    return switch (this) {
      case GoAway(boolean afterwards) -> !afterwards;
      case RefusedStream refused -> true;
      default -> false;
    };
  }

  private static int notNegative(int count) {
    if (count < 0) {
      throw new IllegalArgumentException("must not be negative: " + count);
    }
    return count;
  }

  /** See {@link #cutInHead} and its like. */
  record Cut(boolean inHead, int afterBytes, boolean reset) implements MockFault {}

  /** See {@link #blackHole}. */
  record BlackHole() implements MockFault {}

  /** See {@link #slowBody}. */
  record SlowBody(int bytes, Duration pause) implements MockFault {}

  /** See {@link #wrongContentLength}. */
  record WrongLength(long said) implements MockFault {}

  /** See {@link #goAway} and {@link #goAwayAfterwards}. */
  record GoAway(boolean afterwards) implements MockFault {}

  /** See {@link #refusedStream}. */
  record RefusedStream() implements MockFault {}

  /** See {@link #resetStream}. */
  record ResetStream(int afterBytes, ErrorCode error) implements MockFault {}

  /** See {@link #garbage}. */
  record Garbage() implements MockFault {}

  /** See {@link #interim}. */
  record Interim(int responses) implements MockFault {}

  /** See {@link #settings}. */
  record NewSettings(List<Long> idsAndValues) implements MockFault {
    /** Copies the list. */
    public NewSettings {
      idsAndValues = List.copyOf(idsAndValues);
    }
  }
}
