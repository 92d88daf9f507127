package heddle.adapters.langchain4j;

import static dev.langchain4j.http.client.sse.ServerSentEventListenerUtils.ignoringExceptions;

import dev.langchain4j.exception.TimeoutException;
import dev.langchain4j.http.client.SuccessfulHttpResponse;
import dev.langchain4j.http.client.sse.ServerSentEvent;
import dev.langchain4j.http.client.sse.ServerSentEventContext;
import dev.langchain4j.http.client.sse.ServerSentEventListener;
import java.net.SocketTimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Passes only the first final call to a listener: parsers report a lost stream, and then return as
 * if it had ended.
 */
final class EndsOnce implements ServerSentEventListener {
  private final ServerSentEventListener listener;
  private final AtomicBoolean ended = new AtomicBoolean();

  EndsOnce(ServerSentEventListener listener) {
    this.listener = listener;
  }

  @Override
  public void onOpen(SuccessfulHttpResponse response) {
    listener.onOpen(response);
  }

  @Override
  public void onEvent(ServerSentEvent event, ServerSentEventContext context) {
    listener.onEvent(event, context);
  }

  @Override
  public void onEvent(ServerSentEvent event) {
    listener.onEvent(event);
  }

  @Override
  public void onError(Throwable failure) {
    Throwable told =
        failure instanceof SocketTimeoutException ? new TimeoutException(failure) : failure;
    if (ended.compareAndSet(false, true)) {
      ignoringExceptions(() -> listener.onError(told));
    }
  }

  @Override
  public void onClose() {
    if (ended.compareAndSet(false, true)) {
      ignoringExceptions(listener::onClose);
    }
  }
}
