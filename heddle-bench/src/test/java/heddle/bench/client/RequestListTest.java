package heddle.bench.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Request;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RequestListTest {

  private static final URI BASE = URI.create("http://127.0.0.1:8080/app/");

  @TempDir
  private Path folder;

  private List<Request> read(String text) throws IOException {
    return RequestList.read(Files.writeString(folder.resolve("list"), text), BASE);
  }

  @Test
  void requestsComeWithTheirFieldsAndContent() throws IOException {
    Files.write(folder.resolve("content"), new byte[] {1, 2, 3});
    List<Request> requests = read(
        """
        # the first
        GET /hello?x=1

        POST http://other.test:81/orders
        Content-Type: application/json
        # between
        = {"item":
        =   7}


        PUT pictures/1
        X-One: a
        X-One: b
        @content
        """);
    assertEquals(3, requests.size());
    assertEquals("GET", requests.get(0).method().name());
    assertEquals("/hello?x=1", requests.get(0).target());
    assertEquals("other.test:81", requests.get(1).origin().authority());
    assertEquals("application/json", requests.get(1).headers().first("Content-Type"));
    assertEquals(
        "{\"item\":\n  7}", new String(requests.get(1).body().bytes(), StandardCharsets.UTF_8));
    assertEquals("/app/pictures/1", requests.get(2).target());
    assertEquals(List.of("a", "b"), requests.get(2).headers().all("X-One"));
    assertEquals(3, requests.get(2).body().bytes().length);
  }

  @Test
  void whatBreaksTheFormatIsToldWithItsLine() {
    assertRefused("GET", ":1:", "GET /hello");
    assertRefused("\n\nGET /a b\n", ":3:", "GET /a b");
    assertRefused("GET /a\nnothing\n", ":2:", "Name: value");
    assertRefused("GET /a\n= x\nName: value\n", ":3:", "before the content");
    assertRefused("GET /a\n@missing\n", ":2:", "missing");
    assertRefused("GET /a\nbad name: x\n", ":2:", "field name");
    assertRefused("G@T /a\n", ":1:", "a method");
    assertRefused("GET http://a:b:c/\n", ":1:", "a:b:c");
    assertRefused("# nothing\n", ":1:", "no request");
  }

  @Test
  void pathWithoutAnUrlToBeOnIsRefused() throws IOException {
    Path list = Files.writeString(folder.resolve("list"), "GET /a\n");
    String message = String.valueOf(
        assertThrows(IllegalArgumentException.class, () -> RequestList.read(list, null))
            .getMessage());
    assertTrue(message.contains("list:1:") && message.contains("/a"), message);
  }

  @Test
  void fileThatCannotBeReadIsNamed() {
    Path absent = folder.resolve("absent");
    IOException thrown = assertThrows(IOException.class, () -> RequestList.read(absent, BASE));
    assertTrue(String.valueOf(thrown.getMessage()).contains("absent"));
  }

  private void assertRefused(String text, String... words) {
    String message = String.valueOf(
        assertThrows(IllegalArgumentException.class, () -> read(text)).getMessage());
    for (String word : words) {
      assertTrue(message.contains(word), () -> word + " is not in: " + message);
    }
  }
}
