package heddle.web.form;

import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.MediaType;
import heddle.http.Request;
import heddle.http.syntax.Boundary;
import heddle.http.syntax.Octets;
import heddle.web.syntax.ContentType;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code multipart/form-data} (RFC 7578) part by part, as it arrives. {@link
 * heddle.http.MultipartBody} writes it; {@link FormData} collects it.
 *
 * <pre>{@code
 * try (MultipartReader parts = MultipartReader.of(request, FormLimits.DEFAULT)) {
 *   for (FormPart part = parts.next(); part != null; part = parts.next()) {
 *     if (part.fileName() != null) {
 *       store.save(part.name(), part.stream());
 *     }
 *   }
 * }
 * }</pre>
 *
 * <p>Names and file names are in UTF-8, with the three escapes of browsers: {@code %22}, {@code
 * %0D} and {@code %0A}. What stands before the first boundary and after the last is ignored. Lines
 * of heads end with CRLF, and are not folded. A form that ends before its last boundary is
 * malformed, as is a part without a name. Holds 16 KiB and the head of a part, whatever the
 * form's size. For one thread at a time.
 */
public final class MultipartReader implements AutoCloseable {
  private static final HeaderName TRANSFER_ENCODING = HeaderName.of("Content-Transfer-Encoding");
  private static final Set<String> UNENCODED = Set.of("7bit", "8bit", "binary");
  private static final int FIRST_LINE = 128;

  private final Body form;
  private final InputStream content;
  private final DelimitedInput in;
  private final FormLimits limits;
  private @Nullable FormPart current;
  private @Nullable IOException failure;
  private int parts;
  private boolean isBegun;
  private boolean isAtEnd;

  private MultipartReader(Body form, String boundary, FormLimits limits) throws IOException {
    this.form = form;
    this.content = form.stream();
    this.in = new DelimitedInput(content, boundary, limits.maxBytes());
    this.limits = limits;
  }

  /**
   * A reader of the content of a request.
   *
   * @throws FormException if it is of another media type, has no boundary, or announces more than
   *     {@code maxBytes}
   * @throws IOException if it cannot be read
   */
  public static MultipartReader of(Request request, FormLimits limits) throws IOException {
    Body body = request.body();
    MediaType mediaType = ContentType.of(request.headers());
    if (mediaType == null || !isForm(mediaType)) {
      throw FormException.unsupported("the content is " + mediaType + ": send multipart/form-data");
    }
    String boundary = mediaType.parameter("boundary");
    if (boundary == null || !Boundary.isLegal(boundary)) {
      throw FormException.malformed("multipart/form-data has "
          + (boundary == null ? "no boundary" : "the boundary " + Octets.quote(boundary))
          + ": RFC 2046 section 5.1.1 asks for one of 1 to 70 characters");
    }
    if (body.length() > limits.maxBytes()) {
      throw FormException.tooLarge("bytes", limits.maxBytes(), "maxBytes");
    }
    return new MultipartReader(body, boundary, limits);
  }

  static boolean isForm(MediaType mediaType) {
    return mediaType.type().equals("multipart") && mediaType.subtype().equals("form-data");
  }

  /**
   * Skips the rest of the part before, and reads the head of the next.
   *
   * @return null if there is none
   * @throws FormException if the form is malformed, cut, or exceeds a limit
   * @throws IOException if it cannot be read
   */
  public @Nullable FormPart next() throws IOException {
    if (failure != null) {
      throw failure; // It is not known where the next part begins.
    }
    try {
      return isAtEnd ? null : read();
    } catch (IOException e) {
      failure = e;
      throw e;
    }
  }

  private @Nullable FormPart read() throws IOException {
    FormPart before = current;
    if (before != null) {
      before.finish();
    } else if (!isBegun) {
      isBegun = true;
      skipPreamble();
    }
    current = null;
    if (!in.skipDelimiter()) {
      isAtEnd = true;
      return null;
    }
    if (++parts > limits.maxParts()) {
      throw FormException.tooLarge("parts", limits.maxParts(), "maxParts");
    }
    Headers headers = head();
    checkEncoding(headers);
    List<String> dispositions = headers.all(HeaderName.CONTENT_DISPOSITION);
    if (dispositions.size() != 1) {
      throw FormException.malformed(
          "a part has " + dispositions.size() + " fields Content-Disposition instead of one");
    }
    Disposition disposition = Disposition.parse(dispositions.get(0));
    FormPart part = new FormPart(headers, disposition, in, limits.maxPartBytes(), form);
    current = part;
    return part;
  }

  private void skipPreamble() throws IOException {
    int skipped;
    do {
      skipped = in.readContent(null, 0, Integer.MAX_VALUE);
    } while (skipped >= 0);
  }

  /** RFC 7578 section 4.7: deprecated. Content that is encoded must not be taken for plain. */
  private static void checkEncoding(Headers headers) throws FormException {
    for (String value : headers.all(TRANSFER_ENCODING)) {
      if (!UNENCODED.contains(value.toLowerCase(Locale.ROOT))) {
        throw FormException.malformed("a part has the Content-Transfer-Encoding "
            + Octets.quote(value) + ", which RFC 7578 section 4.7 deprecates: send it unencoded");
      }
    }
  }

  private Headers head() throws IOException {
    Headers.Builder fields = Headers.builder();
    byte[] line = new byte[FIRST_LINE];
    int total = 0;
    int length = 0;
    while (true) {
      int c = in.next();
      if (++total > limits.maxHeadBytes()) {
        throw FormException.tooLarge(
            "bytes in the head of a part", limits.maxHeadBytes(), "maxHeadBytes");
      }
      if (c != '\n') {
        line = length == line.length ? Arrays.copyOf(line, 2 * length) : line;
        line[length++] = (byte) c;
      } else if (length == 0 || line[length - 1] != '\r') {
        throw FormException.malformed("a line in the head of a part does not end with CRLF");
      } else if (length == 1) {
        return fields.build();
      } else {
        add(fields, line, length - 1);
        length = 0;
      }
    }
  }

  private static void add(Headers.Builder fields, byte[] line, int length) throws FormException {
    int colon = Octets.indexOf(line, 0, length, ':');
    if (colon <= 0) {
      throw FormException.malformed(
          "a line in the head of a part is not a field: " + Octets.quote(line, 0, length));
    }
    int from = Octets.skipBlanks(line, colon + 1, length);
    int to = Octets.skipBlanksBack(line, from, length);
    try {
      fields.add(HeaderName.of(line, 0, colon), line, from, to - from);
    } catch (IllegalArgumentException e) {
      throw FormException.malformed("a part has a malformed field: " + e.getMessage(), e);
    }
  }

  /** Closes the content; the parts that were not read are given up. */
  @Override
  public void close() throws IOException {
    isAtEnd = true;
    content.close();
  }
}
