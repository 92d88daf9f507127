package heddle.bench.drivers.jdk;

import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;

/** Counts the content of one answer and discards it. Belongs to one exchange. */
final class CountingSubscriber implements BodySubscriber<Long> {

  private final CompletableFuture<Long> length = new CompletableFuture<>();
  private long bytes;

  @Override
  public CompletionStage<Long> getBody() {
    return length;
  }

  @Override
  public void onSubscribe(Subscription subscription) {
    subscription.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(List<ByteBuffer> pieces) {
    for (ByteBuffer piece : pieces) {
      bytes += piece.remaining();
    }
  }

  @Override
  public void onError(Throwable cause) {
    length.completeExceptionally(cause);
  }

  @Override
  public void onComplete() {
    length.complete(bytes);
  }
}
