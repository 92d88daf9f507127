package heddle.web.form;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.http.Body;
import heddle.http.Form;
import heddle.http.MediaType;
import heddle.http.Method;
import heddle.http.Request;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UrlencodedFormTest {
  private static String shown(Form form) {
    return form.fields().stream()
        .map(field -> field.name() + ":" + field.value())
        .collect(Collectors.joining("|"));
  }

  private static Request post(String type, byte[] content) {
    return Request.builder(URI.create("http://t/"))
        .method(Method.POST)
        .body(Body.of(content, MediaType.parse(type)))
        .build();
  }

  private static int refusal(Request request, FormLimits limits) {
    return assertThrows(FormException.class, () -> UrlencodedForm.read(request, limits))
        .status()
        .code();
  }

  /** URL standard, section 5.1. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "'' ; ''",
        "a=1&b=2; a:1|b:2",
        "a=1&a=2; a:1|a:2",
        "a; a:",
        "a=; a:",
        "=1; :1",
        "=; :",
        "&&a=1&&; a:1",
        "a=b=c; a:b=c",
        "a+b=c+d; a b:c d",
        "a%20b=c%2Bd; a b:c+d",
        "%61=%3D%26; a:=&",
        "gr%C3%BC%c3%9fe=%F0%9F%A7%B5; gr\u00fc\u00dfe:\uD83E\uDDF5",
      })
  void formsAreParsed(String text, String fields) throws IOException {
    assertEquals(fields, shown(UrlencodedForm.parse(text, 10)));
  }

  @Test
  void rawOctetsAreUtf8() throws IOException {
    byte[] content = "name=Zo\u00eb".getBytes(UTF_8);
    Form form = UrlencodedForm.read(post(Form.MEDIA_TYPE.toString(), content), FormLimits.DEFAULT);
    assertEquals("name:Zo\u00eb", shown(form));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a=%",
        "a=%2",
        "a=%zz",
        "a=%2&b=1",
        "%=1",
        "a=%ff",
        "a=%c3",
        "a=%c0%af",
        "a=%ed%a0%80",
        "\u0100=1",
        "a=%+1"
      })
  void malformedFormsAreBadRequests(String text) {
    FormException refusal = assertThrows(FormException.class, () -> UrlencodedForm.parse(text, 10));
    assertEquals(400, refusal.status().code());
  }

  @Test
  void whatFormWritesIsReadAgain() throws IOException {
    Form form = Form.of(
        "plain",
        "text",
        "",
        "no name",
        "no value",
        "",
        "a&b",
        "=&+%\r\n\0",
        "\u00e4",
        "\uD83E\uDDF5",
        "plain",
        "again");
    Request request = Request.builder(URI.create("http://t/"))
        .method(Method.POST)
        .body(form.body())
        .build();
    assertEquals(form, UrlencodedForm.read(request, FormLimits.DEFAULT));
    assertEquals(form, UrlencodedForm.parse(form.encoded(), 10));
  }

  @ParameterizedTest
  @CsvSource({
    "application/x-www-form-urlencoded, 0",
    "application/x-www-form-urlencoded; charset=UTF-8, 0",
    "application/x-www-form-urlencoded; charset=iso-8859-1, 415",
    "application/x-www-form-urlencoded; charset=nonsense, 415",
    "text/plain, 415",
    "multipart/form-data; boundary=x, 415"
  })
  void otherMediaTypesAreRefused(String type, int status) throws IOException {
    Request request = post(type, "a=1".getBytes(UTF_8));
    if (status == 0) {
      assertEquals("a:1", shown(UrlencodedForm.read(request, FormLimits.DEFAULT)));
    } else {
      assertEquals(status, refusal(request, FormLimits.DEFAULT));
    }
  }

  @Test
  void tooManyFieldsAreTooLarge() throws IOException {
    assertEquals(3, UrlencodedForm.parse("a&b&&c", 3).fields().size());
    FormException refusal =
        assertThrows(FormException.class, () -> UrlencodedForm.parse("a&b&c&d", 3));
    assertEquals(413, refusal.status().code());
  }

  @Test
  void tooManyBytesAreTooLargeWhetherAnnouncedOrNot() throws IOException {
    byte[] content = "a=45678".getBytes(UTF_8);
    for (FormLimits limits : new FormLimits[] {
      FormLimits.builder().maxTextBytes(6).build(),
      FormLimits.builder().maxBytes(6).build()
    }) {
      assertEquals(413, refusal(post(Form.MEDIA_TYPE.toString(), content), limits));
      assertEquals(413, refusal(unannounced(content), limits));
    }
    FormLimits enough = FormLimits.builder().maxTextBytes(7).maxBytes(7).build();
    assertEquals("a:45678", shown(UrlencodedForm.read(unannounced(content), enough)));
  }

  private static Request unannounced(byte[] content) {
    return Request.builder(URI.create("http://t/"))
        .method(Method.POST)
        .body(new UnannouncedBody(new ByteArrayInputStream(content), Form.MEDIA_TYPE))
        .build();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1})
  void limitsArePositive(int limit) {
    assertThrows(
        IllegalArgumentException.class,
        () -> FormLimits.builder().maxParts(limit).build());
    assertThrows(
        IllegalArgumentException.class,
        () -> FormLimits.builder().maxBytes(limit).build());
  }
}
