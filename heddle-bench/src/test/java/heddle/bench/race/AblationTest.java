package heddle.bench.race;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.contender.JvmContender;
import heddle.bench.experiment.ExperimentReader;
import heddle.load.cluster.process.Cores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AblationTest {

  private static final String DRIVER = "heddle-bench/drivers/heddle";
  private static final String SOURCE = "heddle-codec/src/main/java/Speed.java";

  @TempDir
  private Path home;

  @BeforeEach
  void makeCheckout() throws IOException {
    write("pom.xml", "");
    write(DRIVER + "/pom.xml", "");
    write(".mvn/maven.config", "-T1");
    write(".git/config", "");
    write("heddle-codec/src/test/java/SpeedTest.java", "");
    write(SOURCE, "first\nfast\nmiddle\nmiddle\nmiddle\nquick\nlast\n");
    patch("slow", "@@ -1,3 +1,3 @@", " first", "-fast", "+slow", " middle");
    patch("slack", "@@ -5,3 +5,3 @@", " middle", "-quick", "+slack", " last");
    Path mvnw = write(
        "mvnw",
        "#!/bin/sh\ndir=$(dirname \"$0\")/" + DRIVER
            + "/target\nmkdir -p \"$dir/driver\"\n: >\"$dir/driver/driver.jar\"\n"
            + "echo built >>\"$dir/calls\"\n");
    Files.setPosixFilePermissions(mvnw, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @Test
  void copyIsPatchedAndBuiltAgainOnlyAfterAChange() throws Exception {
    Ablation ablation = Ablation.of(home, List.of("slow"));
    Path copy = ablation.copy().root();
    assertEquals(home.resolve("heddle-bench/target/ablations/slow"), copy);
    ablation.build(_ -> {});
    assertEquals("slow", Files.readAllLines(copy.resolve(SOURCE)).get(1));
    assertEquals("fast", Files.readAllLines(home.resolve(SOURCE)).get(1));
    assertTrue(Files.exists(copy.resolve(".mvn/maven.config")));
    assertFalse(
        Files.exists(copy.resolve(".git")) || Files.exists(copy.resolve("heddle-codec/src/test")));
    ablation.build(_ -> {});
    assertEquals(1, builds(copy));
    String changed = Files.readString(home.resolve(SOURCE)).replace("last", "very last");
    write(SOURCE, changed);
    write("heddle-codec/pom.xml", "");
    ablation.build(_ -> {});
    assertEquals("very last", Files.readAllLines(copy.resolve(SOURCE)).getLast());
    assertTrue(Files.exists(copy.resolve("heddle-codec/pom.xml")));
    assertEquals(2, builds(copy));
    Files.delete(home.resolve("heddle-codec/pom.xml"));
    ablation.build(_ -> {});
    assertFalse(Files.exists(copy.resolve("heddle-codec/pom.xml")));
  }

  @Test
  void severalPatchesGoIntoOneCopy() throws Exception {
    Ablation ablation = Ablation.of(home, List.of("slow", "slack"));
    ablation.build(_ -> {});
    List<String> lines = Files.readAllLines(ablation.copy().root().resolve(SOURCE));
    assertEquals("slow", lines.get(1));
    assertEquals("slack", lines.get(5));
  }

  @Test
  void unknownNameIsRefusedWithThoseThereAre() {
    RaceException thrown =
        assertThrows(RaceException.class, () -> Ablation.of(home, List.of("slow", "slowly")));
    String message = String.valueOf(thrown.getMessage());
    assertTrue(message.contains("without slowly: choose among slack, slow"), message);
  }

  @Test
  void patchThatNoLongerFitsIsNamed() throws Exception {
    write(SOURCE, "first\nfaster\n");
    Ablation ablation = Ablation.of(home, List.of("slow"));
    RaceException thrown = assertThrows(RaceException.class, () -> ablation.build(_ -> {}));
    String message = String.valueOf(thrown.getMessage());
    assertTrue(
        message.contains("the patches slow of heddle-bench") && message.contains("Speed"), message);
  }

  @Test
  void entrantRacesFromTheFolderOfItsBuild() throws Exception {
    Path mine = Files.createDirectories(DriverFolder.of(home, "heddle"));
    String text =
        """
        name: mine
        title: What fast is worth
        shows: something
        entrants:
          - {clients: heddle, name: all on}
          - {clients: heddle, name: slow, without: slow}
        cells:
          - name: hello
            get: /hello
            load: {callers: 1}
            for: 1 s
        """;
    RaceOptions options = RaceOptions.builder(home)
        .experiment(ExperimentReader.read("mine.yaml", text, null))
        .build();
    Lineup lineup = Lineup.of(options);
    Ablation slow = Ablation.of(home, List.of("slow"));
    assertEquals(List.of(slow), List.copyOf(lineup.ablations()));
    assertEquals(
        List.of(
            DriverClassPaths.classPath(mine),
            DriverClassPaths.classPath(slow.copy().driverFolder())),
        lineup.contenders(options.plan(), "", new Cores(List.of(), List.of()), home).stream()
            .map(each -> ((JvmContender) each).driverClassPath())
            .toList());
  }

  private static int builds(Path copy) throws IOException {
    return Files.readAllLines(copy.resolve(DRIVER + "/target/calls")).size();
  }

  private void patch(String name, String... hunk) throws IOException {
    String head = "Slower.\n\n--- a/" + SOURCE + "\n+++ b/" + SOURCE + "\n";
    write("heddle-bench/ablations/" + name + ".patch", head + String.join("\n", hunk) + "\n");
  }

  private Path write(String file, String text) throws IOException {
    Path path = home.resolve(file);
    Files.createDirectories(path.getParent());
    return Files.writeString(path, text);
  }
}
