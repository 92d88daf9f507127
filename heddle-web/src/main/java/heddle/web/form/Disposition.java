package heddle.web.form;

import heddle.http.syntax.FieldParser;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The Content-Disposition of a part of a form (RFC 7578 section 4.2). */
record Disposition(String name, @Nullable String fileName) {
  /**
   * Reads the value of the field, whose chars stand for octets. {@code filename*} is ignored, which
   * RFC 7578 does not allow in forms.
   */
  static Disposition parse(String value) throws FormException {
    try {
      return new Parser(value).parse();
    } catch (IllegalArgumentException e) {
      throw FormException.malformed("a part's Content-Disposition has " + e.getMessage(), e);
    } catch (CharacterCodingException e) {
      throw FormException.malformed("a part's name or file name is not UTF-8", e);
    }
  }

  private static final class Parser {
    private final FieldParser in;
    private @Nullable String name;
    private @Nullable String fileName;

    Parser(String value) {
      in = new FieldParser(value, "its value");
    }

    Disposition parse() throws FormException, CharacterCodingException {
      String type = in.token("a type");
      if (!type.equalsIgnoreCase("form-data")) {
        throw FormException.malformed("a part's Content-Disposition is not form-data");
      }
      in.skipBlanks();
      while (in.peek() >= 0) {
        in.expect(';');
        in.skipBlanks();
        if (in.peek() >= 0) {
          parameter();
          in.skipBlanks();
        }
      }
      if (name == null) {
        throw FormException.malformed("a part has no name: RFC 7578 section 4.2 asks for one");
      }
      return new Disposition(name, fileName);
    }

    private void parameter() throws FormException, CharacterCodingException {
      String parameter = in.name();
      in.expect('=');
      String value = in.peek() == '"' ? quoted() : in.token("a parameter's value");
      if (parameter.equals("name")) {
        requireFirst(name, "names");
        name = decode(value);
      } else if (parameter.equals("filename")) {
        requireFirst(fileName, "file names");
        fileName = decode(value);
      }
    }

    private static void requireFirst(@Nullable String before, String what) throws FormException {
      if (before != null) {
        throw FormException.malformed("a part has two " + what);
      }
    }

    /** Browsers escape no backslash: it escapes a quotation mark, as curl sent it, and no more. */
    private String quoted() {
      StringBuilder value = new StringBuilder();
      int start = in.at++;
      while (in.peek() != '"') {
        if (in.peek() == '\\' && in.peek(in.at + 1) == '"') {
          in.at++;
        }
        if (in.peek() < 0) {
          in.at = start;
          throw in.wrong("a quoted string without its end");
        }
        value.append((char) in.peek());
        in.at++;
      }
      in.at++;
      return value.toString();
    }

    /** UTF-8, and the three escapes of the HTML standard's multipart/form-data encoding. */
    private static String decode(String octets) throws CharacterCodingException {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(octets.getBytes(StandardCharsets.ISO_8859_1)))
          .toString()
          .replace("%22", "\"")
          .replace("%0D", "\r")
          .replace("%0A", "\n");
    }
  }
}
