package heddle.har;

import heddle.client.spi.ConnectionInfo;
import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One request that was tried, and what came of it, as a listener learns it. Not thread-safe:
 * guarded by the lock of its {@link RecordedCall}.
 */
final class RecordedAttempt {
  final Request request;

  /** The content of the caller's request as it is sent; null if that is in memory, or empty. */
  final @Nullable Capture sentContent;

  final Instant started = Instant.now();
  private final long startedAt = System.nanoTime();

  @Nullable
  ConnectionInfo connection;

  // Zero if they did not happen; twice if a proxy closed the first connection.
  Duration lookup = Duration.ZERO;
  Duration connect = Duration.ZERO;
  Duration handshake = Duration.ZERO;

  /** From the start to the connection; null before there is one. */
  @Nullable
  Duration acquired;

  /** Null before the request was sent. */
  @Nullable
  Duration sent;

  /** From the request to the head of the response; null before that. */
  @Nullable
  Duration waited;

  /** From the head of the response to its end, or to the end of the exchange. */
  Duration received = Duration.ZERO;

  private long headAt;

  @Nullable
  Status status;

  Headers fields = Headers.empty();

  @Nullable
  HttpVersion version;

  @Nullable
  Throwable failure;

  RecordedAttempt(Request request, @Nullable Capture sentContent) {
    this.request = request;
    this.sentContent = sentContent;
  }

  /** A request that a step of the client has answered without a connection. */
  static RecordedAttempt ofStep(RecordedAttempt begun, Response response) {
    begun.sent = Duration.ZERO;
    begun.acquired = Duration.ZERO;
    begun.version = response.version();
    begun.head(response.status(), response.headers(), begun.elapsed());
    return begun;
  }

  void acquired(ConnectionInfo by, Duration took) {
    connection = by;
    version = by.version();
    acquired = took;
  }

  void head(Status arrived, Headers with, Duration took) {
    status = arrived;
    fields = with;
    waited = took;
    headAt = System.nanoTime();
  }

  /** The content has ended, or the exchange has. */
  void ended() {
    if (status != null) {
      received = Duration.ofNanos(Math.max(0, System.nanoTime() - headAt));
    }
  }

  /** Of what was not finished, the time until now. */
  Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - startedAt);
  }
}
