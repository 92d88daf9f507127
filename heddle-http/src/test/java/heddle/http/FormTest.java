package heddle.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FormTest {
  private static String encoded(String value) {
    return Form.of("n", value).encoded().substring(2);
  }

  @Test
  void fieldsKeepTheirOrderAndMayRepeat() {
    Form form = Form.builder().add("b", "1").add("a", "2").add("b", "3").build();
    assertEquals("b=1&a=2&b=3", form.encoded());
    assertEquals(
        List.of(new Form.Field("b", "1"), new Form.Field("a", "2"), new Form.Field("b", "3")),
        form.fields());
    assertEquals("1", form.first("b"));
    assertEquals(List.of("1", "3"), form.all("b"));
    assertNull(form.first("B"));
    assertEquals(List.of(), form.all("c"));
    assertEquals("", Form.of().encoded());
    assertEquals("=&=", Form.of("", "", "", "").encoded());
  }

  @Test
  void whatTheUrlStandardLeavesIsLeftAndAllElseIsEscaped() {
    String left = "abcXYZ0189*-._";
    assertEquals(left, encoded(left));
    assertEquals("+", encoded(" "));
    assertEquals("%2B%26%3D%25%7E%21%27%28%29", encoded("+&=%~!'()"));
    assertEquals("%0D%0A%00%7F", encoded("\r\n\0\u007f"));
    assertEquals("%C3%A9%E2%82%AC%F0%9F%92%A9", encoded("é€💩"));
  }

  @Test
  void halfASurrogatePairBecomesTheReplacementCharacter() {
    assertEquals("a%EF%BF%BDb", encoded("a\ud83db"));
    assertEquals("%EF%BF%BD", encoded("\udca9"));
  }

  @Test
  void namesAreEscapedAsValuesAre() {
    assertEquals("a%26b+c=d%3De", Form.of("a&b c", "d=e").encoded());
  }

  @Test
  void anyTextComesBackFromADecoder() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 500; i++) {
      StringBuilder text = new StringBuilder();
      random
          .ints(random.nextInt(20), 0, 0x11_0000)
          .filter(c -> c < 0xD800 || c > 0xDFFF)
          .forEach(text::appendCodePoint);
      assertEquals(
          text.toString(),
          URLDecoder.decode(encoded(text.toString()), StandardCharsets.UTF_8),
          () -> "seed " + seed);
    }
  }

  @Test
  void bodyIsOfTheFormsMediaTypeAndReplayable() throws Exception {
    Request request = Request.post("http://a/", Form.of("q", "a b").body());
    assertEquals(
        "application/x-www-form-urlencoded", request.headers().first(HeaderName.CONTENT_TYPE));
    assertEquals("q=a+b", request.body().string());
    assertEquals("q=a+b", request.body().string());
    assertTrue(request.body().isReplayable());
    assertEquals(5, request.body().length());
  }

  @Test
  void valuesStayOutOfLogs() {
    Form form = Form.of("user", "ann", "password", "secret");
    assertEquals("Form(user, password)", form.toString());
    assertFalse(form.toString().contains("secret"));
  }

  @Test
  void nameWithoutValueIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> Form.of("a", "b", "c"));
  }
}
