package heddle.har;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a replay needs of a file in the HTTP Archive format, of any program: other fields are
 * ignored, and each of these may be missing.
 */
record HarFile(@Nullable Log log) {
  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  private static final ObjectReader READER = JsonMapper.builder()
      .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
      .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
      .build()
      .readerFor(HarFile.class);

  record Log(@Nullable List<@Nullable Entry> entries) {}

  record Entry(@Nullable Request request, @Nullable Response response) {}

  record Request(@Nullable String method, @Nullable String url, @Nullable PostData postData) {}

  record PostData(
      @Nullable String mimeType,
      @Nullable String text,
      @JsonProperty("_encoding") @Nullable String encoding) {}

  record Response(
      @Nullable Integer status,
      @Nullable String statusText,
      @Nullable String httpVersion,
      @Nullable List<@Nullable Field> headers,
      @Nullable Content content,
      @JsonProperty("_error") @Nullable String error) {}

  record Field(@Nullable String name, @Nullable String value) {}

  record Content(
      @Nullable Long size,
      @Nullable String mimeType,
      @Nullable String text,
      @Nullable String encoding,
      @JsonProperty("_incomplete") @Nullable Boolean incomplete,
      @Nullable String comment) {}

  /**
   * Reads a file.
   *
   * @param name of the file, for messages
   * @throws HarFormatException if it is malformed, or larger than allowed
   */
  static HarFile read(InputStream in, String name, long maxBytes) throws IOException {
    StreamReadConstraints limits = StreamReadConstraints.builder()
        .maxDocumentLength(maxBytes)
        .maxStringLength((int) Math.min(maxBytes, Integer.MAX_VALUE))
        .build();
    JsonFactory limited = JsonFactory.builder()
        .streamReadConstraints(limits)
        .disable(TokenStreamFactory.Feature.CHARSET_DETECTION)
        .build();
    try (JsonParser parser = limited.createParser(ObjectReadContext.empty(), withoutMark(in))) {
      HarFile file = READER.readValue(parser);
      if (file == null) {
        throw new HarFormatException(name + " is not in the HTTP Archive format: it is null", null);
      }
      return file;
    } catch (JacksonIOException e) {
      throw e.getCause() == null ? new IOException(e) : e.getCause();
    } catch (StreamConstraintsException e) {
      throw new HarFormatException(
          name + " is larger or more deeply nested than allowed: " + e.getOriginalMessage(), e);
    } catch (JacksonException e) {
      throw new HarFormatException(
          name + " is not in the HTTP Archive format" + where(e) + ": " + e.getOriginalMessage(),
          e);
    }
  }

  /** HAR 1.2 requires UTF-8, and that a byte order mark before it is ignored. */
  private static InputStream withoutMark(InputStream in) throws IOException {
    PushbackInputStream file = new PushbackInputStream(in, BYTE_ORDER_MARK.length);
    byte[] start = file.readNBytes(BYTE_ORDER_MARK.length);
    if (!Arrays.equals(start, BYTE_ORDER_MARK)) {
      file.unread(start);
    }
    return file;
  }

  private static String where(JacksonException e) {
    StringBuilder where = new StringBuilder();
    for (JacksonException.Reference step : e.getPath()) {
      String field = step.getPropertyName();
      if (field == null) {
        where.append('[').append(step.getIndex()).append(']');
      } else {
        where.append(where.isEmpty() ? " at " : ".").append(field);
      }
    }
    TokenStreamLocation location = e.getLocation();
    return location == null || location.getLineNr() < 1
        ? where.toString()
        : "%s (line %d, column %d)".formatted(where, location.getLineNr(), location.getColumnNr());
  }
}
