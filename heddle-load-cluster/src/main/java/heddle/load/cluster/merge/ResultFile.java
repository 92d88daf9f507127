package heddle.load.cluster.merge;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** A file that may contain results. */
final class ResultFile {

  /** The prefix that {@code kubectl logs --prefix} puts before each line. */
  private static final Pattern PREFIX = Pattern.compile("^\\[pod/[^\\]]*\\] ");

  private ResultFile() {}

  /**
   * Its lines, without the prefix that names the pod.
   *
   * @throws IOException if it cannot be read; the message names it
   */
  static List<String> lines(Path file) throws IOException {
    try {
      return Files.readString(file, StandardCharsets.UTF_8)
          .lines()
          .map(line -> PREFIX.matcher(line).replaceFirst(""))
          .toList();
    } catch (NoSuchFileException e) {
      throw new IOException(file + ": there is no such file", e);
    } catch (IOException e) {
      throw new IOException(file + " cannot be read: " + e, e);
    }
  }
}
