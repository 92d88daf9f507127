package heddle.bench.contender;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.driver.Profile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AotCacheTest {

  private static final Entrant CLIENT = Entrant.of("okhttp", Profile.TUNED);

  @TempDir
  private Path folder;

  private Path jars;
  private Path caches;

  @BeforeEach
  void makeFolders() throws IOException {
    jars = Files.createDirectories(folder.resolve("jars"));
    caches = Files.createDirectories(folder.resolve("caches"));
    Files.writeString(jars.resolve("a.jar"), "a");
  }

  @Test
  void sameCommandAndJarsHaveTheSameCache() throws IOException {
    assertEquals(of(jars + "/*", "h1-64"), of(jars + "/*", "h1-64"));
    assertFalse(of(jars + "/*", "h1-64").isMade());
  }

  @Test
  void otherJarOtherFlagOrOtherLoadHasAnotherCache() throws IOException {
    AotCache before = of(jars + "/*", "h1-64");
    assertNotEquals(before, of(jars + "/*", "h1-512"));
    assertNotEquals(before, AotCache.of(caches, CLIENT, command(jars + "/*", "-Xmx1g"), "h1-64"));
    Files.writeString(jars.resolve("a.jar"), "changed");
    AotCache changed = of(jars + "/*", "h1-64");
    assertNotEquals(before, changed);
    Files.writeString(jars.resolve("b.jar"), "b");
    assertNotEquals(changed, of(jars + "/*", "h1-64"));
  }

  @Test
  void jvmWithClassesOutsideOfJarsHasNone() throws IOException {
    assertNull(AotCache.of(caches, CLIENT, command(jars.toString(), "-Xmx1m"), "h1-64"));
  }

  @Test
  void missingFolderOfJarsIsAnError() {
    assertThrows(NoSuchFileException.class, () -> of(folder + "/none/*", "h1-64"));
  }

  @Test
  void cacheThatIsMadeReplacesThatOfOtherJarsAndNoOther() throws IOException {
    AotCache before = of(jars + "/*", "h1-64");
    AotCache ofOtherLoad = of(jars + "/*", "h1-512");
    before.keep(made());
    ofOtherLoad.keep(made());
    Files.writeString(jars.resolve("a.jar"), "changed");
    AotCache after = of(jars + "/*", "h1-64");
    after.keep(made());
    assertTrue(after.isMade());
    assertFalse(before.isMade());
    assertTrue(ofOtherLoad.isMade());
    assertTrue(after.flags().contains("-XX:AOTCache=" + after.file()));
  }

  @Test
  void jvmThatHasWrittenNoneIsAnErrorAndKeepsTheOldOne() throws IOException {
    AotCache cache = of(jars + "/*", "h1-64");
    cache.keep(made());
    Path empty = Files.createFile(caches.resolve("empty"));
    IOException failure = assertThrows(IOException.class, () -> cache.keep(empty));
    assertEquals("the JVM has written no cache", failure.getMessage());
    assertTrue(cache.isMade());
  }

  private Path made() throws IOException {
    return Files.writeString(Files.createTempFile(caches, "making-", ".aot"), "classes");
  }

  private AotCache of(String classPath, String loads) throws IOException {
    AotCache cache = AotCache.of(caches, CLIENT, command(classPath, "-Xmx512m"), loads);
    assertNotNull(cache);
    return cache;
  }

  private static List<String> command(String classPath, String flag) {
    return List.of("java", flag, "-cp", classPath, "Main");
  }
}
