package heddle.har;

import heddle.http.Form;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.MediaType;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Content as text, if it is text. */
final class ContentText {
  private ContentText() {}

  /** The media type of a message; null if it has none, or none that can be understood. */
  static @Nullable MediaType typeOf(Headers fields) {
    return parse(fields.first(HeaderName.CONTENT_TYPE));
  }

  /** The media type; null if there is no text, or none that can be understood. */
  static @Nullable MediaType parse(@Nullable String text) {
    try {
      return text == null ? null : MediaType.parse(text);
    } catch (IllegalArgumentException malformed) {
      return null;
    }
  }

  /** The octets of a field, one in each char, as UTF-8, which most servers mean beyond ASCII. */
  static String ofOctets(String octets) {
    return new String(octets.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }

  static boolean isForm(@Nullable MediaType type) {
    return type != null
        && type.type().equals(Form.MEDIA_TYPE.type())
        && type.subtype().equals(Form.MEDIA_TYPE.subtype());
  }

  /** The charset of the media type if this JVM has it and can encode with it; otherwise UTF-8. */
  static Charset charset(@Nullable MediaType type) {
    Charset named = type == null ? null : type.charset();
    return named == null || !named.canEncode() ? StandardCharsets.UTF_8 : named;
  }

  /** The text from which the same octets can be made again; null if there is none. */
  static @Nullable String exact(byte[] octets, @Nullable MediaType type) {
    String text = beginning(octets, type);
    return text != null && Arrays.equals(text.getBytes(charset(type)), octets) ? text : null;
  }

  /** The text at the beginning of a content, whose last character may be cut; null if binary. */
  static @Nullable String beginning(byte[] octets, @Nullable MediaType type) {
    CharsetDecoder decoder = charset(type).newDecoder();
    CharBuffer text =
        CharBuffer.allocate((int) Math.ceil(octets.length * (double) decoder.maxCharsPerByte()));
    boolean malformed = decoder.decode(ByteBuffer.wrap(octets), text, false).isError();
    return malformed || hasControls(text.flip()) ? null : text.toString();
  }

  private static boolean hasControls(CharBuffer text) {
    return text.chars().anyMatch(c -> Character.isISOControl(c) && "\t\n\r\f".indexOf(c) < 0);
  }
}
