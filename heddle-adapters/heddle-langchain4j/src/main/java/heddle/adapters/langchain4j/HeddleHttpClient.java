package heddle.adapters.langchain4j;

import static dev.langchain4j.http.client.sse.ServerSentEventListenerUtils.ignoringExceptions;

import dev.langchain4j.exception.HttpException;
import dev.langchain4j.exception.TimeoutException;
import dev.langchain4j.http.client.HttpRequest;
import dev.langchain4j.http.client.SuccessfulHttpResponse;
import dev.langchain4j.http.client.sse.ServerSentEvent;
import dev.langchain4j.http.client.sse.ServerSentEventContext;
import dev.langchain4j.http.client.sse.ServerSentEventListener;
import dev.langchain4j.http.client.sse.ServerSentEventParser;
import heddle.adapters.support.LimitAdvice;
import heddle.adapters.support.ResponseContent;
import heddle.client.HttpClient;
import heddle.http.Request;
import heddle.http.Response;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Makes LangChain4j's calls over Heddle: blocking ones on the calling thread, event streams on a
 * virtual thread, which calls the listener; it may block. Thread-safe. Make one by a {@linkplain
 * HeddleHttpClientBuilder builder} and close it after the last call. Models do not close the
 * clients that they make, which leaves only idle connections, for less than a minute.
 */
public final class HeddleHttpClient
    implements dev.langchain4j.http.client.HttpClient, AutoCloseable {
  private static final LimitAdvice ADVICE = new LimitAdvice(
      "timeout of the model's builder, or connectTimeout of its HttpClientBuilder",
      "timeout of the model's builder, or readTimeout of its HttpClientBuilder");

  private final HttpClient client;

  HeddleHttpClient(HttpClient client) {
    this.client = client;
  }

  /**
   * Makes a call and reads the whole response.
   *
   * @throws HttpException if the status is not 2xx, with the content as its message
   * @throws TimeoutException if the server was silent or unreachable for too long
   * @throws RuntimeException with another {@link IOException} as its cause if the call fails
   * @throws IllegalArgumentException if something in the request cannot be sent
   */
  @Override
  public SuccessfulHttpResponse execute(HttpRequest request) {
    Request sent = Messages.request(request);
    try (Response response = client.send(sent)) {
      if (!response.status().isSuccess()) {
        throw new HttpException(response.status().code(), response.string());
      }
      return Messages.head(response).body(response.body().bytes(Long.MAX_VALUE)).build();
    } catch (IOException e) {
      throw failure(e);
    }
  }

  /**
   * Makes a call whose response is a stream of events, and returns at once.
   *
   * @param listener gets one final call: {@code onError} with what {@link #execute(HttpRequest)}
   *     throws (with the {@link IOException} itself if the stream was lost), or {@code onClose}
   * @throws IllegalArgumentException if something in the request cannot be sent
   */
  @Override
  public void execute(
      HttpRequest request, ServerSentEventParser parser, ServerSentEventListener listener) {
    Request sent = Messages.request(request);
    Thread.ofVirtual()
        .name("heddle-langchain4j")
        .start(() -> stream(sent, parser, new EndsOnce(listener)));
  }

  // Reports every failure, because the listener waits for a final call.
  private void stream(Request request, ServerSentEventParser parser, EndsOnce listener) {
    try (Response response = client.send(request)) {
      if (!response.status().isSuccess()) {
        int status = response.status().code();
        listener.onError(new HttpException(status, response.string()));
        return;
      }
      SuccessfulHttpResponse head = Messages.head(response).build();
      ignoringExceptions(() -> listener.onOpen(head));
      parser.parse(new ResponseContent(response, ADVICE::translate), listener);
      listener.onClose();
    } catch (IOException e) {
      listener.onError(failure(e));
    } catch (RuntimeException | Error e) {
      listener.onError(e);
    }
  }

  private static RuntimeException failure(IOException e) {
    IOException told = ADVICE.translate(e);
    return told instanceof SocketTimeoutException
        ? new TimeoutException(told)
        : new RuntimeException(told);
  }

  /** Refuses further calls. Running calls have 5 s before they are aborted. Idempotent. */
  @Override
  public void close() {
    client.close();
  }

  /**
   * Passes only the first final call to a listener: parsers report a lost stream, and then return
   * as if it had ended.
   */
  private static final class EndsOnce implements ServerSentEventListener {
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
}
