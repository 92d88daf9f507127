package heddle.bench.result;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.jr.ob.JSON;

class RecordingJsonTest {

  @Test
  void recordingComesBackFromJsonWithEverything() throws Exception {
    long seed = System.nanoTime();
    Recording recording = Recordings.of(seed, 40);
    String json =
        JSON.std.with(JSON.Feature.WRITE_NULL_PROPERTIES).asString(RecordingJson.write(recording));
    assertEquals(recording, RecordingJson.read(JSON.std.mapFrom(json)), "seed " + seed);
  }

  @Test
  void recordingOfNothingIsAnEmptyObject() {
    assertEquals(Map.of(), RecordingJson.write(Recording.NONE));
    assertEquals(Recording.NONE, RecordingJson.read(Map.of()));
  }

  @Test
  void whatIsNoRecordingIsRefusedByName() {
    assertRefused("serviceNanos", Map.of("serviceNanos", "no base64!"));
    assertRefused("responseNanos", Map.of("responseNanos", "AAAA"));
    assertRefused("span", Map.of("series", Map.of("seconds", List.of(1.0))));
    assertRefused("failures", Map.of("failures", List.of(Map.of("kind", "other"))));
    Map<String, Object> unknown = new HashMap<>(Map.of("kind", "mood", "count", 1));
    assertRefused("MOOD", Map.of("failures", List.of(unknown)));
  }

  private static void assertRefused(String what, Map<String, Object> fields) {
    IllegalArgumentException thrown =
        assertThrows(IllegalArgumentException.class, () -> RecordingJson.read(fields));
    assertTrue(String.valueOf(thrown.getMessage()).contains(what), thrown::toString);
  }
}
