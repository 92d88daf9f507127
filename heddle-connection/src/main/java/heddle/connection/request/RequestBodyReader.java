package heddle.connection.request;

import heddle.connection.Exchange;
import heddle.http.Body;
import heddle.http.Headers;
import heddle.http.HttpException;
import heddle.http.Trailers;
import heddle.transport.DeadlinePassedException;
import heddle.transport.EventLoop;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of a request that is being sent from its stream, and obtains its trailers. A
 * stream that does not return is interrupted when the call's deadline passes or the rest is not
 * needed: only then, and never after this has returned. For one thread at a time, except {@link
 * #abort}.
 */
public final class RequestBodyReader implements AutoCloseable {
  private final Exchange owner;
  private final UserCode guard;
  private final long length;
  private @Nullable InputStream stream;
  private long given;

  /** What reading throws once the rest is not needed. */
  public static final class AbortedException extends IOException {
    private static final long serialVersionUID = 1L;

    AbortedException() {
      super("the rest of the request's body is not wanted");
    }
  }

  private RequestBodyReader(Exchange owner, EventLoop loop, long length) {
    this.owner = owner;
    this.guard = new UserCode(owner, loop);
    this.length = length;
  }

  /** Opens a body's stream; throws as {@link #read} does. The loop keeps the time. */
  public static RequestBodyReader open(Body body, Exchange owner, EventLoop loop)
      throws IOException {
    RequestBodyReader reader = new RequestBodyReader(owner, loop, body.length());
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
   * The trailers of a request whose content is not read from a stream.
   *
   * @throws DeadlinePassedException when the call's deadline passes first
   */
  public static Headers trailers(Trailers source, Exchange owner, EventLoop loop)
      throws IOException {
    if (isNone(source)) {
      return Headers.empty();
    }
    try (RequestBodyReader reader = new RequestBodyReader(owner, loop, Body.UNKNOWN)) {
      return reader.trailers(source);
    }
  }

  /** Whether there are certainly no trailers: others are obtained at the end of the content. */
  @SuppressWarnings("ReferenceEquality") // none() is one instance
  public static boolean isNone(Trailers source) {
    return source == Trailers.none();
  }

  /**
   * Reads at least one byte.
   *
   * @return how many bytes, or -1 at the end
   * @throws HttpException if the body cannot be read, or does not have the declared length
   * @throws AbortedException after {@link #abort}
   * @throws DeadlinePassedException when the call's deadline passes first
   * @throws InterruptedIOException when the thread is interrupted; its flag is set again
   */
  public int read(byte[] piece) throws IOException {
    InputStream open = stream;
    if (open == null) {
      throw new IllegalStateException("the body is not open");
    }
    int read = guarded(() -> {
      int count = open.read(piece);
      return count == 0 ? readOne(open, piece) : count;
    });
    given += Math.max(0, read);
    if (length >= 0 && (read < 0 ? given < length : given > length)) {
      throw new HttpException(
          "the request's body is not as long as it says: " + given + " bytes instead of " + length,
          owner.point(),
          null);
    }
    return read;
  }

  /** For a stream that wrongly returns 0 bytes: reads a single byte, or finds the end. */
  private static int readOne(InputStream open, byte[] piece) throws IOException {
    int value = open.read();
    piece[0] = (byte) value;
    return value < 0 ? -1 : 1;
  }

  /** Obtains the trailers, once the body is at its end; throws as {@link #read} does. */
  public Headers trailers(Trailers source) throws IOException {
    if (isNone(source)) {
      return Headers.empty();
    }
    return guard.run(
        () -> Objects.requireNonNull(source.get(), "trailers must not be null: give empty ones"),
        "the request's trailers were asked for");
  }

  /** From any thread: the rest is not needed. Interrupts a reader, and makes reading fail. */
  public void abort() {
    guard.abort();
  }

  private int guarded(Body.IOSupplier<Integer> action) throws IOException {
    return guard.run(
        () -> {
          try {
            return action.get();
          } catch (IOException e) {
            throw unusable("read", e);
          }
        },
        "the request's body was read");
  }

  private IOException unusable(String what, IOException e) {
    if (e instanceof InterruptedIOException && Thread.currentThread().isInterrupted()) {
      return e;
    }
    return new HttpException(
        "the request's body could not be %s: %s".formatted(what, e), owner.point(), e);
  }

  @Override
  public void close() throws IOException {
    guard.close();
    try {
      if (stream != null) {
        stream.close();
      }
    } catch (IOException e) {
      throw unusable("closed", e);
    }
  }
}
