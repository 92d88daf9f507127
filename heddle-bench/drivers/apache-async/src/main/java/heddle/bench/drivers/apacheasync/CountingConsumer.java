package heddle.bench.drivers.apacheasync;

import heddle.bench.driver.Answer;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hc.client5.http.async.methods.AbstractBinResponseConsumer;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.ProtocolVersion;
import org.jspecify.annotations.Nullable;

/** Counts the content of one answer and discards it. Belongs to one exchange. */
final class CountingConsumer extends AbstractBinResponseConsumer<Answer> {

  private final ProtocolVersion expected;
  private int status;
  private long bytes;

  CountingConsumer(ProtocolVersion expected) {
    this.expected = expected;
  }

  @Override
  protected void start(HttpResponse response, @Nullable ContentType type) throws IOException {
    ProtocolVersion version = response.getVersion();
    if (version != null && !version.equals(expected)) {
      throw new IOException("the answer came over " + version);
    }
    status = response.getCode();
  }

  @Override
  protected int capacityIncrement() {
    return Integer.MAX_VALUE;
  }

  @Override
  protected void data(ByteBuffer piece, boolean isLast) {
    bytes += piece.remaining();
    piece.position(piece.limit());
  }

  @Override
  protected Answer buildResult() {
    return new Answer(status, bytes);
  }

  @Override
  public void releaseResources() {}
}
