package heddle.web.conditional;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Status;
import java.net.URI;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** RFC 9110 section 13: the tag is "a", and the last change at 08:49:37 and a half. */
class PreconditionsTest {
  private static final Instant CHANGED = Instant.parse("1994-11-06T08:49:37.500Z");
  private static final String SAME = "'Sun, 06 Nov 1994 08:49:37 GMT'";
  private static final String BEFORE = "'Sun, 06 Nov 1994 08:49:36 GMT'";
  private static final String AFTER = "'Sun, 06 Nov 1994 08:49:38 GMT'";

  private static Request request(String method, String fields) {
    Request.Builder request = Request.builder(URI.create("http://t/")).method(Method.of(method));
    for (String field : fields.split("\\|", -1)) {
      int colon = field.indexOf(':');
      request.header(
          field.substring(0, colon).strip(), field.substring(colon + 1).strip());
    }
    return request.build();
  }

  private static int code(Status status) {
    return status == null ? 0 : status.code();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        // 13.1.1 If-Match: strong comparison
        "GET; If-Match: \"a\"; 0",
        "PUT; If-Match: \"b\", \"a\"; 0",
        "PUT; If-Match: \"b\" | If-Match: \"a\"; 0",
        "PUT; If-Match: *; 0",
        "PUT; If-Match: \"b\"; 412",
        "GET; If-Match: \"b\"; 412",
        "PUT; If-Match: W/\"a\"; 412",
        "PUT; If-Match: a; 412",
        "PUT; If-Match: \"a\" \"a\"; 412",
        // 13.1.2 If-None-Match: weak comparison
        "GET; If-None-Match: \"a\"; 304",
        "HEAD; If-None-Match: W/\"a\"; 304",
        "GET; If-None-Match: \"b\", W/\"a\"; 304",
        "GET; If-None-Match: *; 304",
        "GET; If-None-Match: \"b\"; 0",
        "PUT; If-None-Match: \"a\"; 412",
        "PUT; If-None-Match: *; 412",
        "PUT; If-None-Match: \"b\"; 0",
        "GET; If-None-Match: a; 0",
        "PUT; If-None-Match: a; 400",
        // 13.1.3 If-Modified-Since
        "GET; If-Modified-Since: " + SAME + "; 304",
        "HEAD; If-Modified-Since: " + AFTER + "; 304",
        "GET; If-Modified-Since: " + BEFORE + "; 0",
        "GET; If-Modified-Since: yesterday; 0",
        "GET; If-Modified-Since: " + SAME + "| If-Modified-Since: " + SAME + "; 0",
        "POST; If-Modified-Since: " + SAME + "; 0",
        "GET; If-Modified-Since: 'Sun Nov  6 08:49:37 1994'; 304",
        // 13.1.4 If-Unmodified-Since
        "GET; If-Unmodified-Since: " + SAME + "; 0",
        "PUT; If-Unmodified-Since: " + AFTER + "; 0",
        "PUT; If-Unmodified-Since: " + BEFORE + "; 412",
        "GET; If-Unmodified-Since: " + BEFORE + "; 412",
        "PUT; If-Unmodified-Since: yesterday; 0",
        "PUT; If-Unmodified-Since: " + BEFORE + "| If-Unmodified-Since: " + BEFORE + "; 0",
        // 13.2.2 precedence
        "PUT; If-Match: \"a\" | If-Unmodified-Since: " + BEFORE + "; 0",
        "PUT; If-Match: \"b\" | If-Unmodified-Since: " + SAME + "; 412",
        "GET; If-Match: \"a\" | If-None-Match: \"a\"; 304",
        "GET; If-Match: \"b\" | If-None-Match: \"a\"; 412",
        "GET; If-Unmodified-Since: " + BEFORE + "| If-None-Match: \"a\"; 412",
        "GET; If-None-Match: \"b\" | If-Modified-Since: " + AFTER + "; 0",
        "GET; If-None-Match: \"a\" | If-Modified-Since: " + BEFORE + "; 304",
        "GET; If-Match: \"a\" | If-Modified-Since: " + SAME + "; 304",
        // 13.2.1: methods that select no representation
        "OPTIONS; If-Match: \"b\"; 0",
        "TRACE; If-None-Match: \"a\"; 0",
      })
  void conditionsAreEvaluatedInOrder(String method, String fields, int status) {
    Request request = request(method, fields.replace("'", ""));
    assertEquals(
        status, code(Preconditions.evaluate(request, EntityTag.strong("a"), CHANGED)), fields);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "If-Match: *; 412",
        "If-Match: \"a\"; 412",
        "If-None-Match: *; 0",
        "If-None-Match: \"a\"; 0",
        "If-Unmodified-Since: " + BEFORE + "; 0",
      })
  void whatIsMissingMatchesNothing(String fields, int status) {
    Request request = request("PUT", fields.replace("'", ""));
    assertEquals(status, code(Preconditions.evaluateMissing(request)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "If-Match: \"a\"; 412",
        "If-Match: *; 0",
        "If-None-Match: \"a\"; 0",
        "If-None-Match: *; 304",
        "If-Modified-Since: " + AFTER + "; 0",
        "If-Unmodified-Since: " + BEFORE + "; 0",
      })
  void withoutValidatorsOnlyTheAsteriskMatches(String fields, int status) {
    Request request = request("GET", fields.replace("'", ""));
    assertEquals(status, code(Preconditions.evaluate(request, null, null)));
  }

  @Test
  void weakTagsNeverMatchIfMatch() {
    Request request = request("PUT", "If-Match: W/\"a\", \"a\"");
    assertEquals(412, code(Preconditions.evaluate(request, EntityTag.weak("a"), null)));
  }

  /** RFC 9110 section 13.1.5. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "If-Range: \"a\"; true",
        "If-Range: \"b\"; false",
        "If-Range: W/\"a\"; false",
        "If-Range: \"a\", \"a\"; false",
        "If-Range: \"a\" | If-Range: \"a\"; false",
        "If-Range: *; false",
        "If-Range: " + SAME + "; true",
        "If-Range: " + AFTER + "; false",
        "If-Range: " + BEFORE + "; false",
        "If-Range: yesterday; false",
        "Range: bytes=0-; true",
      })
  void ifRangeNeedsAnExactStrongValidator(String fields, boolean allowed) {
    Request request = request("GET", fields.replace("'", ""));
    Instant now = CHANGED.plusSeconds(3600);
    assertEquals(
        allowed, Preconditions.allowsRange(request, EntityTag.strong("a"), CHANGED, now), fields);
  }

  @Test
  void ifRangeRefusesWeakTagsAndRecentDates() {
    Instant now = CHANGED.plusSeconds(3600);
    Request byTag = request("GET", "If-Range: \"a\"");
    assertEquals(false, Preconditions.allowsRange(byTag, EntityTag.weak("a"), CHANGED, now));
    assertEquals(false, Preconditions.allowsRange(byTag, null, CHANGED, now));
    Request byDate = request("GET", "If-Range: " + SAME.replace("'", ""));
    assertEquals(false, Preconditions.allowsRange(byDate, null, CHANGED, CHANGED));
    assertEquals(true, Preconditions.allowsRange(byDate, null, CHANGED, CHANGED.plusSeconds(1)));
    assertEquals(false, Preconditions.allowsRange(byDate, null, null, now));
  }
}
