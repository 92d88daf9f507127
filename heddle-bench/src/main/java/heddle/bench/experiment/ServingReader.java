package heddle.bench.experiment;

import heddle.bench.driver.Profile;
import heddle.bench.server.ServerSpec;
import heddle.bench.server.ServerSpec.Program;
import heddle.bench.server.Serving;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the server of a cell or of an entrant. */
final class ServingReader {

  private ServingReader() {}

  /** The value of the key {@code server}; null if it is absent. */
  static @Nullable Serving read(YamlMap map) throws ExperimentException {
    YamlMap server = map.map("server");
    if (server == null) {
      return null;
    }
    Serving serving = new Serving(
        server.as("program", "heddle", ServingReader::program),
        server.text("threads", ServerSpec.VIRTUAL),
        server.as("settings", Profile.TUNED.label(), Profile::of));
    server.done();
    return serving;
  }

  private static Program program(String text) {
    for (Program each : Program.values()) {
      if (each.label().equals(text)) {
        return each;
      }
    }
    String known =
        Stream.of(Program.values()).map(Program::label).collect(Collectors.joining(", "));
    throw new IllegalArgumentException("a server is one of " + known + ", not " + text);
  }
}
