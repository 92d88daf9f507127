package heddle.connection;

import heddle.http.Body;
import heddle.http.HttpException;
import heddle.transport.DeadlinePassedException;
import heddle.transport.EventLoop;
import heddle.transport.Timer;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of a request that is being sent from its stream. A stream that does not return is
 * interrupted when the call's deadline passes or the rest is of no use: then only, and never after
 * this has returned. For one thread at a time, but for {@link #abort}.
 */
public final class RequestBodyReader implements AutoCloseable {
  private final Exchange owner;
  private final InterruptScope reading = new InterruptScope();
  private final @Nullable Timer timer;
  private @Nullable InputStream stream;
  private volatile boolean aborted;

  /** What reading throws once nobody wants the rest. */
  public static final class AbortedException extends IOException {
    private static final long serialVersionUID = 1L;

    AbortedException() {
      super("the rest of the request's body is not wanted");
    }
  }

  private RequestBodyReader(Exchange owner, EventLoop loop) {
    this.owner = owner;
    this.timer = owner.deadline().isNever() ? null : loop.newTimer(reading::interrupt);
    if (timer != null) {
      timer.arm(owner.deadline().nanos());
    }
  }

  /**
   * Opens a body's stream.
   *
   * @param loop keeps the time
   * @throws HttpException when the body cannot be opened
   * @throws DeadlinePassedException when the call's deadline passes first
   * @throws InterruptedIOException when the thread is interrupted; its flag is set again
   */
  public static RequestBodyReader open(Body body, Exchange owner, EventLoop loop)
      throws IOException {
    RequestBodyReader reader = new RequestBodyReader(owner, loop);
    boolean open = false;
    try {
      reader.guarded(() -> {
        reader.stream = body.stream();
        return 0;
      });
      open = true;
      return reader;
    } finally {
      if (!open) {
        reader.close();
      }
    }
  }

  /**
   * Reads what there is, at least one byte.
   *
   * @return how many bytes, or -1 at the end
   * @throws HttpException when the body cannot be read
   * @throws AbortedException after {@link #abort}
   * @throws DeadlinePassedException when the call's deadline passes first
   * @throws InterruptedIOException when the thread is interrupted; its flag is set again
   */
  public int read(byte[] piece) throws IOException {
    InputStream open = stream;
    if (open == null) {
      throw new IllegalStateException("the body is not open");
    }
    return guarded(() -> {
      int count = open.read(piece);
      return count == 0 ? readOne(open, piece) : count;
    });
  }

  /** For a stream that gives nothing, which it must not: one byte is something or the end. */
  private static int readOne(InputStream open, byte[] piece) throws IOException {
    int value = open.read();
    if (value < 0) {
      return -1;
    }
    piece[0] = (byte) value;
    return 1;
  }

  /**
   * The rest would be read for nothing: who reads is interrupted, and reading fails from now on.
   * From any thread.
   */
  public void abort() {
    aborted = true;
    reading.interrupt();
  }

  private int guarded(Body.IOSupplier<Integer> action) throws IOException {
    try {
      // Where the deadline has passed before, leaving tells.
      return reading.enter() ? action.get() : -1;
    } catch (IOException e) {
      throw unusable("read", e);
    } finally {
      leave();
    }
  }

  private void leave() throws DeadlinePassedException, AbortedException {
    if (reading.leave()) {
      if (aborted) {
        throw new AbortedException();
      }
      throw new DeadlinePassedException(
          "the call's deadline passed while the request's body was read");
    }
  }

  private IOException unusable(String what, IOException e) {
    if (e instanceof InterruptedIOException && Thread.currentThread().isInterrupted()) {
      return e;
    }
    return new HttpException(
        "the request's body could not be %s: %s".formatted(what, e), owner.point(), e);
  }

  /**
   * Closes the stream.
   *
   * @throws HttpException when it cannot be closed
   */
  @Override
  public void close() throws IOException {
    if (timer != null) {
      timer.cancel();
    }
    InputStream open = stream;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        throw unusable("closed", e);
      }
    }
  }
}
