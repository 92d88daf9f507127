package heddle.cli;

import heddle.http.Body;
import heddle.http.Form;
import heddle.http.MediaType;
import heddle.http.MultipartBody;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a request for its content. */
final class GetContent {

  @Option(
      names = {"-d", "--data"},
      paramLabel = "TEXT|@FILE|@-",
      description = "Form data to POST, as it is; of a file without line ends. Repeated, they are"
          + " joined by &.")
  private List<String> data = List.of();

  @Option(
      names = "--json",
      paramLabel = "TEXT|@FILE|@-",
      description = "JSON to POST; Accept asks for JSON too.")
  private @Nullable String json;

  @Option(
      names = {"-F", "--form"},
      paramLabel = "NAME=TEXT|@FILE|<FILE",
      description = "A part of a multipart form: a text, a file to upload, or a text from a file;"
          + " then ;type=TYPE and ;filename=NAME if wanted. May be repeated.")
  private List<String> parts = List.of();

  @Option(
      names = "--body",
      paramLabel = "TEXT|@FILE|@-",
      description = "Any other content to POST; files and input are sent while they are read.")
  private @Nullable String body;

  /** Whether JSON is sent. */
  boolean isJson() {
    return json != null;
  }

  /**
   * The content; null for none.
   *
   * @throws IllegalArgumentException if options contradict each other
   * @throws IOException if a file cannot be read; the message names it
   */
  @Nullable
  Body body(InputStream in) throws IOException {
    List<Body> all = new ArrayList<>();
    if (!data.isEmpty()) {
      all.add(Body.of(joined(in), Form.MEDIA_TYPE));
    }
    if (json != null) {
      all.add(Body.of(bytes("--json", json, in), MediaType.APPLICATION_JSON));
    }
    if (!parts.isEmpty()) {
      all.add(form(in));
    }
    if (body != null) {
      all.add(plain(body, in));
    }
    if (all.size() > 1) {
      throw new IllegalArgumentException(
          "a request has one content: give -d, --json, -F or --body");
    }
    return all.isEmpty() ? null : all.getFirst();
  }

  private static Body plain(String given, InputStream in) throws IOException {
    if (given.equals("@-")) {
      return Body.of(in);
    }
    return given.startsWith("@") ? Body.of(readable("--body", given.substring(1))) : Body.of(given);
  }

  /** As curl does, so that a file may end with a new line. */
  private byte[] joined(InputStream in) throws IOException {
    var all = new ByteArrayOutputStream();
    for (String each : data) {
      if (all.size() > 0) {
        all.write('&');
      }
      for (byte octet : bytes("-d", each, in)) {
        if (!each.startsWith("@") || octet != '\r' && octet != '\n' && octet != 0) {
          all.write(octet);
        }
      }
    }
    return all.toByteArray();
  }

  /** The text, or what the file or the input that it names after an at-sign holds. */
  private static byte[] bytes(String option, String given, InputStream in) throws IOException {
    if (!given.startsWith("@")) {
      return given.getBytes(StandardCharsets.UTF_8);
    }
    return given.equals("@-")
        ? in.readAllBytes()
        : Files.readAllBytes(readable(option, given.substring(1)));
  }

  static Path readable(String option, String name) throws IOException {
    Path file = Path.of(name);
    if (!Files.isReadable(file) || Files.isDirectory(file)) {
      throw new IOException(option + ": there is no file to read at " + file);
    }
    return file;
  }

  private Body form(InputStream in) throws IOException {
    MultipartBody.Builder form = MultipartBody.builder();
    for (String part : parts) {
      int equals = part.indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException("-F '" + part + "' is not NAME=CONTENT");
      }
      add(form, part.substring(0, equals), Part.of(part.substring(equals + 1)), in);
    }
    return form.build();
  }

  private static void add(MultipartBody.Builder form, String name, Part part, InputStream in)
      throws IOException {
    String content = part.content;
    if (!content.startsWith("@")) {
      byte[] text = content.startsWith("<")
          ? bytes("-F", "@" + content.substring(1), in)
          : content.getBytes(StandardCharsets.UTF_8);
      form.add(name, part.type == null ? Body.of(text) : Body.of(text, part.type));
      return;
    }
    MediaType type = part.type == null ? MediaType.OCTET_STREAM : part.type;
    String source = content.substring(1);
    if (source.equals("-")) {
      form.addFile(
          name, part.fileName == null ? "-" : part.fileName, Body.of(in.readAllBytes(), type));
    } else {
      Path file = readable("-F", source);
      String own = String.valueOf(file.getFileName());
      form.addFile(name, part.fileName == null ? own : part.fileName, Body.of(file, type));
    }
  }

  /** What follows the name of a part. */
  private record Part(String content, @Nullable MediaType type, @Nullable String fileName) {

    private static final Pattern PARAMETER = Pattern.compile(";\\s*(type|filename)=");

    private static MediaType mediaType(String text) {
      try {
        return MediaType.parse(text);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("-F ;type=" + text + ": " + e.getMessage(), e);
      }
    }

    static Part of(String text) {
      Matcher next = PARAMETER.matcher(text);
      boolean more = next.find();
      String content = more ? text.substring(0, next.start()) : text;
      MediaType type = null;
      String fileName = null;
      while (more) {
        String name = next.group(1);
        int from = next.end();
        more = next.find();
        String value = text.substring(from, more ? next.start() : text.length());
        if (name.equals("type")) {
          type = mediaType(value);
        } else {
          fileName = value.replaceAll("^\"(.*)\"$", "$1");
        }
      }
      return new Part(content, type, fileName);
    }
  }
}
