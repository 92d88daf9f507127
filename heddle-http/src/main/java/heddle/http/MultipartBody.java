package heddle.http;

import heddle.http.io.PartsInput;
import heddle.http.io.PartsInput.Source;
import heddle.http.syntax.Boundary;
import heddle.http.syntax.Octets;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A form as {@code multipart/form-data} (RFC 7578), as browsers send it to upload files. Its length
 * is known if those of all parts are, and it is replayable if all parts are. A part is opened when
 * those before it have been read.
 *
 * <pre>{@code
 * Body upload = MultipartBody.builder()
 *     .add("title", "The year in figures")
 *     .addFile("report", Path.of("report.pdf"), MediaType.parse("application/pdf"))
 *     .build();
 * Request request = Request.post("https://example.com/reports", upload);
 * }</pre>
 *
 * <p>Names and file names are sent in UTF-8. A quotation mark, CR and LF in them become {@code
 * %22}, {@code %0D} and {@code %0A}, as in browsers, so that no name can add a parameter or a
 * field.
 */
public final class MultipartBody extends Body {
  private static final String CRLF = "\r\n";

  private final List<Part> parts;
  private final List<Source> sources;
  private final MediaType mediaType;
  private final long length;
  private final boolean replayable;
  private final AtomicBoolean used = new AtomicBoolean();

  private MultipartBody(List<Part> parts, String boundary) {
    this.parts = parts;
    this.mediaType = MediaType.of("multipart", "form-data").withParameter("boundary", boundary);
    this.replayable = parts.stream().allMatch(part -> part.body.isReplayable());
    this.sources = new ArrayList<>();
    String before = "--" + boundary;
    for (Part part : parts) {
      sources.add(text(before + CRLF + part.head()));
      sources.add(new Source("the part " + part.name, part.body.length(), part.body::stream));
      before = CRLF + "--" + boundary;
    }
    sources.add(text(before + "--" + CRLF));
    this.length = sources.stream().anyMatch(source -> source.length() == UNKNOWN)
        ? UNKNOWN
        : sources.stream().mapToLong(Source::length).reduce(0, Math::addExact);
  }

  private static Source text(String text) {
    byte[] octets = Form.utf8(text);
    return new Source("the form", octets.length, () -> new ByteArrayInputStream(octets));
  }

  /** A builder without parts. */
  public static Builder builder() {
    return new Builder();
  }

  /** One part of a form; its file name is null if it is not a file. */
  private record Part(
      String name, @Nullable String fileName, @Nullable MediaType mediaType, Body body) {
    /** The fields of the part, and the empty line (RFC 7578 section 4). */
    String head() {
      StringBuilder text = new StringBuilder("Content-Disposition: form-data; name=");
      text.append(quoted(name));
      if (fileName != null) {
        text.append("; filename=").append(quoted(fileName));
      }
      if (mediaType != null) {
        text.append(CRLF).append("Content-Type: ").append(mediaType);
      }
      return text.append(CRLF).append(CRLF).toString();
    }

    private static String quoted(String name) {
      String escaped = name.replace("\"", "%22").replace("\r", "%0D").replace("\n", "%0A");
      return '"' + escaped + '"';
    }
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public boolean isReplayable() {
    return replayable;
  }

  /** {@code multipart/form-data} with the boundary. */
  @Override
  public MediaType mediaType() {
    return mediaType;
  }

  /**
   * @throws IllegalStateException if a part is not replayable and this was opened before
   */
  @Override
  public InputStream stream() {
    if (!replayable && used.getAndSet(true)) {
      throw new IllegalStateException("this form can be read only once, and was: give parts that"
          + " can be produced again, such as files or bytes");
    }
    return new PartsInput(sources);
  }

  /** Closes the parts, including streams that were never read. */
  @Override
  public void close() throws IOException {
    IOException failure = null;
    for (Part part : parts) {
      try {
        part.body.close();
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /**
   * Collects parts. A name or file name with a control character other than CR, LF or a tab is
   * refused with an {@link IllegalArgumentException}, as is one that ends with a backslash, which
   * some servers take for an escape of the closing quote. Not safe for use by several threads.
   */
  public static final class Builder {
    private final List<Part> parts = new ArrayList<>();
    private @Nullable String boundary;

    private Builder() {}

    /** Adds a text, without a Content-Type: servers read it as UTF-8 (RFC 7578 section 5.1.2). */
    public Builder add(String name, String value) {
      return add(name, Body.of(Form.utf8(value)));
    }

    /** Adds a part that is not a file; the body's media type becomes the part's Content-Type. */
    public Builder add(String name, Body body) {
      parts.add(new Part(checked("name", name), null, body.mediaType(), body));
      return this;
    }

    /**
     * Adds a file; application/octet-stream if the body has no media type.
     *
     * @param fileName the name sent to the server; without folders
     */
    public Builder addFile(String name, String fileName, Body body) {
      MediaType given = body.mediaType();
      MediaType type = given == null ? MediaType.OCTET_STREAM : given;
      parts.add(new Part(checked("name", name), checked("file name", fileName), type, body));
      return this;
    }

    /**
     * Adds a local file under its name, without its folders.
     *
     * @throws IOException if its size cannot be read, as when there is no such file
     */
    public Builder addFile(String name, Path file, MediaType mediaType) throws IOException {
      Path last = file.getFileName();
      return addFile(name, last == null ? "" : last.toString(), Body.of(file, mediaType));
    }

    private static String checked(String what, String name) {
      for (int i = 0; i < name.length(); i++) {
        char c = name.charAt(i);
        if ("\r\n\t".indexOf(c) < 0 && (c < ' ' || c == 0x7F)) {
          throw new IllegalArgumentException("%s at index %d may not stand in the %s of a part"
              .formatted(Octets.describe(c), i, what));
        }
      }
      if (name.endsWith("\\")) {
        throw new IllegalArgumentException("the " + what + " of a part ends with a backslash, which"
            + " servers may take for an escape of the quotation mark after it: leave it out");
      }
      return name;
    }

    /**
     * Sets what separates the parts. By default it has 128 random bits, so that it occurs in no
     * part by chance and an attacker cannot guess it.
     *
     * @throws IllegalArgumentException if RFC 2046 section 5.1.1 does not allow it
     */
    public Builder boundary(String text) {
      if (!Boundary.isLegal(text)) {
        throw new IllegalArgumentException("a boundary has 1 to " + Boundary.MAX_LENGTH
            + " letters, digits or marks of '()+_,-./:=? and does not end with a space");
      }
      boundary = text;
      return this;
    }

    /**
     * The form.
     *
     * @throws IllegalStateException if it has no part, which RFC 2046 section 5.1.1 does not allow,
     *     or if a part that is held in memory contains the boundary that was set
     */
    public MultipartBody build() {
      if (parts.isEmpty()) {
        throw new IllegalStateException("a form of this kind has at least one part: add one");
      }
      if (boundary == null) {
        return new MultipartBody(List.copyOf(parts), Boundary.random());
      }
      for (Part part : parts) {
        ByteBuffer held = part.body.inMemory();
        // As text of one char for each octet, in which the octets of the boundary are themselves.
        if (held != null
            && StandardCharsets.ISO_8859_1.decode(held).toString().contains("--" + boundary)) {
          throw new IllegalStateException("the part " + part.name
              + " contains the boundary that was set: set another one, or none");
        }
      }
      return new MultipartBody(List.copyOf(parts), boundary);
    }
  }
}
