package heddle.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.http.Method;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestDescriptionTest {
  @ParameterizedTest
  @CsvSource({
    "/, /",
    "/a/b?token=s, /a/b",
    "/a#b, /a",
    "/@types/node?x=@, /@types/node",
    "/a?u=http://b/c, /a",
    "/a://b/c@d, /a://b/c@d",
    "*, *",
    "http://h, /",
    "http://h?token=s, /",
    "http://h/a?token=s, /a",
    "http://user:secret@h/a@b?token=s, /a@b",
    "user:secret@h:443, h:443",
    "h:443, h:443",
  })
  void requestIsDescribedByItsPathAlone(String target, String shown) {
    assertEquals("GET " + shown, Responding.describe(Method.GET, target));
  }
}
