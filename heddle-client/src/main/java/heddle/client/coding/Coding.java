package heddle.client.coding;

import heddle.http.HeaderName;
import heddle.http.Headers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A content coding that can be decoded (RFC 9110 section 8.4.1). */
enum Coding {
  /** RFC 1952. */
  GZIP,
  /** RFC 1950, or RFC 1951 without a wrapper. */
  DEFLATE;

  /** The value of Accept-Encoding, as in the static table of HPACK, so that it takes one octet. */
  static final String ACCEPTED = "gzip, deflate";

  /**
   * The codings that were applied to a message's content, in that order; identity is none.
   *
   * @return null if one of them is not supported
   */
  static @Nullable List<Coding> appliedTo(Headers headers) {
    List<Coding> applied = new ArrayList<>();
    for (String list : headers.all(HeaderName.CONTENT_ENCODING)) {
      for (String element : list.split(",", -1)) {
        // RFC 9110 section 8.4.1: names of codings ignore case.
        switch (element.strip().toLowerCase(Locale.ROOT)) {
          case "gzip", "x-gzip" -> applied.add(GZIP);
          case "deflate" -> applied.add(DEFLATE);
          case "identity", "" -> {}
          default -> {
            return null;
          }
        }
      }
    }
    return applied;
  }
}
