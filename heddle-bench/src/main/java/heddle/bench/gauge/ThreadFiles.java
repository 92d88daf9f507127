package heddle.bench.gauge;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What the kernel tells of the threads of this process; nothing where there is no such kernel. */
final class ThreadFiles {

  private static final Path THREADS = Path.of("/proc/self/task");

  private ThreadFiles() {}

  /** A folder for each thread; any of them may have ended when it is looked into. */
  static List<Path> all() throws IOException {
    List<Path> found = new ArrayList<>();
    if (Files.isDirectory(THREADS)) {
      try (DirectoryStream<Path> threads = Files.newDirectoryStream(THREADS)) {
        threads.forEach(found::add);
      }
    }
    return found;
  }

  /** Empty for a thread that has ended meanwhile; the kernel then says so in more than one way. */
  static String text(Path thread, String file) throws IOException {
    try {
      return Files.readString(thread.resolve(file), StandardCharsets.ISO_8859_1).strip();
    } catch (IOException e) {
      if (Files.exists(thread.resolve(file))) {
        throw e;
      }
      return "";
    }
  }
}
