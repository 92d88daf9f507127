package heddle.adapters.okhttp;

import heddle.http.duplex.DuplexContent;
import java.io.IOException;
import okhttp3.RequestBody;
import okio.Okio;
import org.jspecify.annotations.Nullable;

/**
 * The content of a duplex request. OkHttp's body gets a sink on the thread of the call, and the
 * program writes to it while and after it reads the response.
 */
final class DuplexBody extends DuplexContent {
  private final RequestBody body;
  private final long length;
  private final HeddleExchange exchange;
  private final int writeTimeoutMillis;

  /** What the body has thrown; null for nothing. Used by the thread of the call. */
  private @Nullable Throwable failure;

  DuplexBody(RequestBody body, HeddleExchange exchange, int writeTimeoutMillis) throws IOException {
    this.body = body;
    this.length = body.contentLength();
    this.exchange = exchange;
    this.writeTimeoutMillis = writeTimeoutMillis;
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  protected void opened(Output stream) throws IOException {
    exchange.writingBegins();
    OutputSink sink = new OutputSink(exchange, stream, length, true, writeTimeoutMillis);
    try {
      body.writeTo(Okio.buffer(sink));
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
      throw new IOException("the request's body could not be written", e);
    }
  }

  void rethrowOwn() throws IOException {
    RequestContent.rethrow(failure);
  }
}
