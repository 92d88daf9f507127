package heddle.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarFile;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Compiles StartCache.java, which the launcher runs as a source file after a build. */
class StartCacheTest {
  private static final Path SOURCE = Path.of("src/build/java/StartCache.java");

  @TempDir
  private Path folder;

  @Test
  void jarThatWasConvertedForAnEarlierBuildStaysAsItIs() throws Exception {
    Path lib = Files.createDirectory(folder.resolve("lib"));
    Path jar = lib.resolve("picocli-0.jar");
    URL picocli = CommandLine.class.getProtectionDomain().getCodeSource().getLocation();
    Files.copy(Path.of(picocli.toURI()), jar);
    try (URLClassLoader compiled = compiled()) {
      Method modernize =
          compiled.loadClass("StartCache").getDeclaredMethod("modernize", Path.class);
      modernize.setAccessible(true);
      modernize.invoke(null, lib);
      try (JarFile converted = new JarFile(jar.toFile())) {
        assertNotNull(converted.getEntry("META-INF/NOTICE-OF-CHANGES"));
        try (InputStream in =
            converted.getInputStream(converted.getEntry("picocli/CommandLine.class"))) {
          assertEquals(
              ClassFile.JAVA_8_VERSION, ClassFile.of().parse(in.readAllBytes()).majorVersion());
        }
      }
      byte[] once = Files.readAllBytes(jar);
      modernize.invoke(null, lib);
      assertArrayEquals(once, Files.readAllBytes(jar));
    }
    try (var files = Files.list(lib)) {
      assertEquals(1, files.count());
    }
  }

  private URLClassLoader compiled() throws Exception {
    int status = ToolProvider.getSystemJavaCompiler()
        .run(null, null, null, "-d", folder.toString(), "-implicit:none", SOURCE.toString());
    assertTrue(status == 0, "the compiler ended with " + status);
    return new URLClassLoader(
        new URL[] {folder.toUri().toURL()}, ClassLoader.getPlatformClassLoader());
  }
}
