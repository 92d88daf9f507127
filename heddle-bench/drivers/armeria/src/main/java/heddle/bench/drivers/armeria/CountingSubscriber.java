package heddle.bench.drivers.armeria;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.ResponseHeaders;
import heddle.bench.driver.Answer;
import heddle.bench.driver.AsyncClientDriver.Completion;
import java.util.concurrent.Executor;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** Counts the content of one answer and discards it. Belongs to one exchange. */
final class CountingSubscriber implements Subscriber<HttpObject> {

  private final Executor loop;
  private final Completion completion;
  private int status;
  private long bytes;

  CountingSubscriber(Executor loop, Completion completion) {
    this.loop = loop;
    this.completion = completion;
  }

  @Override
  public void onSubscribe(Subscription subscription) {
    subscription.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(HttpObject part) {
    if (part instanceof HttpData piece) {
      bytes += piece.length();
    } else if (part instanceof ResponseHeaders head) {
      status = head.status().code();
    }
  }

  @Override
  public void onError(Throwable cause) {
    completion.failed(cause);
  }

  /**
   * Completes in a separate task: the connection is free for the next exchange only after this
   * method.
   */
  @Override
  public void onComplete() {
    loop.execute(() -> completion.answered(new Answer(status, bytes)));
  }
}
