package heddle.verify.grpc;

import heddle.client.DuplexCall;
import heddle.client.HttpClient;
import heddle.http.Body;
import heddle.http.Headers;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.failure.CallCancelledException;
import heddle.http.failure.DeadlineExceededException;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * One call of gRPC over HTTP/2 (PROTOCOL-HTTP2.md of gRPC): messages are written by the thread that
 * sends them, and read by a virtual thread, as many as were requested.
 */
final class GrpcCall<Q, R> extends ClientCall<Q, R> {
  private static final int PREFIX_BYTES = 5;

  private final HttpClient client;
  private final String url;
  private final MethodDescriptor<Q, R> method;
  private final CallOptions options;
  private final Semaphore requested = new Semaphore(0);

  private volatile @Nullable DuplexCall call;

  GrpcCall(HttpClient client, String url, MethodDescriptor<Q, R> method, CallOptions options) {
    this.client = client;
    this.url = url;
    this.method = method;
    this.options = options;
  }

  private DuplexCall started() {
    DuplexCall known = call;
    if (known == null) {
      throw new IllegalStateException("the call was not started");
    }
    return known;
  }

  // ---- the request

  @Override
  public void start(Listener<R> listener, Metadata headers) {
    try {
      call = client.open(request(headers));
    } catch (IOException e) {
      throw new IllegalArgumentException(e);
    }
    Executor executor = options.getExecutor();
    Executor used = executor == null ? Runnable::run : executor;
    Thread.ofVirtual().name("grpc-call").start(() -> receive(listener, used));
  }

  private Request request(Metadata headers) throws IOException {
    Request.Builder request = Request.post(url, Body.empty()).toBuilder()
        .header("Content-Type", "application/grpc")
        .acceptTrailers();
    Deadline deadline = options.getDeadline();
    if (deadline != null) {
      long micros = Math.max(1, deadline.timeRemaining(TimeUnit.MICROSECONDS));
      request.header("grpc-timeout", micros + "u").deadline(Duration.ofNanos(1000 * micros));
    }
    for (String name : headers.keys()) {
      for (String value : values(headers, name)) {
        request.header(name, value);
      }
    }
    return request.build();
  }

  private static Iterable<String> values(Metadata headers, String name) {
    if (!name.endsWith(Metadata.BINARY_HEADER_SUFFIX)) {
      return headers.getAll(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER));
    }
    Iterable<byte[]> values =
        headers.getAll(Metadata.Key.of(name, Metadata.BINARY_BYTE_MARSHALLER));
    return StreamSupport.stream(values.spliterator(), false)
        .map(value -> Base64.getEncoder().withoutPadding().encodeToString(value))
        .toList();
  }

  @Override
  public void sendMessage(Q message) {
    try (InputStream content = method.streamRequest(message)) {
      byte[] bytes = content.readAllBytes();
      ByteBuffer framed = ByteBuffer.allocate(PREFIX_BYTES + bytes.length);
      framed.put((byte) 0).putInt(bytes.length).put(bytes);
      started().output().write(framed.array());
    } catch (IOException e) {
      // Ignored: the listener is notified when the response ends.
    }
  }

  @Override
  public void halfClose() {
    try {
      started().output().close();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void request(int messages) {
    requested.release(messages);
  }

  @Override
  public void cancel(@Nullable String message, @Nullable Throwable cause) {
    started().cancel();
    requested.release();
  }

  // ---- the response

  private void receive(Listener<R> listener, Executor executor) {
    Metadata trailers = new Metadata();
    Status status;
    try (DuplexCall open = started();
        Response response = open.response()) {
      Headers last = response.headers();
      if (!last.contains("grpc-status")) {
        Metadata head = metadata(last);
        executor.execute(() -> listener.onHeaders(head));
        receive(response.body().stream(), listener, executor);
        last = response.trailers().get();
      }
      trailers = metadata(last);
      status = status(response, last);
    } catch (CallCancelledException e) {
      status = Status.CANCELLED.withCause(e);
    } catch (DeadlineExceededException e) {
      status = Status.DEADLINE_EXCEEDED.withCause(e);
    } catch (IOException e) {
      status = Status.UNAVAILABLE.withDescription(e.getMessage()).withCause(e);
    } catch (InterruptedException e) {
      status = Status.INTERNAL.withCause(e);
    }
    Status told = status;
    Metadata end = trailers;
    executor.execute(() -> listener.onClose(told, end));
  }

  private void receive(InputStream in, Listener<R> listener, Executor executor)
      throws IOException, InterruptedException {
    for (byte[] prefix = in.readNBytes(PREFIX_BYTES);
        prefix.length == PREFIX_BYTES;
        prefix = in.readNBytes(PREFIX_BYTES)) {
      requested.acquire();
      byte[] message = in.readNBytes(ByteBuffer.wrap(prefix).getInt(1));
      R value = method.parseResponse(new ByteArrayInputStream(message));
      executor.execute(() -> listener.onMessage(value));
    }
  }

  private static Metadata metadata(Headers fields) {
    Metadata metadata = new Metadata();
    for (Headers.Field field : fields) {
      String name = field.name().toString();
      if (name.endsWith(Metadata.BINARY_HEADER_SUFFIX)) {
        metadata.put(
            Metadata.Key.of(name, Metadata.BINARY_BYTE_MARSHALLER),
            Base64.getDecoder().decode(field.value()));
      } else {
        metadata.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), field.value());
      }
    }
    return metadata;
  }

  private static Status status(Response response, Headers last) {
    String code = last.first("grpc-status");
    if (code == null) {
      return Status.UNKNOWN.withDescription("no grpc-status, but " + response.status());
    }
    String message = last.first("grpc-message");
    Status status = Status.fromCodeValue(Integer.parseInt(code));
    return message == null
        ? status
        : status.withDescription(
            URLDecoder.decode(message.replace("+", "%2B"), StandardCharsets.UTF_8));
  }
}
