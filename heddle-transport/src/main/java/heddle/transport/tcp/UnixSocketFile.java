package heddle.transport.tcp;

import heddle.transport.SafeLog;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.BindException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The file of a Unix domain socket that listens. The system neither deletes it when the socket is
 * closed nor replaces one that is there.
 */
final class UnixSocketFile {
  private static final System.Logger LOG = System.getLogger("heddle.transport");

  private final Path path;

  /** Tells the file from another one at the same path; null if the file system has no such key. */
  private final @Nullable Object key;

  private UnixSocketFile(Path path) throws IOException {
    this.path = path;
    this.key = attributes(path).fileKey();
  }

  /**
   * Binds a socket, and replaces a file that a process left behind when it ended. Two processes
   * that replace the same file at the same moment may both succeed: then the second has it.
   *
   * @throws BindException if a process listens there, or the file is not a socket
   */
  static UnixSocketFile bind(
      ServerSocketChannel socket, UnixDomainSocketAddress address, int backlog) throws IOException {
    Path path = address.getPath();
    try {
      socket.bind(address, backlog);
    } catch (BindException e) {
      if (!isAbandoned(address)) {
        throw new BindException(
            path + " is in use: another process listens there, or it is not a socket");
      }
      Files.deleteIfExists(path);
      socket.bind(address, backlog);
    } catch (SocketException e) {
      throw new SocketException("cannot listen at " + path + ": " + e.getMessage(), e);
    }
    return new UnixSocketFile(path);
  }

  private static boolean isAbandoned(UnixDomainSocketAddress address) throws IOException {
    try {
      if (!attributes(address.getPath()).isOther()) {
        return false;
      }
    } catch (NoSuchFileException e) {
      return true;
    }
    try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      probe.configureBlocking(false); // A full backlog would make it wait.
      probe.connect(address);
      return false;
    } catch (ConnectException e) {
      return true;
    }
  }

  private static BasicFileAttributes attributes(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
  }

  /** Deletes the file, unless another process has replaced it. Does not throw. */
  void delete() {
    try {
      if (Objects.equals(key, attributes(path).fileKey())) {
        Files.delete(path);
      }
    } catch (NoSuchFileException e) {
      return; // Another process or the user was faster.
    } catch (IOException | RuntimeException e) {
      SafeLog.log(LOG, Level.WARNING, "Deleting the socket's file failed: ", path, e);
    }
  }
}
