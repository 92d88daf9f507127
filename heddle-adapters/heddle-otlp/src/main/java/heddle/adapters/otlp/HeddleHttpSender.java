package heddle.adapters.otlp;

import heddle.adapters.support.LimitAdvice;
import heddle.client.HttpClient;
import heddle.http.Body;
import heddle.http.BodyTooLargeException;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.export.Compressor;
import io.opentelemetry.sdk.common.export.HttpResponse;
import io.opentelemetry.sdk.common.export.HttpSender;
import io.opentelemetry.sdk.common.export.HttpSenderConfig;
import io.opentelemetry.sdk.common.export.MessageWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Sends the messages of an exporter, each on a virtual thread, or on the exporter's executor if one
 * was set. Thread-safe.
 */
final class HeddleHttpSender implements HttpSender {
  private static final Logger LOGGER = Logger.getLogger(HeddleHttpSender.class.getName());

  private static final LimitAdvice ADVICE = new LimitAdvice(
      "setConnectTimeout of the exporter's builder",
      "setTimeout of the exporter's builder, or otel.exporter.otlp.timeout");

  private final HttpClient client;
  private final Executor executor;

  /** The request without fields and content. */
  private final Request target;

  private final HttpSenderConfig config;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * @throws IllegalArgumentException if a setting cannot be honoured; the message names it
   */
  HeddleHttpSender(HttpSenderConfig config) {
    this.config = config;
    Executor given = config.getExecutorService();
    executor = given == null ? task -> Thread.ofVirtual().name("heddle-otlp").start(task) : given;
    target = SenderSettings.target(config);
    client = SenderSettings.client(config);
  }

  /** A response for OpenTelemetry. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Answer(Status status, byte[] body) implements HttpResponse {
    @Override
    public int getStatusCode() {
      return status.code();
    }

    @Override
    public String getStatusMessage() {
      return status.reason();
    }

    @Override
    public byte[] getResponseBody() {
      return body;
    }
  }

  @Override
  public void send(
      MessageWriter message, Consumer<HttpResponse> onResponse, Consumer<Throwable> onError) {
    try {
      executor.execute(() -> run(message, onResponse, onError));
    } catch (RejectedExecutionException e) {
      onError.accept(e);
    }
  }

  // Reports every failure, because the exporter waits for a result.
  private void run(
      MessageWriter message, Consumer<HttpResponse> onResponse, Consumer<Throwable> onError) {
    HttpResponse answer;
    try {
      answer = call(message);
    } catch (IOException e) {
      onError.accept(ADVICE.translate(e));
      return;
    } catch (RuntimeException | Error e) {
      onError.accept(e);
      return;
    }
    onResponse.accept(answer);
  }

  private HttpResponse call(MessageWriter message) throws IOException {
    Request request =
        target.toBuilder().headers(headers()).body(Body.of(bytes(message))).build();
    try (Response response = client.send(request)) {
      return new Answer(response.status(), content(response));
    }
  }

  private Headers headers() {
    Headers.Builder headers = Headers.builder();
    Map<String, List<String>> supplied = config.getHeadersSupplier().get();
    if (supplied != null) {
      supplied.forEach((name, values) -> values.forEach(value -> headers.add(name, value)));
    }
    headers.set(HeaderName.CONTENT_TYPE, config.getContentType());
    Compressor compressor = config.getCompressor();
    if (compressor != null) {
      headers.set(HeaderName.CONTENT_ENCODING, compressor.getEncoding());
    }
    return headers.build();
  }

  private byte[] bytes(MessageWriter message) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Compressor compressor = config.getCompressor();
    if (compressor == null) {
      message.writeMessage(bytes);
    } else {
      try (OutputStream compressed = compressor.compress(bytes)) {
        message.writeMessage(compressed);
      }
    }
    return bytes.toByteArray();
  }

  /** Only the status matters: a failure to read the content is logged. */
  private byte[] content(Response response) throws IOException {
    try {
      return response.body().bytes(config.getMaxResponseBodySize());
    } catch (BodyTooLargeException e) {
      throw e;
    } catch (IOException e) {
      LOGGER.log(Level.WARNING, "The response's content could not be read", e);
      return new byte[0];
    }
  }

  /** Refuses further messages. Messages being sent have 5 s before they are aborted. Idempotent. */
  @Override
  public CompletableResultCode shutdown() {
    if (!closed.compareAndSet(false, true)) {
      return CompletableResultCode.ofSuccess();
    }
    CompletableResultCode result = new CompletableResultCode();
    Thread.ofVirtual().name("heddle-otlp-shutdown").start(() -> {
      try {
        client.close();
        result.succeed();
      } catch (RuntimeException | Error e) {
        result.failExceptionally(e);
      }
    });
    return result;
  }
}
