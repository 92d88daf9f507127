package heddle.adapters.spring;

import heddle.client.HttpClient;
import heddle.http.Body;
import heddle.http.Request;
import heddle.http.Response;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.StreamingHttpOutputMessage;

/**
 * Sends a request whose content writes itself, on the thread that calls. Content of up to 64 KiB is
 * held, and sent with its length in one go, as most content is; of more, the request is sent by a
 * virtual thread as soon as that is known, while the content goes on to be written.
 */
final class WrittenContent extends OutputStream {
  /** The most bytes that are held before the request is sent. */
  static final int MOST_HELD = 64 * 1024;

  private final HttpClient client;
  private final Request.Builder request;
  private final long announced;
  private final ByteArrayOutputStream held = new ByteArrayOutputStream();

  /** Where more goes than is held; null while all is. */
  private @Nullable ContentPipe pipe;

  /** Of the request that is being sent; set with the pipe. */
  private @Nullable CompletableFuture<Response> answer;

  /**
   * @param announced the length of the content in bytes, {@link Body#UNKNOWN} if nobody has said
   */
  WrittenContent(HttpClient client, Request.Builder request, long announced) {
    this.client = client;
    this.request = request;
    this.announced = announced;
  }

  /**
   * Has the content written, and waits for the response.
   *
   * @throws IOException when the call fails, or what writing the content has thrown
   */
  Response send(StreamingHttpOutputMessage.Body content) throws IOException {
    try {
      content.writeTo(this);
    } catch (IOException | RuntimeException | Error e) {
      CompletableFuture<Response> begun = abortUnlessAnswered(e);
      if (begun == null) {
        throw e;
      }
      return await(begun);
    }
    CompletableFuture<Response> sent = answer;
    ContentPipe open = pipe;
    if (sent == null || open == null) {
      return client.send(request.body(whole()).build());
    }
    open.end();
    return await(sent);
  }

  private Body whole() throws IOException {
    if (announced != Body.UNKNOWN && announced != held.size()) {
      throw new IOException("the request's content has " + held.size()
          + " bytes, but Content-Length announces " + announced
          + ": give its true length, or none");
    }
    return Body.of(held.toByteArray());
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

  private static Response await(CompletableFuture<Response> sent) throws IOException {
    try {
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
    if (open == null && held.size() + count <= MOST_HELD) {
      held.write(source, offset, count);
      return;
    }
    if (open == null) {
      open = begin();
    }
    open.write(source, offset, count);
  }

  private ContentPipe begin() throws IOException {
    ContentPipe open = new ContentPipe();
    pipe = open;
    CompletableFuture<Response> sent =
        client.sendAsync(request.body(Body.of(open.input(), announced)).build());
    answer = sent;
    // However the call ends, nobody reads any more.
    var _ = sent.whenComplete((response, failure) -> open.readerGone());
    byte[] before = held.toByteArray();
    open.write(before, 0, before.length);
    return open;
  }

  /** Nothing: what was written leaves when there is enough of it. */
  @Override
  public void flush() {}

  /** Nothing: the content ends where writing it does. */
  @Override
  public void close() {}
}
