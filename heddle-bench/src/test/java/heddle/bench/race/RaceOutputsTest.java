package heddle.bench.race;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files that a race writes. */
final class RaceOutputsTest {

  @Test
  void partialResultGoesBesideAFinishedOne(@TempDir Path folder) throws IOException {
    RaceOutputs usual = RaceOutputs.in(folder);
    Files.writeString(usual.json(), "finished");
    RaceOutputs partial = usual.ofPartial();
    assertEquals(folder.resolve("race.partial.json"), partial.json());
    assertEquals(usual.html(), partial.html());
    assertEquals(usual.csv(), partial.csv());
  }

  @Test
  void fileWithoutExtensionKeepsItsName(@TempDir Path folder) throws IOException {
    Path named = Files.createFile(folder.resolve("result"));
    RaceOutputs usual = RaceOutputs.in(folder).with(named, null, null);
    assertEquals(folder.resolve("result.partial"), usual.ofPartial().json());
  }
}
