package heddle.cli;

import heddle.cli.live.TransferView;
import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.MediaType;
import heddle.http.Response;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes a response: as it is, or for a person at a terminal, where fields are coloured and JSON is
 * set out in lines.
 */
final class GetOutput {

  private static final int PIECE = 16 * 1024;
  private static final int LONGEST_JSON = 1 << 20;
  private static final String BOLD = "\033[1m";
  private static final String CYAN = "\033[36m";
  private static final String PLAIN = "\033[0m";

  private final OutputStream out;
  private final boolean shown;
  private final boolean color;
  private final @Nullable TransferView progress;

  /**
   * An output.
   *
   * @param shown whether it is a terminal that is to be spared what only programs read
   * @param progress null for none
   */
  GetOutput(OutputStream out, boolean shown, boolean color, @Nullable TransferView progress) {
    this.out = out;
    this.shown = shown;
    this.color = color;
    this.progress = progress;
  }

  static String statusLine(Response response) {
    String line = response.version() + " " + response.status().code();
    String reason = response.status().reason();
    return reason.isEmpty() ? line : line + " " + reason;
  }

  /** Writes status and fields, and an empty line. */
  void head(Response response) throws IOException {
    var head = new StringBuilder();
    head.append(dressed(BOLD, statusLine(response))).append('\n');
    for (Headers.Field field : response.headers()) {
      head.append(dressed(CYAN, field.name().toString())).append(": ");
      head.append(shown ? safe(field.value()) : field.value()).append('\n');
    }
    out.write(head.append('\n').toString().getBytes(StandardCharsets.ISO_8859_1));
  }

  private String dressed(String style, String text) {
    String safe = shown ? safe(text) : text;
    return color ? style + safe + PLAIN : safe;
  }

  /** Octets of a field as UTF-8, which modern servers mean. */
  private static String text(String octets) {
    return new String(octets.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }

  /** In octets; control characters beyond ASCII are found in the text that they mean. */
  private static String safe(String octets) {
    byte[] text = Terminal.printable(text(octets)).getBytes(StandardCharsets.UTF_8);
    return new String(text, StandardCharsets.ISO_8859_1);
  }

  /** Writes the content. */
  void content(Response response) throws IOException {
    Body body = response.body();
    InputStream content = body.stream();
    if (shown) {
      content = isJson(response) ? setOut(content) : checked(content);
    }
    // Flushes each piece as it arrives, because the answer may be a live stream.
    byte[] piece = new byte[PIECE];
    long received = 0;
    for (int read = content.read(piece); read >= 0; read = content.read(piece)) {
      out.write(piece, 0, read);
      out.flush();
      received += read;
      if (progress != null) {
        progress.progressed(received, body.length());
      }
    }
    out.flush();
  }

  private static boolean isJson(Response response) {
    String type = response.headers().first(HeaderName.CONTENT_TYPE);
    try {
      String subtype = type == null ? "" : MediaType.parse(type).subtype();
      return subtype.equals("json") || subtype.endsWith("+json");
    } catch (IllegalArgumentException e) {
      return false; // What is no media type is not JSON's.
    }
  }

  /** JSON in lines; content that is too long, or not JSON, as it is. */
  private static InputStream setOut(InputStream content) throws IOException {
    byte[] text = content.readNBytes(LONGEST_JSON);
    var whole = new SequenceInputStream(new ByteArrayInputStream(text), content);
    if (text.length == LONGEST_JSON) {
      return checked(whole);
    }
    var lines = new ByteArrayOutputStream();
    JsonMapper json = JsonMapper.shared();
    try (JsonParser parser = json.createParser(text);
        JsonGenerator generator = json.writerWithDefaultPrettyPrinter().createGenerator(lines)) {
      while (parser.nextToken() != null) {
        generator.copyCurrentEventExact(parser);
      }
    } catch (JacksonException e) {
      return checked(whole);
    }
    String safe = Terminal.printable(lines.toString(StandardCharsets.UTF_8)) + '\n';
    return new ByteArrayInputStream(safe.getBytes(StandardCharsets.UTF_8));
  }

  /** As in curl, a zero octet at the beginning tells content that is no text. */
  private static InputStream checked(InputStream content) throws IOException {
    byte[] first = new byte[PIECE];
    int read = Math.max(0, content.read(first));
    for (int i = 0; i < read; i++) {
      if (first[i] == 0) {
        throw new IOException("the content is binary, which would upset the terminal:"
            + " -o FILE writes it to a file, -o - to the terminal all the same");
      }
    }
    return new SequenceInputStream(new ByteArrayInputStream(first, 0, read), content);
  }
}
