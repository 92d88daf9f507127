package heddle.bench.gauge;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The kernel's files on the threads of this process; none if the system is not Linux. */
final class ThreadFiles {

  private static final Path THREADS = Path.of("/proc/self/task");

  private ThreadFiles() {}

  /** A folder for each thread; a thread may have ended when its folder is read. */
  static List<Path> all() throws IOException {
    List<Path> found = new ArrayList<>();
    if (Files.isDirectory(THREADS)) {
      try (DirectoryStream<Path> threads = Files.newDirectoryStream(THREADS)) {
        threads.forEach(found::add);
      }
    }
    return found;
  }

  /** Empty if the thread has ended meanwhile, which the kernel reports in more than one way. */
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
