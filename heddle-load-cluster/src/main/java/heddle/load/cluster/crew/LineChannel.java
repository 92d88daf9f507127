package heddle.load.cluster.crew;

import heddle.load.cluster.json.Json;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Messages between a coordinator and a worker: one line of JSON each, over any pair of streams.
 * Several threads may send; one may receive.
 *
 * <pre>{@code
 * LineChannel channel = new LineChannel(process.getInputStream(), process.getOutputStream());
 * channel.send(new Order.Stop());
 * Answer answer = channel.receive(Answer.class);
 * }</pre>
 */
public final class LineChannel {

  /** A report with its histograms has a few kilobytes, with a long interval log a few megabytes. */
  private static final int LONGEST_LINE = 64 << 20;

  private final InputStream in;
  private final OutputStream out;
  private final ReentrantLock sending = new ReentrantLock();

  /** A line that is not the expected message; later lines can still be received. */
  public static final class MalformedLineException extends IOException {
    private static final long serialVersionUID = 1;

    private MalformedLineException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** Creates a channel, which closes neither stream. */
  public LineChannel(InputStream in, OutputStream out) {
    this.in = new BufferedInputStream(in);
    this.out = out;
  }

  /** Sends a message. */
  public void send(Object message) throws IOException {
    byte[] line = (Json.line(message) + "\n").getBytes(StandardCharsets.UTF_8);
    sending.lock();
    try {
      out.write(line);
      out.flush();
    } finally {
      sending.unlock();
    }
  }

  /**
   * Waits for the next message; returns null after the last.
   *
   * @param type the message's type, usually a sealed interface
   * @throws MalformedLineException if the next line is no such message
   */
  public <T> @Nullable T receive(Class<T> type) throws IOException {
    return receive(type, LONGEST_LINE);
  }

  /**
   * The same with a limit.
   *
   * @param most how many bytes the line may have; no more are kept
   */
  public <T> @Nullable T receive(Class<T> type, int most) throws IOException {
    String line = line(most);
    if (line == null) {
      return null;
    }
    try {
      return Json.read(line, type);
    } catch (IllegalArgumentException e) {
      throw new MalformedLineException(
          "the line is no " + type.getSimpleName() + ": " + e.getMessage() + ": " + shortened(line),
          e);
    }
  }

  private @Nullable String line(int most) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        return line.size() == 0 ? null : line.toString(StandardCharsets.UTF_8);
      }
      if (line.size() == most) {
        throw new IOException("a line has more than " + most + " bytes");
      }
      line.write(next);
    }
    return line.toString(StandardCharsets.UTF_8);
  }

  private static String shortened(String line) {
    return line.length() <= 200 ? line : line.substring(0, 200) + "...";
  }
}
