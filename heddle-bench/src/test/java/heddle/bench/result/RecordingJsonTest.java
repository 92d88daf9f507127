package heddle.bench.result;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.load.cluster.json.Json;
import org.junit.jupiter.api.Test;

class RecordingJsonTest {

  @Test
  void recordingComesBackFromJsonWithEverything() {
    long seed = System.nanoTime();
    Recording recording = Recordings.of(seed, 40);
    assertEquals(recording, Json.read(Json.line(recording), Recording.class), "seed " + seed);
    assertEquals(Recording.NONE, Json.read(Json.line(Recording.NONE), Recording.class));
  }

  @Test
  void seriesIsWrittenByColumns() {
    String json = Json.line(Recordings.of(1, 40).series());
    assertEquals(json.indexOf("heapBytes"), json.lastIndexOf("heapBytes"), json);
  }

  @Test
  void whatIsNoRecordingIsRefusedByName() {
    String good = Json.line(Recordings.of(1, 3));
    assertRefused("service", good.replaceFirst("\"service\":\"[^\"]*", "\"service\":\"no base64!"));
    assertRefused("response", good.replaceFirst("\"response\":\"[^\"]*", "\"response\":\"AAAA"));
    assertRefused("it lacks sendLag", good.replace("\"sendLag\"", "\"lag\""));
    assertRefused("span", good.replace("\"span\"", "\"time\""));
    assertRefused(
        "heapBytes has 1", good.replaceFirst("\"heapBytes\":\\[[^]]*", "\"heapBytes\":[1"));
    assertRefused("failures[0].count", good.replaceFirst("\"count\":[0-9]*", "\"count\":\"x\""));
    assertRefused("mood", good.replaceFirst("\"kind\":\"[^\"]*", "\"kind\":\"mood"));
  }

  private static void assertRefused(String what, String json) {
    IllegalArgumentException thrown =
        assertThrows(IllegalArgumentException.class, () -> Json.read(json, Recording.class), json);
    assertTrue(String.valueOf(thrown.getMessage()).contains(what), thrown::toString);
  }
}
