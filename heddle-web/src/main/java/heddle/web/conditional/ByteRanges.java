package heddle.web.conditional;

import heddle.http.HeaderName;
import heddle.http.Method;
import heddle.http.Request;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Which part of a representation a request asks for (RFC 9110 section 14.2): all of it, some
 * ranges, or none that exists.
 *
 * <p>The whole representation is to be sent where RFC 9110 lets a server ignore the field: for
 * other units than bytes, a malformed field, and one that names more than {@value #MAX_RANGES}
 * ranges. Ranges that overlap or touch are joined, in the order of their offsets, so that no octet
 * is sent twice (section 17.15); others stay in the client's order.
 */
public sealed interface ByteRanges {
  /** The most ranges that a request may name and get. */
  int MAX_RANGES = 16;

  /** All of it: status 200. */
  record Whole() implements ByteRanges {}

  /**
   * Some of it: status 206, and Content-Range or multipart/byteranges.
   *
   * @param ranges at least one; they do not overlap
   */
  record Some(List<ByteRange> ranges) implements ByteRanges {
    /** Keeps a copy of the list. */
    public Some {
      ranges = List.copyOf(ranges);
    }
  }

  /** None of the ranges begins within the representation: status 416. */
  record Unsatisfiable() implements ByteRanges {
    /**
     * The value of Content-Range that a response of 416 has (RFC 9110 section 15.5.17).
     *
     * @param total the length of the representation in octets
     */
    public String contentRange(long total) {
      return "bytes */" + total;
    }
  }

  /**
   * What the Range field of a request asks for. Only GET has ranges (RFC 9110 section 14.2). Does
   * not look at If-Range or other conditions, which come before: see {@link Representation}.
   *
   * @param length of the representation in octets, at least 0
   */
  static ByteRanges of(Request request, long length) {
    List<String> values =
        request.method().equals(Method.GET) ? request.headers().all(HeaderName.RANGE) : List.of();
    return values.size() == 1 ? parse(values.get(0), length) : new Whole();
  }

  /**
   * What the value of a Range field asks for.
   *
   * @param length of the representation in octets, at least 0
   * @throws IllegalArgumentException if the length is negative
   */
  static ByteRanges parse(String value, long length) {
    if (length < 0) {
      throw new IllegalArgumentException("length " + length + " is negative");
    }
    List<long[]> specs = new RangeSpecs(value).parse();
    if (specs == null) {
      return new Whole();
    }
    List<ByteRange> ranges = new ArrayList<>();
    for (long[] spec : specs) {
      long first = spec[0];
      long last = spec[1];
      if (first < 0 && last > 0 && length == 0) {
        return new Whole(); // satisfiable by section 14.1.2, and no Content-Range can say so
      }
      if (first < 0) {
        first = last == 0 ? length : Math.max(0, length - last);
        last = length - 1;
      }
      if (first < length) {
        ranges.add(new ByteRange(first, Math.min(last, length - 1)));
      }
    }
    return ranges.isEmpty() ? new Unsatisfiable() : new Some(joined(ranges));
  }

  private static List<ByteRange> joined(List<ByteRange> ranges) {
    List<ByteRange> sorted = new ArrayList<>(ranges);
    sorted.sort(Comparator.comparingLong(ByteRange::first));
    List<ByteRange> joined = new ArrayList<>();
    ByteRange open = sorted.get(0);
    for (ByteRange each : sorted) {
      if (each.first() <= open.last() + 1) {
        open = new ByteRange(open.first(), Math.max(open.last(), each.last()));
      } else {
        joined.add(open);
        open = each;
      }
    }
    joined.add(open);
    return joined.size() == ranges.size() ? ranges : joined;
  }
}
