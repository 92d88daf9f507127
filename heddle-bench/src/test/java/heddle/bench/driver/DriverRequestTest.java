package heddle.bench.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.load.cluster.json.Json;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DriverRequestTest {

  private static final URI TARGET = URI.create("http://127.0.0.1:1/");

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 10, 11, 12, 13, 100, 65_536})
  void jsonIsAnObjectOfExactlyThatLength(int length) throws Exception {
    byte[] content = new DriverRequest(TARGET, length, -1, DriverRequest.JSON).content();
    assertEquals(length, content.length);
    Map<String, Object> object = Json.object(new String(content, StandardCharsets.UTF_8));
    if (length > 11) {
      assertEquals(length - 11, String.valueOf(object.get("text")).length());
    }
  }

  @Test
  void contentOfNoTypeIsLetters() {
    DriverRequest request = new DriverRequest(TARGET, 28, -1);
    assertNull(request.contentType());
    assertEquals(
        "abcdefghijklmnopqrstuvwxyzab", new String(request.content(), StandardCharsets.US_ASCII));
  }

  @Test
  void typesWithoutRoomForContentAreRefused() {
    assertThrows(
        IllegalArgumentException.class, () -> new DriverRequest(TARGET, 1, -1, DriverRequest.JSON));
    assertThrows(
        IllegalArgumentException.class, () -> new DriverRequest(TARGET, 0, -1, "text/plain"));
  }
}
