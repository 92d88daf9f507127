package heddle.testwatch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * An input of a {@link FuzzTarget} as a file: one for all of them, which is faster than one for
 * each. For one thread.
 */
public final class InputFile {
  private static final Path FILE = temporary();

  private InputFile() {}

  /** A file with this content, until the next input. */
  public static Path of(byte[] content) throws IOException {
    return Files.write(FILE, content);
  }

  private static Path temporary() {
    try {
      Path file = Files.createTempFile("fuzz", ".input");
      file.toFile().deleteOnExit();
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
