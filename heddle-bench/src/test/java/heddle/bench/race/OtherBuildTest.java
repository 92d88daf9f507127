package heddle.bench.race;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.contender.Contender;
import heddle.bench.contender.JvmContender;
import heddle.load.cluster.process.Cores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OtherBuildTest {

  private static final String DRIVER = "heddle-bench/drivers/heddle";

  @TempDir
  private Path folder;

  private Path home;
  private Path other;

  @BeforeEach
  void makeFolders() throws IOException {
    home = Files.createDirectories(folder.resolve("now"));
    other = checkout("before");
  }

  @Test
  void checkoutIsBuiltOnceUntilItsSourcesChange() throws Exception {
    OtherBuild build = OtherBuild.in(home, other);
    List<String> words = new ArrayList<>();
    build.build(words::add);
    assertEquals(1, builds());
    build.build(words::add);
    assertEquals(1, builds());
    Path source = Files.createDirectories(other.resolve("heddle-codec/src/main/java"));
    Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(60)));
    build.build(words::add);
    assertEquals(2, builds());
    assertEquals(other.toRealPath().resolve(DRIVER + "/target/driver"), build.driverFolder());
  }

  @Test
  void buildWritesToTargetFoldersAlone() throws Exception {
    Path stale = Files.createDirectories(other.resolve(DRIVER + "/target/driver"));
    Files.createFile(stale.resolve("heddle-long-gone.jar"));
    OtherBuild.in(home, other).build(_ -> {});
    try (var all = Files.walk(other)) {
      assertEquals(
          List.of("built-for-race", "calls", "driver.jar", "mvnw", "pom.xml", "pom.xml"),
          all.filter(Files::isRegularFile)
              .map(each -> each.getFileName().toString())
              .sorted()
              .toList());
    }
  }

  @Test
  void buildThatFailsSaysWhereAndWhy() throws IOException {
    mvnw(other, "echo '[ERROR] no such symbol'; exit 3");
    OtherBuild build = OtherBuild.in(home, other);
    RaceException thrown = assertThrows(RaceException.class, () -> build.build(_ -> {}));
    String message = String.valueOf(thrown.getMessage());
    assertTrue(message.startsWith(other.toRealPath() + " does not build ("), message);
    assertTrue(message.endsWith("exit code 3): [ERROR] no such symbol"), message);
  }

  @Test
  void folderThatIsNoOtherCheckoutIsRefusedWithWhatToDo() throws IOException {
    assertRefused(folder.resolve("none"), "there is no folder");
    assertRefused(home, "is not a checkout of Heddle, it has no mvnw");
    home = other;
    assertRefused(other, "is the checkout that races");
  }

  @Test
  void twoBuildsRaceBesideAControlEachFromItsOwnFolder() throws Exception {
    Path mine = Files.createDirectories(DriverFolder.of(home, "heddle"));
    OtherBuild build = OtherBuild.in(home, other);
    build.build(_ -> {});
    RaceOptions options =
        RaceOptions.builder(home).plan(OtherBuild.PLAN).against(build).build();
    Lineup lineup = Lineup.of(options);
    String ours = DriverClassPaths.classPath(mine);
    String theirs = DriverClassPaths.classPath(build.driverFolder());
    assertEquals(Map.of("heddle", ours, "heddle@before", theirs), lineup.classPaths());
    List<Contender> contenders = lineup.contenders(
        options.plan(), "heddle(control)", new Cores(List.of(), List.of()), folder);
    assertEquals(
        List.of("heddle", "heddle(control)", "heddle@before"),
        contenders.stream().map(Contender::name).toList());
    assertEquals(
        List.of(ours, ours, theirs),
        contenders.stream().map(each -> ((JvmContender) each).driverClassPath()).toList());
  }

  private void assertRefused(Path wrong, String reason) {
    IllegalArgumentException thrown =
        assertThrows(IllegalArgumentException.class, () -> OtherBuild.in(home, wrong));
    String message = String.valueOf(thrown.getMessage());
    assertTrue(message.contains(wrong.toString()) && message.contains(reason), message);
    assertTrue(message.contains("git worktree add"), message);
  }

  private int builds() throws IOException {
    return Files.readAllLines(other.resolve(DRIVER + "/target/calls")).size();
  }

  /** With a build that makes an empty jar and keeps count. */
  private Path checkout(String name) throws IOException {
    Path root = folder.resolve(name);
    Files.createDirectories(root.resolve(DRIVER));
    Files.createFile(root.resolve("pom.xml"));
    Files.createFile(root.resolve(DRIVER + "/pom.xml"));
    mvnw(root, "mkdir -p $dir/target/driver; : >$dir/target/driver/driver.jar");
    return root;
  }

  private static void mvnw(Path root, String work) throws IOException {
    Path script = Files.writeString(
        root.resolve("mvnw"),
        "#!/bin/sh\ndir='" + root.resolve(DRIVER) + "'\n" + work
            + "\necho \"$@\" >>$dir/target/calls\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
