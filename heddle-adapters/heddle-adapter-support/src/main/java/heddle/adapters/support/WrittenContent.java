package heddle.adapters.support;

import heddle.adapters.support.ContentPipe.Source;
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
 * Sends a request whose content is written by a callback on the calling thread. Content up to a
 * limit is held in memory and sent at once with its length. When more is written, a virtual thread
 * sends the request while the caller continues to write. For one request and one thread.
 */
public final class WrittenContent extends OutputStream {
  /** The default for the number of bytes that are held: 64 KiB. */
  public static final int MOST_HELD = 64 * 1024;

  private final HttpClient client;
  private final Request.Builder request;
  private Held held = new Held(32);
  private long announced = Body.UNKNOWN;
  private int mostHeld = MOST_HELD;
  private boolean ofUnknownLength;

  /** Takes the content when it exceeds what is held; null before. */
  private @Nullable ContentPipe pipe;

  /** The response of the request that is being sent; set with the pipe. */
  private @Nullable CompletableFuture<Response> answer;

  private @Nullable Source again;

  /** Set with the pipe, if the content can be written again. */
  private @Nullable RewrittenBody rewritten;

  /** The held content. If it has the announced length, its array is used without a copy. */
  private static final class Held extends ByteArrayOutputStream {
    Held(int expected) {
      super(expected);
    }

    byte[] content() {
      return count == buf.length ? buf : toByteArray();
    }
  }

  /**
   * @param request is built when it is sent, so its fields may be set until the first byte is
   *     written
   */
  public WrittenContent(HttpClient client, Request.Builder request) {
    this.client = client;
    this.request = request;
  }

  /**
   * Announces the length of the content. It matters if more is written than is held: writing less
   * or more than announced then fails.
   *
   * @param length in bytes, or {@link Body#UNKNOWN}
   */
  public void announce(long length) {
    announced = length;
    if (length > 0 && length <= Math.min(mostHeld, MOST_HELD) && held.size() == 0) {
      held = new Held((int) length);
    }
  }

  /**
   * Sets how much content is held in memory.
   *
   * @param bytes {@link Integer#MAX_VALUE} for all of it
   */
  public void hold(int bytes) {
    mostHeld = bytes;
  }

  /**
   * Sends the content with unknown length, in chunks over HTTP/1.1, even if it is short. Flushing
   * sends what was written so far.
   */
  public void beOfUnknownLength() {
    ofUnknownLength = true;
  }

  /**
   * Sets how the content is written again if it exceeds what is held and the request has to be sent
   * again, for example after a redirect. The source is called by the thread that called {@link
   * #send}, which waits for the response then. It must write the same content, or the request
   * fails.
   */
  public void repeatWith(Source source) {
    again = source;
  }

  /**
   * Writes the content, and waits for the response.
   *
   * @throws IOException if the call fails, or if writing the content throws it
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

  /** The number of bytes written while all are held, {@link Body#UNKNOWN} afterwards. */
  public long held() {
    return pipe == null ? held.size() : Body.UNKNOWN;
  }

  /**
   * Called when writing has failed. If it failed because the call was over, returns the call, whose
   * outcome counts. Otherwise aborts the call and returns null.
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
    sent.cancel(true);
    return null;
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
      sent.cancel(true);
      throw interrupted;
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case IOException failure -> throw failure;
        case RuntimeException failure -> throw failure;
        case null, default -> throw new IOException("the call failed: " + e.getCause(), e);
      }
    }
  }

  // ---- OutputStream

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
    open.output().write(source, offset, count);
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
    // However the call ends, the content is no longer read.
    var _ = sent.whenComplete((response, failure) -> {
      open.abandon(null);
      if (repeated != null) {
        repeated.over();
      }
    });
    byte[] before = held.toByteArray();
    write(open, before, 0, before.length);
    return open;
  }

  /** Does nothing unless the length is unknown: content is sent when there is enough of it. */
  @Override
  public void flush() throws IOException {
    if (ofUnknownLength && pipe == null && held.size() > 0) {
      var _ = begin();
    }
  }

  /** Does nothing: the content ends when its source returns. */
  @Override
  public void close() {}
}
