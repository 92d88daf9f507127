package heddle.codec.hpack;

import heddle.http.HeaderName;
import java.nio.charset.StandardCharsets;

/** The static table, RFC 7541 appendix A: one instance for each entry. */
final class StaticTable {
  static final int SIZE = 61; // indices begin at 1

  private static final String ENTRIES =
      """
      :authority | :method GET | :method POST | :path / | :path /index.html | :scheme http
      :scheme https | :status 200 | :status 204 | :status 206 | :status 304 | :status 400
      :status 404 | :status 500 | accept-charset | accept-encoding gzip, deflate | accept-language
      accept-ranges | accept | access-control-allow-origin | age | allow | authorization
      cache-control | content-disposition | content-encoding | content-language | content-length
      content-location | content-range | content-type | cookie | date | etag | expect | expires
      from | host | if-match | if-modified-since | if-none-match | if-range | if-unmodified-since
      last-modified | link | location | max-forwards | proxy-authenticate | proxy-authorization
      range | referer | refresh | retry-after | server | set-cookie | strict-transport-security
      transfer-encoding | user-agent | vary | via | www-authenticate
      """;

  private static final HpackField[] FIELDS = new HpackField[SIZE + 1];
  private static final String[] VALUES = new String[SIZE + 1]; // for comparison with strings

  static {
    String[] entries = ENTRIES.split("\n| \\| ", -1);
    for (int index = SIZE; index >= 1; index--) {
      String entry = entries[index - 1];
      int space = entry.indexOf(' ');
      byte[] name = ascii(space < 0 ? entry : entry.substring(0, space));
      VALUES[index] = space < 0 ? "" : entry.substring(space + 1);
      byte[] value = ascii(VALUES[index]);
      Pseudo pseudo = Pseudo.find(name, 0, name.length);
      FIELDS[index] = pseudo == null
          ? HpackField.of(HeaderName.of(name, 0, name.length), value)
          : HpackField.of(pseudo, value);
    }
    FIELDS[0] = FIELDS[1]; // never asked for
    VALUES[0] = "";
  }

  private StaticTable() {}

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** The entry at {@code index}, from 1 to {@link #SIZE}. */
  static HpackField get(int index) {
    return FIELDS[index];
  }

  /** The index of the entry with this name and value, or 0. */
  static int indexOf(Pseudo pseudo, String value) {
    int first = pseudo.firstIndex();
    for (int index = first; index < first + pseudo.entries(); index++) {
      if (VALUES[index].equals(value)) {
        return index;
      }
    }
    return 0;
  }
}
