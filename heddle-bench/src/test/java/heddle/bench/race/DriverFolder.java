package heddle.bench.race;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import heddle.bench.driver.Driver;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Folders of drivers as the build makes them. */
final class DriverFolder {

  private DriverFolder() {}

  /** Where the driver of a client lies. */
  static Path of(Path home, String client) {
    return home.resolve("heddle-bench/drivers/" + client + "/target/driver");
  }

  /** Makes a folder with a jar in which are the driver, a single class, and its service file. */
  static Path install(Path home, String client, Class<? extends Driver> driver) throws IOException {
    return installIn(Files.createDirectories(of(home, client)), driver);
  }

  /** The same in a folder that is there. */
  static Path installIn(Path folder, Class<? extends Driver> driver) throws IOException {
    try (OutputStream file = Files.newOutputStream(folder.resolve("driver.jar"));
        ZipOutputStream jar = new ZipOutputStream(file)) {
      String type = driver.getName();
      String path = type.replace('.', '/') + ".class";
      jar.putNextEntry(new ZipEntry(path));
      try (InputStream code = driver.getClassLoader().getResourceAsStream(path)) {
        assertNotNull(code);
        code.transferTo(jar);
      }
      jar.putNextEntry(new ZipEntry("META-INF/services/" + Driver.class.getName()));
      jar.write(type.getBytes(StandardCharsets.UTF_8));
      jar.closeEntry();
    }
    return folder;
  }
}
