package heddle.adapters.apache4;

import heddle.adapters.support.ProducedBody;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.http.HttpEntity;
import org.apache.http.nio.ContentEncoder;
import org.apache.http.nio.protocol.HttpAsyncClientExchangeHandler;

/** The content of an asynchronous request. It is asked of the handler, on the reading thread. */
final class ProducedContent extends ProducedBody implements ContentEncoder {
  private final HttpAsyncClientExchangeHandler handler;
  private final Gate gate;
  private volatile boolean completed;

  ProducedContent(
      HttpAsyncClientExchangeHandler handler, AsyncConnection connection, HttpEntity entity) {
    super(entity.isChunked() ? UNKNOWN : entity.getContentLength(), () -> true);
    this.handler = handler;
    this.gate = new Gate(connection);
  }

  /** Ends the waiting for a suspended producer. From any thread. */
  void stop() {
    gate.stop();
  }

  @Override
  public boolean produce() throws IOException {
    if (completed) {
      return false;
    }
    gate.await();
    handler.produceContent(this, gate);
    return true;
  }

  /** Takes as much as the reader has room for; the handler keeps the rest. */
  @Override
  public int write(ByteBuffer source) {
    return pipe.offer(source);
  }

  @Override
  public void complete() {
    completed = true;
    pipe.end();
  }

  @Override
  public boolean isCompleted() {
    return completed;
  }
}
