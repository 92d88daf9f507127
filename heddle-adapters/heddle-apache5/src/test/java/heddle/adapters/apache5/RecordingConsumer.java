package heddle.adapters.apache5;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hc.core5.concurrent.FutureCallback;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.nio.AsyncResponseConsumer;
import org.apache.hc.core5.http.nio.CapacityChannel;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.jspecify.annotations.Nullable;

/** Records all events of a response; its result is the content. */
final class RecordingConsumer implements AsyncResponseConsumer<String> {
  final List<String> informational = new CopyOnWriteArrayList<>();
  final List<String> trailers = new CopyOnWriteArrayList<>();
  final CountDownLatch asked = new CountDownLatch(1);
  final CountDownLatch begun = new CountDownLatch(1);
  final AtomicInteger released = new AtomicInteger();

  /** Thrown for an informational response. */
  @Nullable
  HttpException refusal;

  /** How much may arrive at a time. */
  int room = Integer.MAX_VALUE;

  private final StringBuilder content = new StringBuilder();
  private volatile @Nullable FutureCallback<String> result;

  private static List<String> lines(List<? extends Header> fields) {
    List<String> lines = new ArrayList<>();
    for (Header field : fields) {
      lines.add(field.getName().toLowerCase(java.util.Locale.ROOT) + ": " + field.getValue());
    }
    return lines;
  }

  @Override
  public void informationResponse(HttpResponse response, HttpContext context) throws HttpException {
    informational.add(response.getCode() + " " + lines(List.of(response.getHeaders())));
    if (refusal != null) {
      throw refusal;
    }
  }

  @Override
  public void consumeResponse(
      HttpResponse response,
      @Nullable EntityDetails entity,
      HttpContext context,
      FutureCallback<String> callback) {
    result = callback;
    if (entity == null) {
      callback.completed("");
    }
  }

  @Override
  public void updateCapacity(CapacityChannel channel) throws java.io.IOException {
    if (room > 0) {
      channel.update(room);
    }
    asked.countDown();
  }

  @Override
  public void consume(ByteBuffer piece) {
    content.append(StandardCharsets.ISO_8859_1.decode(piece));
    begun.countDown();
  }

  @Override
  public void streamEnd(@Nullable List<? extends Header> fields) {
    if (fields != null) {
      trailers.addAll(lines(fields));
    }
    FutureCallback<String> told = result;
    if (told != null) {
      told.completed(content.toString());
    }
  }

  @Override
  public void failed(Exception cause) {}

  @Override
  public void releaseResources() {
    released.incrementAndGet();
  }
}
