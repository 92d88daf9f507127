package heddle.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HeadersTest {
  private static byte[] latin1(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  @Test
  void wellKnownNamesAreOneInstanceInEveryCaseAndAtEveryOffset() throws Exception {
    int seen = 0;
    for (var field : HeaderName.class.getFields()) {
      if (!Modifier.isStatic(field.getModifiers()) || field.getType() != HeaderName.class) {
        continue;
      }
      HeaderName name = (HeaderName) field.get(null);
      String text = name.toString();
      for (String form :
          List.of(text, text.toLowerCase(Locale.ROOT), text.toUpperCase(Locale.ROOT))) {
        byte[] bytes = latin1("  " + form + ":");
        assertSame(name, HeaderName.of(form));
        assertSame(name, HeaderName.of(bytes, 2, form.length()));
      }
      seen++;
    }
    assertTrue(seen > 60, "constants: " + seen);
  }

  @Test
  void unknownNamesAreEqualWhateverTheirCase() {
    HeaderName name = HeaderName.of("X-Loom");
    HeaderName other = HeaderName.of(latin1("x-LOOM"), 0, 6);
    assertEquals(name, other);
    assertEquals(name.hashCode(), other.hashCode());
    assertEquals("x-LOOM", other.toString());
    assertEquals("x-loom", other.lowerCase());
    byte[] written = new byte[8];
    assertEquals(7, other.copyLowerCaseTo(written, 1));
    assertEquals("\0x-loom\0", new String(written, StandardCharsets.ISO_8859_1));
    assertNotEquals(name, HeaderName.of("X-Looms"));
    assertNotEquals(HeaderName.of("X-Loo^"), HeaderName.of("X-Loo~"));
  }

  @Test
  void nameThatIsNoTokenIsRefused() {
    for (String bad :
        List.of("", " ", "a b", "a:", "a\r", "a\n", "a\0", "\u00e4", "(a)", "a\u0100", "Host ")) {
      assertThrows(IllegalArgumentException.class, () -> HeaderName.of(bad), bad);
      assertThrows(IllegalArgumentException.class, () -> Method.of(bad), bad);
      byte[] bytes = latin1(bad.replace('\u0100', '\u0080'));
      assertThrows(
          IllegalArgumentException.class, () -> HeaderName.of(bytes, 0, bytes.length), bad);
      assertThrows(IllegalArgumentException.class, () -> Method.of(bytes, 0, bytes.length), bad);
    }
  }

  @Test
  void methodsAreCaseSensitiveAndKnownOnesInterned() {
    assertSame(Method.GET, Method.of("GET"));
    assertSame(Method.PATCH, Method.of(latin1("xPATCHx"), 1, 5));
    assertNotEquals(Method.GET, Method.of("get"));
    assertEquals(Method.of("PURGE"), Method.of(latin1("PURGE"), 0, 5));
    assertTrue(Method.DELETE.isIdempotent() && !Method.DELETE.isSafe());
    assertFalse(Method.of("PURGE").isIdempotent());
  }

  /** Every octet at every place of values long and short, from strings and from bytes. */
  @Test
  void valueWithAControlCharacterIsRefusedWhereverItStands() {
    for (int length = 1; length <= 19; length++) {
      for (int at = 0; at < length; at++) {
        for (int c = 0; c <= 0xFF; c++) {
          StringBuilder text = new StringBuilder("v".repeat(length));
          text.setCharAt(at, (char) c);
          String value = text.toString();
          boolean blankAtEnd = (c == ' ' || c == '\t') && (at == 0 || at == length - 1);
          boolean legal = !blankAtEnd && (c == '\t' || (c >= ' ' && c != 0x7F));
          byte[] bytes = latin1("\r\n" + value + "\r\n");
          Headers.Builder builder = Headers.builder();
          int size = length;
          if (legal) {
            builder.add("a", value).add(HeaderName.AGE, bytes, 2, size);
            assertEquals(value, builder.build().value(0));
            assertEquals(value, builder.build().value(1));
          } else {
            assertThrows(IllegalArgumentException.class, () -> builder.add("a", value));
            assertThrows(
                IllegalArgumentException.class, () -> builder.add(HeaderName.AGE, bytes, 2, size));
            assertEquals(0, builder.size());
          }
        }
      }
    }
    assertThrows(IllegalArgumentException.class, () -> Headers.of("a", "\u010d\u010a"));
  }

  @Test
  void fieldsKeepTheirOrderAndRepeat() {
    Headers headers = Headers.of("B", "1", "a", "2", "b", "");
    assertEquals(List.of("1", ""), headers.all("b"));
    assertEquals("1", headers.first("b"));
    assertNull(headers.first("c"));
    assertTrue(headers.contains("A"));
    assertEquals("{B: 1, a: 2, b: }", headers.toString());
    assertEquals(headers, Headers.of("b", "1", "A", "2", "B", ""));
    assertNotEquals(headers, Headers.of("b", "12", "A", "", "B", ""));
    assertEquals(headers, headers.toBuilder().build());
    assertThrows(IllegalArgumentException.class, () -> Headers.of("a"));
  }

  @Test
  void valueIsComparedWithOctetsAsAWhole() {
    Headers headers = Headers.of("A", "first", "B", "s\u00e9cond", "C", "");
    assertTrue(headers.valueEquals(1, latin1("s\u00e9cond")));
    assertFalse(headers.valueEquals(1, latin1("s\u00e9con")));
    assertFalse(headers.valueEquals(0, latin1("firs\u00e9")));
    assertTrue(headers.valueEquals(2, new byte[0]));
  }

  @Test
  void setReplacesAndRemoveClosesTheGap() {
    Headers.Builder builder = Headers.of("a", "1", "b", "22", "A", "333", "c", "4").toBuilder();
    assertEquals("{b: 22, c: 4, a: 5}", builder.set("a", "5").build().toString());
    assertThrows(IllegalArgumentException.class, () -> builder.set("b", "\n"));
    assertEquals("{b: 22, a: 5}", builder.remove("C").build().toString());
    Headers before = builder.build();
    assertEquals("{d: 6}", builder.clear().add("d", "6").build().toString());
    assertEquals("{b: 22, a: 5}", before.toString());
  }

  @Test
  void foldedValuesGoOnBehindASpace() {
    Headers.Builder builder = Headers.builder();
    byte[] more = latin1("xbcx");
    assertThrows(IllegalStateException.class, () -> builder.fold(more, 1, 2));
    builder.add("first", "1").add("a", "").fold(more, 1, 2).fold(more, 0, 1).fold(more, 0, 0);
    assertEquals("{first: 1, a: bc x}", builder.build().toString());
    assertThrows(IllegalArgumentException.class, () -> builder.fold(latin1("a\r"), 0, 2));
    assertThrows(IllegalArgumentException.class, () -> builder.fold(latin1("a "), 0, 2));
    assertEquals("{first: 1, a: bc x, b: 2}", builder.add("b", "2").build().toString());
  }

  @Test
  void tokenIsFoundInAnyListElementIgnoringCase() {
    Headers headers =
        Headers.of("Connection", "keep-alive,\t Upgrade ,,x", "connection", "a, CLOSE");
    for (String token : List.of("keep-alive", "upgrade", "X", "close", "a")) {
      assertTrue(headers.containsToken(HeaderName.CONNECTION, token), token);
    }
    for (String token : List.of("keep", "alive", "clos", "closed", "keep-alive,\t Upgrade")) {
      assertFalse(headers.containsToken(HeaderName.CONNECTION, token), token);
    }
    Headers quoted = Headers.of("TE", "\"a, close, \\\", close\", trailers;q=1, y");
    assertFalse(quoted.containsToken(HeaderName.TE, "close"));
    assertFalse(quoted.containsToken(HeaderName.TE, "trailers"));
    assertTrue(quoted.containsToken(HeaderName.TE, "y"));
    assertFalse(Headers.of("TE", "\u00ff").containsToken(HeaderName.TE, "x"));
  }

  @Test
  void credentialsAreMasked() {
    String text = Headers.of("set-cookie", "hunter2", "COOKIE", "hunter2").toString();
    assertEquals("{Set-Cookie: ***, Cookie: ***}", text);
  }

  @Test
  void userInformationIsMasked() {
    Headers headers = Headers.of(
        "Location", "https://user:hunter2@h/a@b",
        "Referer", "//hunter2@h",
        "Content-Location", "http://h/a@b?c=//d@e",
        "From", "a@b");
    assertEquals(
        "{Location: https://***@h/a@b, Referer: //***@h,"
            + " Content-Location: http://h/a@b?c=//d@e, From: a@b}",
        headers.toString());
  }

  @Test
  void iteratorEndsAfterTheLastField() {
    Iterator<Headers.Field> fields = Headers.of("A", "1", "B", "2").iterator();
    assertEquals(new Headers.Field(HeaderName.of("A"), "1"), fields.next());
    assertEquals(new Headers.Field(HeaderName.of("B"), "2"), fields.next());
    assertFalse(fields.hasNext());
    assertThrows(NoSuchElementException.class, fields::next);
  }

  @Test
  void builderAgreesWithAListOfFieldsUnderRandomChanges() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 300; round++) {
      Headers.Builder builder = Headers.builder();
      var model = new java.util.ArrayList<Headers.Field>();
      for (int step = 0; step < 30; step++) {
        HeaderName name = HeaderName.of("n" + random.nextInt(4));
        String value = "v".repeat(random.nextInt(60));
        switch (random.nextInt(4)) {
          case 0 -> {
            builder.remove(name);
            model.removeIf(field -> field.name().equals(name));
          }
          case 1 -> {
            builder.set(name, value);
            model.removeIf(field -> field.name().equals(name));
            model.add(new Headers.Field(name, value));
          }
          default -> {
            builder.add(name, value);
            model.add(new Headers.Field(name, value));
          }
        }
      }
      var fields = new java.util.ArrayList<Headers.Field>();
      builder.build().forEach(fields::add);
      assertEquals(model, fields, "seed " + seed);
    }
  }

  @Test
  void statusHasItsClassAndPhrase() {
    assertSame(Status.NOT_FOUND, Status.of(404));
    assertSame(Status.of(299), Status.of(299));
    assertEquals("", Status.of(299).reason());
    assertEquals(Status.of(700), Status.of(700));
    assertEquals("404 Not Found", Status.NOT_FOUND.toString());
    assertTrue(Status.of(599).isServerError() && Status.of(100).isInformational());
    assertThrows(IllegalArgumentException.class, () -> Status.of(99));
    assertThrows(IllegalArgumentException.class, () -> Status.of(1000));
  }

  @Test
  void mediaTypeIsParsedAndWrittenWithQuotedStrings() {
    MediaType type = MediaType.parse("Text/HTML ; Charset=\"utf-8\" ;; x=\"a\\\"; b\\\\\";x=2");
    assertEquals("text", type.type());
    assertEquals("html", type.subtype());
    assertEquals(StandardCharsets.UTF_8, type.charset());
    assertEquals("a\"; b\\", type.parameter("X"));
    assertEquals("text/html; charset=utf-8; x=\"a\\\"; b\\\\\"", type.toString());
    assertEquals(type, MediaType.parse(type.toString()));
    assertNull(MediaType.parse("a/b; charset=no-such").charset());
    assertNull(MediaType.parse("a/b; charset=\"\"").charset());
    assertThrows(
        IllegalArgumentException.class, () -> MediaType.OCTET_STREAM.withParameter("a", "\r\n"));
    for (String bad : List.of(
        "",
        "a",
        "a/",
        "/b",
        "a /b",
        "a/b c",
        "a/b;c",
        "a/b;c=",
        "a/b;c = d",
        "a/b;c=\"d",
        "a/b;c=\"d\\",
        "a/b;c=\"\n\"",
        "a/b, c/d",
        "a/b\r\nX: y")) {
      assertThrows(IllegalArgumentException.class, () -> MediaType.parse(bad), bad);
    }
  }
}
