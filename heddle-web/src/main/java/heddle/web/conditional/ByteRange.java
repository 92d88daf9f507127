package heddle.web.conditional;

/**
 * A part of a representation, both ends included.
 *
 * @param first the offset of its first octet, at least 0
 * @param last the offset of its last octet, at least {@code first}
 */
public record ByteRange(long first, long last) {
  /**
   * Checks the ends.
   *
   * @throws IllegalArgumentException if they are not in order
   */
  public ByteRange {
    if (first < 0 || last < first) {
      throw new IllegalArgumentException(
          "the range " + first + "-" + last + " does not begin at 0 or later and end after that");
    }
  }

  /** The number of octets, at least 1. */
  public long length() {
    return last - first + 1;
  }

  /**
   * As Content-Range names it (RFC 9110 section 14.4), such as {@code bytes 0-499/1234}.
   *
   * @param total the length of the whole representation in octets
   */
  public String contentRange(long total) {
    return "bytes " + first + "-" + last + "/" + total;
  }
}
