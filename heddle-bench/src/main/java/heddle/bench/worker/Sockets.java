package heddle.bench.worker;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Counts the TCP connections of this process, as the kernel sees them; see proc(5). */
final class Sockets {

  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
  private static final List<Path> TABLES =
      List.of(Path.of("/proc/self/net/tcp"), Path.of("/proc/self/net/tcp6"));
  private static final String ESTABLISHED = "01";
  private static final int REMOTE = 2;
  private static final int STATE = 3;
  private static final int INODE = 9;

  private Sockets() {}

  /** The number of open connections of this process to the port of a server; -1 if unknown. */
  static int openTo(int port) throws IOException {
    if (!Files.isDirectory(DESCRIPTORS)) {
      return -1;
    }
    Set<String> own = ownSockets();
    String suffix = ":%04X".formatted(port);
    int count = 0;
    for (Path table : TABLES) {
      if (!Files.isReadable(table)) {
        continue;
      }
      for (String line : Files.readAllLines(table)) {
        String[] fields = line.strip().split("\\s+", -1);
        boolean isOpen = fields.length > INODE
            && fields[STATE].equals(ESTABLISHED)
            && fields[REMOTE].endsWith(suffix);
        if (isOpen && own.contains(fields[INODE])) {
          count++;
        }
      }
    }
    return count;
  }

  private static Set<String> ownSockets() throws IOException {
    Set<String> inodes = new HashSet<>();
    try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(DESCRIPTORS)) {
      for (Path each : descriptors) {
        String target = target(each);
        if (target.startsWith("socket:[")) {
          inodes.add(target.substring("socket:[".length(), target.length() - 1));
        }
      }
    }
    return inodes;
  }

  /** The target of a descriptor; empty if it was closed meanwhile. */
  private static String target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException e) {
      return "";
    }
  }
}
