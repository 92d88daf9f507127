package heddle.web.filter;

import heddle.http.HeaderName;
import heddle.http.Headers;

/** The field that says to caches on which fields of the request a response depends. */
final class Vary {
  private Vary() {}

  /** These fields, with a Vary that names this field of requests (RFC 9110 §12.5.5). */
  static Headers on(HeaderName field, Headers fields) {
    boolean named = fields.containsToken(HeaderName.VARY, field.toString())
        || fields.containsToken(HeaderName.VARY, "*");
    return named
        ? fields
        : fields.toBuilder().add(HeaderName.VARY, field.toString()).build();
  }
}
