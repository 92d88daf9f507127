package heddle.http.syntax;

import java.net.IDN;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Characters beyond those of URLs, and what stands for them there. */
public final class Iri {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private Iri() {}

  /**
   * The URL that an IRI means (RFC 3987 section 3.1): path and query with the octets of UTF-8
   * percent-encoded, the host in its ASCII form, as {@link IDN} makes it (IDNA 2003). What is ASCII
   * stays as it is, whether it is legal or not.
   *
   * @param hostFrom where the host begins
   * @param hostTo where it ends
   * @throws SyntaxException if the host is no international name, or a surrogate has no other half
   */
  static String toUrl(String iri, int hostFrom, int hostTo) {
    String host = iri.substring(hostFrom, hostTo);
    if (!isAscii(host)) {
      host = toAscii(host, hostFrom);
    }
    StringBuilder url =
        new StringBuilder(iri.length() + 32).append(iri, 0, hostFrom).append(host);
    int i = hostTo;
    while (i < iri.length()) {
      int point = iri.codePointAt(i);
      if (point < 0x80) {
        url.append((char) point);
      } else if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
        throw new SyntaxException(
            i, "half a surrogate pair at index %d: %s".formatted(i, Octets.describe(point)));
      } else {
        for (byte octet : Character.toString(point).getBytes(StandardCharsets.UTF_8)) {
          appendEncoded(url, octet);
        }
      }
      i += Character.charCount(point);
    }
    return url.toString();
  }

  private static String toAscii(String host, int index) {
    try {
      String ascii = IDN.toASCII(host);
      // Some characters become a slash or a colon, which would end the host elsewhere.
      return Host.parse(ascii, 0, ascii.length());
    } catch (IllegalArgumentException e) {
      throw new SyntaxException(index, "the host at index " + index + " is no international name");
    }
  }

  static boolean isAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= 0x80) {
        return false;
      }
    }
    return true;
  }

  /**
   * A text in which only unreserved characters stay, and all others are octets of UTF-8,
   * percent-encoded: what RFC 6570 section 3.2.2 puts in the place of a variable.
   */
  public static String encode(String text) {
    byte[] octets = text.getBytes(StandardCharsets.UTF_8);
    StringBuilder encoded = new StringBuilder(octets.length + 16);
    for (byte octet : octets) {
      if (Octets.isUnreserved(octet)) {
        encoded.append((char) octet);
      } else {
        appendEncoded(encoded, octet);
      }
    }
    return encoded.toString();
  }

  /** A field's value, one char for each octet, with those beyond ASCII percent-encoded. */
  public static String encodeOctets(String value) {
    if (isAscii(value)) {
      return value;
    }
    StringBuilder encoded = new StringBuilder(value.length() + 16);
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c < 0x80) {
        encoded.append(c);
      } else {
        appendEncoded(encoded, (byte) c);
      }
    }
    return encoded.toString();
  }

  /** Appends an octet, percent-encoded (RFC 3986 section 2.1). */
  public static void appendEncoded(StringBuilder to, byte octet) {
    to.append('%').append(HEX.toHexDigits(octet));
  }
}
