package heddle.adapters.apache5;

import heddle.adapters.support.ProducedBody;
import heddle.http.Headers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.nio.AsyncDataProducer;
import org.apache.hc.core5.http.nio.DataStreamChannel;
import org.jspecify.annotations.Nullable;

/**
 * The content of a request from a producer of Apache's, which keeps what the channel does not take.
 */
final class ProducedContent extends ProducedBody implements DataStreamChannel {
  private final AsyncDataProducer producer;
  private final boolean announcesTrailers;

  /** Whether the producer has requested output, even if it reports nothing available. */
  private final AtomicBoolean wanted = new AtomicBoolean();

  /** Whether the producer was asked. It is asked once before it reports any content. */
  private boolean begun;

  private volatile List<? extends Header> trailers = List.of();

  /**
   * @param writtenAtOnce whether the sending connection no longer needs the content once it was
   *     {@link #sent}
   */
  ProducedContent(AsyncDataProducer producer, EntityDetails entity, BooleanSupplier writtenAtOnce) {
    super(entity.isChunked() ? UNKNOWN : entity.getContentLength(), writtenAtOnce);
    this.producer = producer;
    this.announcesTrailers = !entity.getTrailerNames().isEmpty();
  }

  /** Whether there may be trailers: content of known length has only announced ones. */
  boolean mayHaveTrailers() {
    return length() == UNKNOWN || announcesTrailers;
  }

  /** The trailers of the producer; none before the end of the content. */
  Headers trailers() {
    Headers.Builder fields = Headers.builder();
    for (Header field : trailers) {
      fields.add(field.getName(), field.getValue());
    }
    return fields.build();
  }

  @Override
  public boolean produce() throws IOException {
    boolean has = wanted.getAndSet(false) || !begun || producer.available() > 0;
    if (has) {
      begun = true;
      producer.produce(this);
    }
    return has;
  }

  @Override
  public void requestOutput() {
    wanted.set(true);
    pipe.wake();
  }

  @Override
  public int write(ByteBuffer source) {
    return pipe.offer(source);
  }

  @Override
  public void endStream() {
    endStream(List.of());
  }

  @Override
  public void endStream(@Nullable List<? extends Header> fields) {
    trailers = fields == null ? List.of() : fields;
    pipe.end();
  }
}
