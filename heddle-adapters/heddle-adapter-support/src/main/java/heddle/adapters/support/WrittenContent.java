package heddle.adapters.support;

import heddle.client.HttpClient;
import heddle.http.Body;
import heddle.http.Request;
import heddle.http.Response;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Sends a request whose content writes itself, on the thread that calls. Some of the content is
 * held, and sent with its length in one go, as most content is; if there is more, the request is
 * sent by a virtual thread as soon as that is known, while the content goes on to be written. For
 * one request, and one thread.
 */
public final class WrittenContent extends OutputStream {
  /** The most bytes that are held unless another number is given: 64 KiB. */
  public static final int MOST_HELD = 64 * 1024;

  private final HttpClient client;
  private final Request.Builder request;
  private Held held = new Held(32);
  private long announced = Body.UNKNOWN;
  private int mostHeld = MOST_HELD;
  private boolean ofUnknownLength;

  /** Where more goes than is held; null while all is. */
  private @Nullable ContentPipe pipe;

  /** Of the request that is being sent; set with the pipe. */
  private @Nullable CompletableFuture<Response> answer;

  private @Nullable Source again;

  /** Set with the pipe, where the content can be written again. */
  private @Nullable RewrittenBody rewritten;

  /** What is held; the array itself where that is as long as it was said to be. */
  private static final class Held extends ByteArrayOutputStream {
    Held(int expected) {
      super(expected);
    }

    byte[] content() {
      return count == buf.length ? buf : toByteArray();
    }
  }

  /** Writes content. */
  @FunctionalInterface
  public interface Source {
    /**
     * Writes all of it.
     *
     * @param out which need not be flushed or closed
     * @throws IOException if writing fails, or the content cannot be had
     */
    void writeTo(OutputStream out) throws IOException;
  }

  /**
   * @param request which is built when it is sent, so that its fields may be set until a first byte
   *     has been written
   */
  public WrittenContent(HttpClient client, Request.Builder request) {
    this.client = client;
    this.request = request;
  }

  /**
   * Says how much will be written, which counts where more is written than is held: less or more is
   * a failure then.
   *
   * @param length in bytes, {@link Body#UNKNOWN} if nobody has said
   */
  public void announce(long length) {
    announced = length;
    if (length > 0 && length <= Math.min(mostHeld, MOST_HELD) && held.size() == 0) {
      held = new Held((int) length);
    }
  }

  /**
   * How much is held.
   *
   * @param bytes {@link Integer#MAX_VALUE} for all there is
   */
  public void hold(int bytes) {
    mostHeld = bytes;
  }

  /**
   * Has the content sent as if nobody knew its length, in chunks over HTTP/1.1, however short it
   * is, and what was written so far when it is flushed.
   */
  public void beOfUnknownLength() {
    ofUnknownLength = true;
  }

  /**
   * How the content is written once more where more of it was written than is held and the request
   * has to be sent again, as after a redirect: on the thread that sends it, which waits for the
   * response then. What is written has to be the same, or the request fails.
   */
  public void repeatWith(Source source) {
    again = source;
  }

  /**
   * Has the content written, and waits for the response.
   *
   * @throws IOException when the call fails, or what writing the content has thrown
   */
  public Response send(Source content) throws IOException {
    try {
      content.writeTo(this);
    } catch (IOException | RuntimeException | Error e) {
      CompletableFuture<Response> begun = abortUnlessAnswered(e);
      if (begun == null) {
        throw e;
      }
      return await(begun);
    }
    RewrittenBody repeated = rewritten;
    if (repeated != null) {
      repeated.end();
    }
    CompletableFuture<Response> sent = answer;
    ContentPipe open = pipe;
    if (sent == null || open == null) {
      return client.send(request.body(whole()).build());
    }
    open.end();
    return await(sent);
  }

  private Body whole() {
    byte[] content = held.content();
    return ofUnknownLength
        ? Body.replayable(Body.UNKNOWN, () -> new ByteArrayInputStream(content))
        : Body.of(content);
  }

  /** How many bytes were written, as long as all of them are held; {@link Body#UNKNOWN} after. */
  public long held() {
    return pipe == null ? held.size() : Body.UNKNOWN;
  }

  /**
   * Writing has failed: perhaps because nobody wanted more, as the call was over. Then its end is
   * what matters; in any other case the call is aborted, and null.
   */
  private @Nullable CompletableFuture<Response> abortUnlessAnswered(Throwable thrown) {
    CompletableFuture<Response> sent = answer;
    ContentPipe open = pipe;
    if (sent == null || open == null) {
      return null;
    }
    if (open.hasRefused()) {
      return sent;
    }
    open.fail(thrown);
    abort(sent, thrown);
    return null;
  }

  /** Ends a call; a response that came at the last moment is closed. */
  private static void abort(CompletableFuture<Response> sent, Throwable because) {
    var _ = sent.whenComplete((response, failure) -> {
      if (response != null) {
        try {
          response.close();
        } catch (IOException e) {
          because.addSuppressed(e);
        }
      }
    });
    sent.cancel(true);
  }

  private Response await(CompletableFuture<Response> sent) throws IOException {
    RewrittenBody repeated = rewritten;
    try {
      if (repeated != null) {
        repeated.serve();
      }
      return sent.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted =
          new InterruptedIOException("interrupted while the response was awaited");
      interrupted.initCause(e);
      abort(sent, interrupted);
      throw interrupted;
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case IOException failure -> throw failure;
        case RuntimeException failure -> throw failure;
        case null, default -> throw new IOException("the call failed: " + e.getCause(), e);
      }
    }
  }

  // ---- what the content is written to

  @Override
  public void write(int octet) throws IOException {
    write(new byte[] {(byte) octet}, 0, 1);
  }

  @Override
  public void write(byte[] source, int offset, int count) throws IOException {
    ContentPipe open = pipe;
    if (open == null && count <= mostHeld - held.size()) {
      held.write(source, offset, count);
      return;
    }
    if (open == null) {
      open = begin();
    }
    write(open, source, offset, count);
  }

  private void write(ContentPipe open, byte[] source, int offset, int count) throws IOException {
    RewrittenBody repeated = rewritten;
    if (repeated != null) {
      repeated.add(source, offset, count);
    }
    open.write(source, offset, count);
  }

  private ContentPipe begin() throws IOException {
    ContentPipe open = new ContentPipe();
    pipe = open;
    long length = ofUnknownLength ? Body.UNKNOWN : announced;
    Source source = again;
    RewrittenBody repeated = source == null ? null : new RewrittenBody(length, open, source);
    rewritten = repeated;
    Body body = repeated == null ? Body.of(open.input(), length) : repeated;
    CompletableFuture<Response> sent = client.sendAsync(request.body(body).build());
    answer = sent;
    // However the call ends, nobody reads any more.
    var _ = sent.whenComplete((response, failure) -> {
      open.readerGone();
      if (repeated != null) {
        repeated.over();
      }
    });
    byte[] before = held.toByteArray();
    write(open, before, 0, before.length);
    return open;
  }

  /** Nothing, unless the length is to be unknown: what was written leaves when it is enough. */
  @Override
  public void flush() throws IOException {
    if (ofUnknownLength && pipe == null && held.size() > 0) {
      var _ = begin();
    }
  }

  /** Nothing: the content ends where writing it does. */
  @Override
  public void close() {}
}
