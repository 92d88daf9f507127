package heddle.web.conditional;

import heddle.http.Body;
import heddle.http.MediaType;
import heddle.http.io.PartsInput;
import heddle.http.io.PartsInput.Source;
import heddle.http.syntax.Boundary;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Several ranges as multipart/byteranges (RFC 9110 section 14.6). */
final class MultipartRanges {
  private static final String CRLF = "\r\n";

  private final List<Source> sources = new ArrayList<>();
  private final MediaType mediaType;

  /**
   * @param total the length of the representation
   * @param type of the representation; null if not known
   */
  MultipartRanges(
      List<ByteRange> ranges,
      long total,
      @Nullable MediaType type,
      Representation.Content content) {
    String boundary = Boundary.random();
    mediaType = MediaType.of("multipart", "byteranges").withParameter("boundary", boundary);
    String before = "--" + boundary;
    for (ByteRange range : ranges) {
      sources.add(text(before
          + (type == null ? "" : CRLF + "Content-Type: " + type)
          + CRLF + "Content-Range: " + range.contentRange(total) + CRLF + CRLF));
      sources.add(new Source(
          "the range " + range.contentRange(total),
          range.length(),
          () -> SliceInput.of(content.open(range.first()), range.length())));
      before = CRLF + "--" + boundary;
    }
    sources.add(text(before + "--" + CRLF));
  }

  private static Source text(String text) {
    byte[] octets = text.getBytes(StandardCharsets.ISO_8859_1);
    return new Source("the boundary", octets.length, () -> new ByteArrayInputStream(octets));
  }

  MediaType mediaType() {
    return mediaType;
  }

  Body body() {
    long length = sources.stream().mapToLong(Source::length).sum();
    return Body.replayable(length, () -> new PartsInput(sources));
  }
}
