package heddle.web.conditional;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Status;
import heddle.testwatch.FuzzTarget;
import java.io.InputStream;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What a client sends in the fields of conditional requests and ranges. */
enum ConditionalTarget implements FuzzTarget {
  /** Ranges lie within the representation, and do not overlap. */
  RANGE {
    @Override
    public void run(byte[] input) {
      String value = new String(input, ISO_8859_1);
      for (long length : new long[] {0, 1, 10, 1L << 40, Long.MAX_VALUE}) {
        if (ByteRanges.parse(value, length) instanceof ByteRanges.Some some) {
          check(some.ranges(), length);
        }
      }
    }

    private static void check(List<ByteRange> ranges, long length) {
      assertTrue(!ranges.isEmpty() && ranges.size() <= ByteRanges.MAX_RANGES);
      List<ByteRange> sorted = new ArrayList<>(ranges);
      sorted.sort(Comparator.comparingLong(ByteRange::first));
      long end = 0;
      for (ByteRange range : sorted) {
        assertTrue(range.first() >= end && range.last() < length, ranges::toString);
        end = range.last() + 1;
      }
    }

    @Override
    public List<byte[]> seeds() {
      return octets(
          "bytes=0-1,5-6, -3,,7-",
          "bytes=0-99999999999999999999,-0",
          "bytes=" + "1-2,".repeat(20),
          "items=0-1");
    }
  },

  /** A list that is read is the same when it is written and read again. */
  ENTITY_TAGS {
    @Override
    public void run(byte[] input) {
      String text = new String(input, ISO_8859_1);
      EntityTag one = EntityTag.parse(text);
      assertTrue(one == null || one.toString().equals(text.strip().replaceFirst("^[, \t]+", "")));
      List<EntityTag> tags = EntityTag.parseList(text);
      if (tags != null) {
        String written =
            String.join(", ", tags.stream().map(EntityTag::toString).toList());
        assertEquals(tags, EntityTag.parseList(written));
      }
    }

    @Override
    public List<byte[]> seeds() {
      return octets("\"a\"", "W/\"a,b\", \"\",, \"\u00e4\"", "*", "\"cut", ",W/");
    }
  },

  /** Each line is the value of a field; what is answered is one of the RFC's. */
  CONDITIONS {
    private final List<String> names = List.of(
        "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range");

    @Override
    public void run(byte[] input) {
      Request.Builder request = Request.builder(URI.create("http://t/"));
      String[] lines = new String(input, ISO_8859_1).split("\n", -1);
      for (int i = 0; i < Math.min(lines.length, 2 * names.size()); i++) {
        String value = lines[i].replaceAll("[\\x00-\\x1f\\x7f]", "?").strip();
        if (!value.isEmpty()) {
          request.header(names.get(i % names.size()), value);
        }
      }
      for (Method method : List.of(Method.GET, Method.PUT)) {
        Request asked = request.method(method).build();
        Status status = Preconditions.evaluate(asked, EntityTag.strong("a"), Instant.EPOCH);
        List<Integer> possible = method.equals(Method.GET) ? List.of(304, 412) : List.of(400, 412);
        assertTrue(
            status == null || possible.contains(status.code()), () -> method + ": " + status);
        Preconditions.evaluateMissing(asked);
        assertNotNull(Representation.of(10, offset -> InputStream.nullInputStream())
            .tag(EntityTag.strong("a"))
            .build()
            .respond(asked));
      }
    }

    @Override
    public List<byte[]> seeds() {
      return octets(
          "\"a\"\n\"b\", W/\"a\"\nThu, 01 Jan 1970 00:00:00 GMT\n\n\"a\"",
          "*\n*\nThursday, 01-Jan-70 00:00:00 GMT\nThu Jan  1 00:00:00 1970\nx");
    }
  };

  private static List<byte[]> octets(String... texts) {
    List<byte[]> octets = new ArrayList<>();
    for (String text : texts) {
      octets.add(text.getBytes(ISO_8859_1));
    }
    return octets;
  }
}
