package heddle.bench.race;

import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.bench.driver.Driver;
import heddle.bench.server.ServerCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/** Races of the drivers of tests, below a folder of their own. */
abstract class RaceFixture {

  static final RacePlan ONE_ROUND = RacePlan.DEFAULT.withRounds(1);

  static final ServerCommand STAND_IN =
      new ServerCommand(StandInServer.class.getName(), List.of(), List.of());

  @TempDir
  Path home;

  static String refusal(RaceOptions options) {
    RaceException thrown =
        assertThrows(RaceException.class, () -> new Race(options).run(progress -> {}));
    return String.valueOf(thrown.getMessage());
  }

  /** Windows of 0.8 s: no test asks how fast anything is, and each has to hold some answers. */
  RaceOptions.Builder options() {
    return RaceOptions.builder(home)
        .server(STAND_IN)
        .clients(clientsBelowHome())
        .cells(List.of("h1-64"))
        .scale(0.08)
        .plan(ONE_ROUND)
        .outputs(new RaceOutputs(
            home.resolve("out/race.json"),
            home.resolve("out/race.html"),
            home.resolve("out/race.csv"),
            home.resolve("out")));
  }

  RaceOptions rounds(int number) {
    return options().plan(RacePlan.DEFAULT.withRounds(number)).build();
  }

  /** By name, so that wrk does not take part where it is installed. */
  private List<String> clientsBelowHome() {
    String[] names = home.resolve("heddle-bench/drivers").toFile().list();
    return names == null ? List.of() : List.of(names);
  }

  void install(String client, Class<? extends Driver> driver) throws IOException {
    DriverFolder.install(home, client, driver);
  }
}
