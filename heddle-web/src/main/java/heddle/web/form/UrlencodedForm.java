package heddle.web.form;

import heddle.http.Body;
import heddle.http.BodyTooLargeException;
import heddle.http.Form;
import heddle.http.MediaType;
import heddle.http.Request;
import heddle.http.syntax.Iri;
import heddle.http.syntax.PercentDecoder;
import heddle.web.syntax.ContentType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Reads {@code application/x-www-form-urlencoded} in UTF-8, as the <a
 * href="https://url.spec.whatwg.org/#urlencoded-parsing">URL standard, section 5.1</a>, says, but
 * refuses malformed escapes and malformed UTF-8. {@link Form} writes it.
 *
 * <pre>{@code
 * Form form = UrlencodedForm.read(request, FormLimits.DEFAULT);
 * }</pre>
 */
public final class UrlencodedForm {
  private UrlencodedForm() {}

  /**
   * Reads the content of a request.
   *
   * @throws FormException if it is of another media type or charset, malformed, or larger than
   *     {@code maxTextBytes}, {@code maxBytes} or {@code maxParts}
   * @throws IOException if it cannot be read
   */
  public static Form read(Request request, FormLimits limits) throws IOException {
    Body body = request.body();
    MediaType mediaType = ContentType.of(request.headers());
    if (mediaType == null || !isForm(mediaType)) {
      throw FormException.unsupported("the content is " + mediaType + ": send " + Form.MEDIA_TYPE);
    }
    if (mediaType.parameter("charset") != null
        && !StandardCharsets.UTF_8.equals(mediaType.charset())) {
      throw FormException.unsupported("the form is in " + mediaType + ": send UTF-8");
    }
    long most = Math.min(limits.maxBytes(), limits.maxTextBytes());
    if (body.length() > most) {
      throw tooLarge(most);
    }
    byte[] content;
    try {
      content = body.bytes(most);
    } catch (BodyTooLargeException e) {
      FormException tooLarge = tooLarge(most);
      tooLarge.addSuppressed(e);
      throw tooLarge;
    }
    // Some clients do not escape octets beyond ASCII.
    String text = Iri.encodeOctets(new String(content, StandardCharsets.ISO_8859_1));
    return parse(text, limits.maxParts());
  }

  private static FormException tooLarge(long most) {
    return FormException.tooLarge("bytes", most, "maxTextBytes or maxBytes");
  }

  static boolean isForm(MediaType mediaType) {
    return mediaType.type().equals(Form.MEDIA_TYPE.type())
        && mediaType.subtype().equals(Form.MEDIA_TYPE.subtype());
  }

  /**
   * Parses a text such as {@code q=a+loom&page=2}. Sequences without characters between two {@code
   * &} are left out; one without {@code =} has an empty value.
   *
   * @param text in ASCII, such as the {@linkplain Request#query query} of a request
   * @param maxFields the most fields, at least 1
   * @throws FormException if it is malformed or has too many fields
   */
  public static Form parse(String text, int maxFields) throws FormException {
    Form.Builder form = Form.builder();
    int fields = 0;
    int at = 0;
    while (at < text.length()) {
      int end = text.indexOf('&', at);
      end = end < 0 ? text.length() : end;
      if (end > at) {
        if (++fields > maxFields) {
          throw FormException.tooLarge("fields", maxFields, "maxParts");
        }
        int equals = text.indexOf('=', at, end);
        String name = decode(text, at, equals < 0 ? end : equals);
        form.add(name, equals < 0 ? "" : decode(text, equals + 1, end));
      }
      at = end + 1;
    }
    return form.build();
  }

  private static String decode(String text, int from, int to) throws FormException {
    String decoded = PercentDecoder.decode(text, from, to, true);
    if (decoded == null) {
      throw FormException.malformed("the name or value at index " + from
          + " has an escape that is malformed, or is not UTF-8");
    }
    return decoded;
  }
}
