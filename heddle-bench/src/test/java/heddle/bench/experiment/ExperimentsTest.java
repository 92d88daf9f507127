package heddle.bench.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import heddle.bench.contender.Entrant;
import heddle.bench.driver.Profile;
import heddle.bench.driver.Protocol;
import heddle.bench.driver.Trust;
import heddle.bench.server.ServerSpec;
import heddle.bench.server.ServerSpec.Program;
import heddle.bench.server.Servers.Counting;
import heddle.bench.server.Servers.Endpoint;
import heddle.bench.server.Serving;
import heddle.load.Extent;
import heddle.load.LoadPlan;
import heddle.load.cluster.json.Json;
import heddle.load.schedule.Strand;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

class ExperimentsTest {

  /** In the order of server-threads. */
  private static final List<Program> RIVALS = List.of(
      Program.HEDDLE, Program.JDK, Program.JETTY, Program.TOMCAT, Program.ROBAHO, Program.HELIDON);

  private static final Set<Program> IN_C = EnumSet.of(Program.NGHTTPD, Program.NGINX, Program.H2O);

  private static final Set<Program> SERVERS =
      EnumSet.complementOf(EnumSet.of(Program.NGHTTPD, Program.NGINX, Program.H2O, Program.SEARCH));

  private static final Schema SCHEMA = SchemaRegistry.withDefaultDialect(
          SpecificationVersion.DRAFT_2020_12)
      .getSchema(Experiments.text("experiment.schema.json"), InputFormat.JSON);

  @TempDir
  private Path folder;

  @Test
  void allThatAreShippedCanBeReadAndAreWhatTheyAreCalled() throws ExperimentException {
    assertEquals(
        Experiments.NAMES,
        Experiments.all().stream().map(each -> each.story().name()).toList());
    for (String name : Experiments.NAMES) {
      Experiment full = Experiments.find(name, 1.0);
      assertFalse(full.story().shows().isBlank(), name);
      assertEquals(1.0, full.story().scale(), name);
    }
  }

  @Test
  void largeScalesHaveAllThatWasPublished() throws ExperimentException {
    Experiment batch = Experiments.find("batch", 1.0);
    assertEquals(
        Set.of(100, 500, 1_000, 5_000),
        batch.cells().stream().map(cell -> cell.pace().inFlight()).collect(Collectors.toSet()));
    assertEquals(8, batch.cells().size());
    assertEquals(2, Experiments.find("batch", null).cells().size());
    List<String> clients = batch.entrants().stream().map(Entrant::name).toList();
    assertTrue(clients.containsAll(List.of("apache@pool:50", "apache@pool:300", "netty")));
    Experiment matrix = Experiments.find("http2-matrix", 1.0);
    // 32 for each version of HTTP, and a curve of 4 for cleartext and for TLS.
    assertEquals(64 + 8, matrix.cells().size());
    assertEquals(6, matrix.entrants().size());
    assertEquals(33, Experiments.find("http2-matrix", null).cells().size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"held", "paced-1k", "paced-10k", "paced-100k"})
  void lineUpIsThatOfTheOriginalAtEachScale(String name) throws ExperimentException {
    for (Double scale : new Double[] {null, 1.0}) {
      List<String> clients =
          Experiments.find(name, scale).entrants().stream().map(Entrant::name).toList();
      assertEquals(
          List.of(
              "heddle",
              "apache",
              "apache@thread",
              "okhttp",
              "okhttp@thread",
              "jersey",
              "jersey@thread",
              "apache-async"),
          clients);
    }
  }

  @Test
  void smallScalesAreLargeEnoughForTheirEffect() throws ExperimentException {
    for (Cell cell : Experiments.find("search", null).cells()) {
      // Ten connections then need ten refreshes, and fifty need two.
      assertTrue(cell.pace().inFlight() >= 100, cell.label());
    }
    List<Integer> limits = Experiments.find("pool", null).cells().stream()
        .map(cell -> cell.wire().connections())
        .sorted()
        .toList();
    assertEquals(List.of(2, 15, 50, 100), limits);
    List<String> batch =
        Experiments.find("batch", null).entrants().stream().map(Entrant::name).toList();
    assertTrue(batch.containsAll(
        List.of("apache@pool:50", "apache@pool:200", "apache@pool:300", "netty")));
  }

  @Test
  void rivalServersRunOnAllThreadsThatTheyAllow() throws ExperimentException {
    List<String> expected = new ArrayList<>();
    for (Program program : RIVALS) {
      for (String threads : List.of("virtual", "pool:10", "pool:50", "pool:200", "thread")) {
        if (isAllowed(program, Protocol.HTTP_1_1, threads)) {
          expected.add(program + " " + threads);
        }
      }
    }
    List<String> found = Experiments.find("server-threads", null).entrants().stream()
        .map(Entrant::serving)
        .map(each -> each.program() + " " + each.threads())
        .toList();
    assertEquals(expected, found);
  }

  @Test
  void rivalServersRaceInEachCellOfWhichTheyKnowTheProtocol() throws ExperimentException {
    Experiment servers = Experiments.find("servers", 1.0);
    assertEquals(15, servers.cells().size());
    for (Cell cell : servers.cells()) {
      Set<Program> racing = servers.entrants().stream()
          .filter(each -> each.isIn(cell.label()))
          .map(each -> each.serving().program())
          .collect(Collectors.toSet());
      for (Program program : SERVERS) {
        boolean isAble = isAllowed(program, cell.protocol(), ServerSpec.VIRTUAL);
        assertEquals(isAble, racing.contains(program), program + " in " + cell.label());
      }
    }
    Cell idle = servers.cells().getLast();
    assertEquals(15_000, idle.wire().connections());
    assertTrue(idle.isIdle());
    assertTrue(idle.needsFreshServer());
    assertTrue(servers.cells().stream().anyMatch(cell -> cell.wire().isPipelined()));
    assertTrue(servers.cells().stream().anyMatch(cell -> cell.wire().requests() > 0));
    assertEquals(1, servers.cells().stream().filter(Cell::isIdle).count());
  }

