package heddle.http;

import heddle.http.syntax.Iri;
import heddle.http.syntax.Octets;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a form in the order in which they are sent; a name may occur more than once.
 * Serialized as the <a href="https://url.spec.whatwg.org/#urlencoded-serializing">URL standard,
 * section 5.2</a>, says, in UTF-8. Immutable and safe to share.
 *
 * <pre>{@code
 * Form form = Form.of("user", "ann", "remember", "yes");
 * Request login = Request.post("https://example.com/login", form.body());
 * Request search = Request.get("https://example.com/search?" + form.encoded());
 * }</pre>
 */
public final class Form {
  /** {@code application/x-www-form-urlencoded}. */
  public static final MediaType MEDIA_TYPE = MediaType.of("application", "x-www-form-urlencoded");

  private static final String UNESCAPED = "*-._";
  private static final byte[] REPLACEMENT = {(byte) 0xEF, (byte) 0xBF, (byte) 0xBD}; // U+FFFD

  private final List<Field> fields;

  private Form(List<Field> fields) {
    this.fields = fields;
  }

  /** A name and its value, as they were before they are encoded. */
  public record Field(String name, String value) {}

  /**
   * A form from names and values in turn.
   *
   * @throws IllegalArgumentException if the number of strings is odd
   */
  public static Form of(String... namesAndValues) {
    Builder builder = builder();
    Headers.forEachPair(namesAndValues, builder::add);
    return builder.build();
  }

  /** A builder without fields. */
  public static Builder builder() {
    return new Builder();
  }

  /** The fields in their order. */
  public List<Field> fields() {
    return fields;
  }

  /** The value of the first field with this name; null if there is none. */
  public @Nullable String first(String name) {
    for (Field field : fields) {
      if (field.name.equals(name)) {
        return field.value;
      }
    }
    return null;
  }

  /** The values of all fields with this name, in their order. */
  public List<String> all(String name) {
    return fields.stream()
        .filter(field -> field.name.equals(name))
        .map(Field::value)
        .toList();
  }

  /** The form as ASCII text, such as {@code q=a+loom&page=2}, for a body or a query. */
  public String encoded() {
    StringBuilder text = new StringBuilder();
    for (Field field : fields) {
      if (!text.isEmpty()) {
        text.append('&');
      }
      encode(field.name, text);
      encode(field.value, text.append('='));
    }
    return text.toString();
  }

  private static void encode(String plain, StringBuilder text) {
    for (byte octet : utf8(plain)) {
      char c = (char) (octet & 0xFF);
      if (c == ' ') {
        text.append('+');
      } else if (Octets.isAlpha(c) || Octets.isDigit(c) || UNESCAPED.indexOf(c) >= 0) {
        text.append(c);
      } else {
        Iri.appendEncoded(text, octet);
      }
    }
  }

  /** UTF-8, where half a surrogate pair becomes U+FFFD as in browsers; String makes it '?'. */
  static byte[] utf8(String text) {
    try {
      ByteBuffer encoded = StandardCharsets.UTF_8
          .newEncoder()
          .onMalformedInput(CodingErrorAction.REPLACE)
          .replaceWith(REPLACEMENT)
          .encode(CharBuffer.wrap(text));
      byte[] octets = new byte[encoded.remaining()];
      encoded.get(octets);
      return octets;
    } catch (CharacterCodingException impossible) {
      throw new AssertionError("UTF-8 has all scalar values", impossible);
    }
  }

  /** The form as content; replayable. */
  public Body body() {
    return Body.of(encoded().getBytes(StandardCharsets.US_ASCII), MEDIA_TYPE);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Form other && fields.equals(other.fields);
  }

  @Override
  public int hashCode() {
    return fields.hashCode();
  }

  /** The names, for a log; values may be confidential. */
  @Override
  public String toString() {
    return fields.stream().map(Field::name).collect(Collectors.joining(", ", "Form(", ")"));
  }

  /** Collects fields. Not safe for use by several threads. */
  public static final class Builder {
    private final List<Field> fields = new ArrayList<>();

    private Builder() {}

    /** Adds a field after those that are there. */
    public Builder add(String name, String value) {
      fields.add(new Field(name, value));
      return this;
    }

    /** Builds the form. */
    public Form build() {
      return new Form(List.copyOf(fields));
    }
  }
}
