package heddle.http.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Reads a file on {@link FileThreads}, ahead by one buffer, so that small reads need no change of
 * thread. For one thread at a time.
 */
public final class FileInput extends BufferInput {
  private static final int BUFFER = 64 << 10;

  private final Path file;
  private final FileChannel channel;

  private FileInput(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
    buffer = ByteBuffer.allocate(BUFFER).flip();
  }

  /** Opens a file from its start. */
  public static FileInput open(Path file) throws IOException {
    return new FileInput(
        file, FileThreads.call(() -> FileChannel.open(file, StandardOpenOption.READ)));
  }

  /**
   * The size of a file in bytes.
   *
   * @throws IOException if there is no such file, or it is no regular file
   */
  public static long sizeOf(Path file) throws IOException {
    return FileThreads.call(() -> {
      if (!Files.exists(file)) {
        throw new NoSuchFileException(file.toString(), null, "no such file");
      }
      if (!Files.isRegularFile(file)) {
        throw new IOException(
            file + " is not a regular file: give a stream for a directory, device or pipe");
      }
      return Files.size(file);
    });
  }

  @Override
  public int available() {
    return buffer.remaining();
  }

  @Override
  boolean fill() throws IOException {
    if (buffer.hasRemaining()) {
      return true;
    }
    // An interrupted wait leaves the task writing to its buffer, which must not be reused then.
    ByteBuffer free = buffer;
    buffer = ByteBuffer.allocate(0);
    int n = FileThreads.call(() -> channel.read(free.clear()));
    if (n < 0) {
      return false;
    }
    buffer = free.flip();
    return true;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  @Override
  public String toString() {
    return "FileInput(" + file + ")";
  }
}