  private static boolean isAllowed(Program program, Protocol protocol, String threads) {
    try {
      return new ServerSpec(program, protocol, false, threads, Profile.TUNED, 1).program()
          == program;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  @Test
  void onlyServersInCThatAreComparedDoNotCount() throws ExperimentException {
    Set<Program> compared = EnumSet.noneOf(Program.class);
    for (Experiment each : Experiments.all()) {
      String name = each.story().name();
      for (Cell cell : each.cells()) {
        Serving serving = cell.serving();
        assertTrue(serving != null && !IN_C.contains(serving.program()), name);
      }
      for (Entrant entrant : each.entrants()) {
        Serving serving = entrant.serving();
        if (serving != null && IN_C.contains(serving.program())) {
          assertEquals("servers", name);
          compared.add(serving.program());
        }
      }
    }
    assertEquals(IN_C, compared);
  }

  @Test
  void whatNoProcessCanHoldAloneIsSpreadOverSeveral() throws ExperimentException {
    Cell http1 = Experiments.find("held", 1.0).cells().getFirst();
    assertEquals(3, http1.processes());
    List<URI> bases = List.of(
        URI.create("http://127.0.0.1:1"),
        URI.create("http://127.0.0.1:2"),
        URI.create("http://127.0.0.1:3"));
    Endpoint server = new Endpoint(bases, new Trust.Default(), "three", Counting.REQUESTS);
    List<LoadPlan> shares = http1.shares(
        server, Strand.VIRTUAL, Duration.ZERO, new Extent.Lasting(Duration.ofSeconds(1)));
    assertEquals(
        41_000, shares.stream().mapToInt(each -> each.pace().inFlight()).sum());
    assertEquals(
        41_000, shares.stream().mapToInt(each -> each.wire().connections()).sum());
    assertEquals(
        bases,
        shares.stream()
            .map(each -> each.uri().resolve("/"))
            .map(ExperimentsTest::bare)
            .toList());
    assertEquals(1, Experiments.find("held", 1.0).cells().getLast().processes());
    assertEquals(1, Experiments.find("held", null).cells().getFirst().processes());
  }

  private static URI bare(URI uri) {
    return URI.create(uri.getScheme() + "://" + uri.getAuthority());
  }

  @Test
  void allThatAreShippedFollowTheSchema() {
    for (String name : Experiments.NAMES) {
      assertEquals(List.of(), violations(Experiments.text(name + ".yaml")), name);
    }
  }

  @Test
  void schemaRefusesWhatTheReaderRefuses() {
    String good = Experiments.text("pool.yaml");
    assertEquals(List.of(), violations(good));
    for (String[] change : new String[][] {
      {"title:", "titel:"},
      {"wire: h1", "wire: h3"},
      {"connections: 50", "connections: none"},
      {"answer: 6 B", "answer: 6"},
      {"{batch: 50}", "{batch: 50, rate: 9/s}"},
      {"{batch: 50}", "{bunch: 50}"},
      {"rounds: 5", "rounds: 0"},
      {"scale: 0.03", "scale: 0"},
      {"takes: 25 s scaled", "takes: 25 sec"}
    }) {
      assertTrue(good.contains(change[0]), change[0]);
      String bad = good.replace(change[0], change[1]);
      assertFalse(violations(bad).isEmpty(), change[1]);
      assertThrows(
          ExperimentException.class, () -> ExperimentReader.read("bad", bad, null), change[1]);
    }
  }

  @Test
  void exampleOfTheReadmeIsAnExperiment() throws Exception {
    String readme = Files.readString(Path.of("README.md"));
    int begin = readme.indexOf("```yaml") + "```yaml\n".length();
    String example = readme.substring(begin, readme.indexOf("```", begin));
    assertEquals(List.of(), violations(example));
    assertEquals(4, ExperimentReader.read("README.md", example, null).cells().size());
  }

  @ParameterizedTest
  @CsvSource({"heddle-adapters,22", "heddle-kotlin,6"})
  void raceOfAModuleIsAnExperiment(String module, int entrants) throws Exception {
    Path file = Path.of("..", module, "race.yaml");
    assertEquals(List.of(), violations(Files.readString(file)));
    assertEquals(entrants, Experiments.find(file.toString(), null).entrants().size());
  }

  @Test
  void fileOfOnesOwnIsReadTheSameWay() throws Exception {
    Path file = folder.resolve("mine.yaml");
    Files.writeString(file, Experiments.text("pool.yaml").replace("name: pool", "name: mine"));
    assertTrue(Experiments.isMeant(file.toString()));
    assertEquals("mine", Experiments.find(file.toString(), 0.5).story().name());
  }

  @Test
  void missingFileIsNamedWithTheExperimentsThatThereAre() {
    String message = assertThrows(
            ExperimentException.class,
            () -> Experiments.find(folder.resolve("none.yaml").toString(), null))
        .getMessage();
    assertTrue(message.contains("none.yaml") && message.contains("paced-10k"), message);
    assertFalse(Experiments.isMeant("h1-64"));
  }

  private static List<String> violations(String yaml) {
    Object plain = new Load(LoadSettings.builder().build()).loadFromString(yaml);
    try {
      return SCHEMA.validate(Json.line(plain), InputFormat.JSON).stream()
          .map(Object::toString)
          .toList();
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(yaml, e);
    }
  }
}
