package heddle.web.conditional;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.http.Method;
import heddle.http.Request;
import java.net.URI;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** RFC 9110 section 14. */
class ByteRangesTest {
  private static String shown(ByteRanges ranges) {
    return switch (ranges) {
      case ByteRanges.Whole whole -> "whole";
      case ByteRanges.Unsatisfiable none -> "none";
      case ByteRanges.Some some ->
        some.ranges().stream()
            .map(each -> each.first() + "-" + each.last())
            .collect(Collectors.joining(" "));
    };
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        // 14.1.2: the examples, of 10000 octets
        "bytes=0-499; 10000; 0-499",
        "bytes=500-999; 10000; 500-999",
        "bytes=-500; 10000; 9500-9999",
        "bytes=9500-; 10000; 9500-9999",
        "bytes=0-0,-1; 10000; 0-0 9999-9999",
        "bytes= 0-999, 4500-5499, -1000; 10000; 0-999 4500-5499 9000-9999",
        "bytes=500-600,601-999; 10000; 500-999",
        "bytes=500-700,601-999; 10000; 500-999",
        // ends
        "bytes=0-; 10; 0-9",
        "bytes=9-9; 10; 9-9",
        "bytes=5-99; 10; 5-9",
        "bytes=-99; 10; 0-9",
        "bytes=0-99999999999999999999; 10; 0-9",
        "bytes=-99999999999999999999; 10; 0-9",
        "Bytes=1-2; 10; 1-2",
        // 14.1.1: empty elements and white space
        "bytes=,1-2 ,, 5-6,; 10; 1-2 5-6",
        // the client's order stays unless ranges are joined
        "bytes=8-9,0-1; 10; 8-9 0-1",
        "bytes=8-9,0-1,1-3; 10; 0-3 8-9",
        "bytes=0-9,0-9,0-9; 10; 0-9",
        // 14.1.2: those that begin behind the end are left out
        "bytes=0-1,10-; 10; 0-1",
        "bytes=10-; 10; none",
        "bytes=10-20,30-; 10; none",
        "bytes=-0; 10; none",
        "bytes=99999999999999999999-; 10; none",
        "bytes=0-; 0; none",
        "bytes=-5; 0; whole",
        // 14.2: what may be ignored
        "items=0-1; 10; whole",
        "bytes; 10; whole",
        "bytes=; 10; whole",
        "bytes=,; 10; whole",
        "bytes=-; 10; whole",
        "bytes=2-1; 10; whole",
        "bytes=a-b; 10; whole",
        "bytes=1; 10; whole",
        "bytes=1-2-3; 10; whole",
        "bytes=1 -2; 10; whole",
        "bytes=0-1 2-3; 10; whole",
        "bytes=0-1,x; 10; whole",
        "bytes =0-1; 10; whole",
        "bytes=+1-2; 10; whole",
        "bytes=--1; 10; whole",
      })
  void rangesAreThoseOfTheRfc(String field, long length, String expected) {
    assertEquals(expected, shown(ByteRanges.parse(field, length)));
  }

  @Test
  void moreThanSixteenRangesAreIgnored() {
    String sixteen =
        IntStream.range(0, 16).mapToObj(i -> 2 * i + "-" + 2 * i).collect(Collectors.joining(","));
    ByteRanges.Some some =
        assertInstanceOf(ByteRanges.Some.class, ByteRanges.parse("bytes=" + sixteen, 100));
    assertEquals(16, some.ranges().size());
    assertEquals("whole", shown(ByteRanges.parse("bytes=" + sixteen + ",50-50", 100)));
  }

  @ParameterizedTest
  @CsvSource({"GET, 0-1", "HEAD, whole", "POST, whole"})
  void onlyGetHasRanges(String method, String expected) {
    Request request = Request.builder(URI.create("http://t/"))
        .method(Method.of(method))
        .header("Range", "bytes=0-1")
        .build();
    assertEquals(expected, shown(ByteRanges.of(request, 10)));
  }

  @Test
  void twoRangeFieldsAreIgnored() {
    Request request = Request.builder(URI.create("http://t/"))
        .header("Range", "bytes=0-1")
        .header("Range", "bytes=3-4")
        .build();
    assertEquals("whole", shown(ByteRanges.of(request, 10)));
  }

  @Test
  void contentRangesAreThoseOfTheRfc() {
    assertEquals("bytes 42-1233/1234", new ByteRange(42, 1233).contentRange(1234));
    assertEquals("bytes */1234", new ByteRanges.Unsatisfiable().contentRange(1234));
    assertThrows(IllegalArgumentException.class, () -> new ByteRange(2, 1));
    assertThrows(IllegalArgumentException.class, () -> ByteRanges.parse("bytes=0-", -1));
  }
}
