package heddle.web.files;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Request;
import heddle.testwatch.FuzzTarget;
import heddle.web.syntax.AcceptEncoding;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** What a client asks for. */
enum PathTarget implements FuzzTarget {
  /** A path that is not refused stays in its folder, and names what it names on other systems. */
  FILE_PATH {
    @Override
    public void run(byte[] input) throws Exception {
      String escaped = new String(input, ISO_8859_1);
      FilePath path = FilePath.parse(escaped, Set.of(".well-known"));
      if (path != null) {
        for (String segment : path.segments()) {
          assertTrue(!segment.isEmpty() && !segment.matches("(?s)\\.(?!well-known$).*"), segment);
          assertTrue(segment.chars().noneMatch(c -> c < ' ' || "/\\:".indexOf(c) >= 0), segment);
        }
        Path root = Path.of("root");
        if (path.toString().chars().anyMatch(c -> c > 0x7F)) {
          return; // Not every system can name such a file.
        }
        Path file = root.resolve(path.toString());
        assertTrue(file.normalize().equals(file) && file.startsWith(root), file::toString);
      }
    }

    @Override
    public List<byte[]> seeds() {
      return octets(
          "/a/b%20c.txt", "/%2e%2e/%2F..%5c%00", "/.well-known/x", "//a/../b:c", "a~1/%c3%a4/%ff");
    }
  },

  /** Any value is answered with a quality between 0 and 1000. */
  ACCEPT_ENCODING {
    @Override
    public void run(byte[] input) {
      String value =
          new String(input, ISO_8859_1).replaceAll("[\\x00-\\x1f\\x7f]", "?").strip();
      Request request = Request.builder(URI.create("http://t/"))
          .header("Accept-Encoding", value)
          .build();
      AcceptEncoding accepted = AcceptEncoding.of(request.headers());
      for (Coding coding : Coding.values()) {
        int quality = Coding.weight(accepted, coding);
        assertTrue(quality >= 0 && quality <= 1000, value);
      }
      int identity = Coding.weightOfIdentity(accepted);
      assertTrue(identity >= 0 && identity <= 1000, value);
    }

    @Override
    public List<byte[]> seeds() {
      return octets("gzip;q=0.5, br, *;q=0", "identity; q=1.000,,x-gzip;q=2", ",;=");
    }
  };

  private static List<byte[]> octets(String... texts) {
    return List.of(texts).stream().map(text -> text.getBytes(ISO_8859_1)).toList();
  }
}
