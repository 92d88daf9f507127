package heddle.client;

import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.duplex.UpgradeContent;
import heddle.http.failure.CallCancelledException;
import heddle.http.io.ContentPipe;
import heddle.http.io.Interrupts;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A call whose two directions are independent: the content of the request is written while the
 * response is read, as conversations over one stream of HTTP/2 need. Made by {@link
 * HttpClient#open} for a request without content ({@link IllegalArgumentException}), and fails if
 * it gets a connection of HTTP/1.1, unless the request offers another protocol.
 *
 * <pre>{@code
 * Request chat = Request.post("https://localhost:8443/chat", Body.empty());
 * try (DuplexCall call = client.open(chat)) {
 *   call.output().write("Hello\n".getBytes(UTF_8));
 *   try (Response response = call.response()) {
 *     var answers = new BufferedReader(new InputStreamReader(response.body().stream(), UTF_8));
 *     System.out.println(answers.readLine());
 *     call.output().write("How are you?\n".getBytes(UTF_8));
 *     System.out.println(answers.readLine());
 *   }
 * }
 * }</pre>
 *
 * <p>One thread writes and one reads, which may be the same; the other methods may be called by any
 * thread at any time. At most 64 KiB that were written wait to be sent: then writing waits for the
 * server to take more. So a thread that both writes and reads must not write much more than the
 * server takes before it answers.
 *
 * <p>The deadline of the call starts when it is made; the time until the head of the response
 * starts anew with each piece of content that was sent.
 *
 * <p><b>Another protocol.</b> A request with an Upgrade field offers the server the protocol that
 * the field names. If the server switches to it (101, RFC 9110 section 7.8), the content of the
 * response is what the server sends in it, and the output is for what the client sends; before, and
 * after another answer, nothing is written. From then on the limits of the call, its deadline
 * included, do not hold: the other protocol has its own. But a write fails if the server accepts
 * nothing for as long as it may be silent. If the server ends its direction first, writing may go
 * on until that end was read. The connection takes no further request.
 *
 * <p>Such a request goes over HTTP/1.1, unless the {@linkplain Request.Builder#version version} of
 * the request or client is HTTP/2: then it is an extended CONNECT (RFC 8441), which the server
 * accepts with 200 and which uses one stream of the connection.
 *
 * <p>The call is over when the response has ended: what the server does not want of the content is
 * not sent (RFC 9113 section 8.1). The server may be silent until the output is closed, and is then
 * bound by the {@linkplain heddle.client.settings.Timeouts#silence silence} that the client allows.
 * Its content is sent once: not again after a redirect, a challenge, or a failure.
 */
public final class DuplexCall implements AutoCloseable {
  private final OutputStream output;

  /** Ends the writing, with the cause of the failure of later writes or null for none. */
  private final Consumer<@Nullable Throwable> abandonment;

  private final HttpCall call;
  private final CompletableFuture<Response> answer;

  DuplexCall(Request request, Function<Request, HttpCall> calls) {
    if (request.body().length() != 0) {
      throw new IllegalArgumentException("the request has content: leave its body empty, and write"
          + " to the output of the call");
    }
    Body body;
    BooleanSupplier closesItself;
    if (request.headers().contains(HeaderName.UPGRADE)) {
      UpgradeContent content = new UpgradeContent();
      body = content;
      output = content.output();
      abandonment = content::abandon; // which does nothing once the server has switched
      closesItself = () -> false;
    } else {
      ContentPipe content = new ContentPipe();
      body = Body.duplex(content::input);
      output = content.output();
      abandonment = content::abandon;
      // The thread that sends closes its end, once the rest is not wanted.
      closesItself = content::isOpened;
    }
    call = calls.apply(request.toBuilder().body(body).build());
    answer = call.executeAsync();
    var ignored = answer.whenComplete((response, failure) -> {
      if (failure != null || !closesItself.getAsBoolean()) {
        abandonment.accept(failure);
      }
    });
  }

  /** The request that this call sends. */
  public Request request() {
    return call.request();
  }

  /**
   * Where the content of the request is written. It is sent at once: flushing does nothing. Closing
   * it ends the request; what was written is sent before.
   *
   * <p>Writing waits until there is room, and fails with an {@link IOException} when the call has
   * failed, was cancelled, or the server has completed its response before.
   */
  public OutputStream output() {
    return output;
  }

  /**
   * Waits for the head of the response. The caller must read its content to the end or close it.
   *
   * @return the same response each time
   * @throws CallCancelledException if the call is cancelled before or meanwhile
   * @throws InterruptedIOException when the thread is interrupted, which cancels the call; its flag
   *     is set again
   * @throws IOException as {@link HttpClient#send} does
   */
  public Response response() throws IOException {
    try {
      return answer.get();
    } catch (InterruptedException e) {
      InterruptedIOException interrupted =
          Interrupts.restored("interrupted while waiting for a response", e);
      cancel();
      throw interrupted;
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case IOException failure -> throw failure;
        case RuntimeException failure -> throw failure;
        case Error failure -> throw failure;
        case null, default -> throw new IOException("the call failed: " + e.getCause(), e);
      }
    }
  }

  /** Whether {@link #response} returns or throws without waiting. */
  public boolean isAnswered() {
    return answer.isDone();
  }

  /**
   * Cancels both directions: the stream is reset, unless both are over. Threads that write, or wait
   * for the response or its content, get an exception. Does not wait.
   */
  public void cancel() {
    call.cancel();
    abandonment.accept(null);
  }

  /** {@linkplain #cancel Cancels} what is not over. */
  @Override
  public void close() {
    cancel();
  }
}
