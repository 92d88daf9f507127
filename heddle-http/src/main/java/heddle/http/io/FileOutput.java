package heddle.http.io;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/** Writes a file on {@link FileThreads}, unbuffered. For one thread at a time. */
public final class FileOutput extends OutputStream {
  private final FileChannel channel;

  private FileOutput(FileChannel channel) {
    this.channel = channel;
  }

  /** Makes or empties a file. */
  public static FileOutput open(Path file) throws IOException {
    return new FileOutput(FileThreads.call(() -> FileChannel.open(
        file,
        StandardOpenOption.WRITE,
        StandardOpenOption.CREATE,
        StandardOpenOption.TRUNCATE_EXISTING)));
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] src, int off, int len) throws IOException {
    // An interrupted wait leaves the task reading: it must not see what the caller writes next.
    boolean elsewhere = Thread.currentThread().isVirtual();
    ByteBuffer bytes = elsewhere
        ? ByteBuffer.wrap(Arrays.copyOfRange(src, off, off + len))
        : ByteBuffer.wrap(src, off, len);
    FileThreads.call(() -> {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      return bytes;
    });
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
