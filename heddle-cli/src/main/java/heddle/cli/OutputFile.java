package heddle.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A file that is replaced atomically: the content goes to a temporary file in the same folder,
 * which replaces the file when it is complete. Devices and pipes are written to directly.
 */
final class OutputFile implements AutoCloseable {

  private final Path target;
  private final @Nullable Path part;
  private final OutputStream stream;

  private OutputFile(Path target, @Nullable Path part, OutputStream stream) {
    this.target = target;
    this.part = part;
    this.stream = stream;
  }

  /**
   * Opens the file for writing.
   *
   * @throws IOException if it cannot be written to; the message names it
   */
  static OutputFile open(Path file) throws IOException {
    // Replaces the target of a link, not the link.
    Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
    if (Files.isDirectory(target)) {
      throw new IOException("cannot write to " + file + ": it is a folder");
    }
    Path folder = target.getParent();
    Path name = target.getFileName();
    if (folder == null || name == null || !Files.isDirectory(folder)) {
      throw new IOException("cannot write to " + file + ": its folder does not exist");
    }
    try {
      if (Files.exists(target) && !Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS)) {
        return new OutputFile(
            target, null, Files.newOutputStream(target, StandardOpenOption.WRITE));
      }
      if (Files.exists(target) && !Files.isWritable(target)) {
        throw new IOException("it may not be written to");
      }
      Path part = folder.resolve("." + name + "." + ProcessHandle.current().pid() + ".part");
      OutputStream stream = Files.newOutputStream(part);
      // For an interrupt by Ctrl-C.
      part.toFile().deleteOnExit();
      return new OutputFile(target, part, stream);
    } catch (IOException e) {
      throw new IOException("cannot write to " + file + ": " + e.getMessage(), e);
    }
  }

  OutputStream stream() {
    return stream;
  }

  /** Moves the complete file into place. */
  void complete() throws IOException {
    stream.close();
    if (part == null) {
      return;
    }
    try {
      Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** Closes the file; an incomplete one is deleted. */
  @Override
  public void close() throws IOException {
    stream.close();
    if (part != null) {
      Files.deleteIfExists(part);
    }
  }
}
