package heddle.har;

import heddle.client.HttpClient;
import heddle.client.spi.AttemptInfo;
import heddle.client.spi.CallSummary;
import heddle.client.spi.ConnectionInfo;
import heddle.client.spi.ExchangeListener;
import heddle.client.spi.Interceptor;
import heddle.client.step.DefaultFields;
import heddle.http.Body;
import heddle.http.Headers;
import heddle.http.Redaction;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import java.io.IOException;
import java.lang.ref.ReferenceQueue;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Records the exchanges of clients into a file in the HTTP Archive format (HAR 1.2), which the
 * developer tools of browsers can show and {@link HarReplay} can answer from. Thread-safe.
 *
 * <pre>{@code
 * try (HarRecorder recorder = HarRecorder.to(Path.of("calls.har"));
 *     HttpClient client = recorder.attach(HttpClient.builder()).build()) {
 *   client.get("https://example.com/users").string();
 * }
 * }</pre>
 *
 * <p>Each attempt of a call is an entry, also those that redirects, challenges and retries lead to;
 * one that failed has the status 0 and the failure as {@code _error}. The content is that of the
 * call's response as the caller reads it, decoded; it is recorded while it is read, and never read
 * for the recording. Fields are those of the client's steps, without those that frame the message.
 *
 * <p>An entry is written when its exchange is over. The file is complete JSON after each: if the
 * process ends without {@link #close}, only the exchanges that were going on are missing. If it is
 * killed, or the machine fails, while an entry is written, the file may end in that entry.
 *
 * <p>What a {@link Redaction} masks is not written. Contents are written as they are, but for the
 * parameters of forms: record them only where that is allowed.
 */
public final class HarRecorder implements AutoCloseable {
  /** The longest content that is recorded, unless another limit is given: 1 MiB. */
  public static final int DEFAULT_MAX_CONTENT_BYTES = 1 << 20;

  /** The size of the file, unless another limit is given: 64 MiB. */
  public static final long DEFAULT_MAX_FILE_BYTES = 64L << 20;

  /** How much of contents that are being read is held in memory, for all calls together. */
  private static final long MOST_HELD = 64L << 20;

  private final EntryMaker entries;
  private final HarOutput output;
  private final ContentRoom room = new ContentRoom(MOST_HELD);
  private final CallScope<RecordedCall> scope = new CallScope<>();

  /** Calls that have sent a request and are not over, by their ids. */
  private final Map<Long, RecordedCall> calls = new ConcurrentHashMap<>();

  /** Calls whose last entry is still to be written. */
  private final Set<RecordedCall> open = ConcurrentHashMap.newKeySet();

  private final ReferenceQueue<RecordedBody> unread = new ReferenceQueue<>();

  private HarRecorder(Builder builder) throws IOException {
    entries = new EntryMaker(builder.redaction, builder.maxContentBytes);
    Har.Creator creator = new Har.Creator("Heddle", DefaultFields.version());
    output = new HarOutput(builder.file, creator, builder.maxFileBytes);
  }

  /**
   * A recorder with the defaults.
   *
   * @param file made, or replaced if it exists
   * @throws IOException if the file cannot be written to; the message names it
   */
  public static HarRecorder to(Path file) throws IOException {
    return builder(file).build();
  }

  /**
   * A builder with the defaults.
   *
   * @param file made, or replaced if it exists
   */
  public static Builder builder(Path file) {
    return new Builder(file);
  }

  /** Collects the settings of a recorder. Not safe for use by several threads. */
  public static final class Builder {
    private final Path file;
    private Redaction redaction = Redaction.DEFAULTS;
    private int maxContentBytes = DEFAULT_MAX_CONTENT_BYTES;
    private long maxFileBytes = DEFAULT_MAX_FILE_BYTES;

    private Builder(Path file) {
      this.file = Objects.requireNonNull(file, "file");
    }

    /** What is masked; {@link Redaction#DEFAULTS} unless it is set. */
    public Builder redaction(Redaction redaction) {
      this.redaction = Objects.requireNonNull(redaction, "redaction");
      return this;
    }

    /**
     * The longest content that is recorded, of a request or a response; 1 MiB by default. A longer
     * one is left out, with a comment.
     *
     * @param bytes 0 for no contents
     * @throws IllegalArgumentException if it is negative
     */
    public Builder maxContentBytes(int bytes) {
      if (bytes < 0) {
        throw new IllegalArgumentException(
            "maxContentBytes must not be negative, but was " + bytes);
      }
      maxContentBytes = bytes;
      return this;
    }

    /**
     * How large the file may become; 64 MiB by default. Exchanges beyond that are counted in its
     * comment, and left out.
     *
     * @throws IllegalArgumentException if it is less than 1,024
     */
    public Builder maxFileBytes(long bytes) {
      if (bytes < 1024) {
        throw new IllegalArgumentException("maxFileBytes must be at least 1024, but was " + bytes);
      }
      maxFileBytes = bytes;
      return this;
    }

    /**
     * Makes the file.
     *
     * @throws IOException if it cannot be written to; the message names it
     */
    public HarRecorder build() throws IOException {
      return new HarRecorder(this);
    }
  }

  /**
   * Records the calls of the client that is built. Interceptors that were added before are outside
   * of what is recorded, those that are added later inside. A recorder may be attached to several
   * clients.
   *
   * @return the builder
   */
  public HttpClient.Builder attach(HttpClient.Builder client) {
    return client.interceptor(this::intercept).listener(new Watch());
  }

  private Response intercept(Request request, Interceptor.Chain chain) throws IOException {
    finishUnread();
    if (output.isClosed()) {
      return chain.proceed(request);
    }
    RecordedCall recording = new RecordedCall(this, request);
    open.add(recording);
    try {
      return recording.answered(scope.proceed(recording, recording.request(), chain), unread);
    } catch (IOException | RuntimeException | Error e) {
      recording.failed(e);
      throw e;
    }
  }

  private void finishUnread() {
    while (unread.poll() instanceof RecordedCall.Unread found) {
      found.forget();
    }
  }

  /** How many entries the file has. */
  public long entries() {
    return output.entries();
  }

  /** How many exchanges were left out, because the file was full or could not be written to. */
  public long omitted() {
    return output.omitted();
  }

  /**
   * Ends the recording: writes what is known of exchanges that are not over, and closes the file.
   * Clients may go on; their calls are not recorded any more. Idempotent.
   *
   * @throws IOException if an entry could not be written, now or before
   */
  @Override
  public void close() throws IOException {
    finishUnread();
    for (RecordedCall each : open) {
      each.abandon("the recorder was closed before the exchange was over");
    }
    output.close();
  }

  // ---- for recorded calls

  Capture capture() {
    return new Capture(entries.maxContentBytes(), room);
  }

  /** The request, with content that is noted while it is sent, unless it is in memory. */
  Request noting(Request request) {
    Body body = request.body();
    return body.length() == 0 || body.inMemory() != null
        ? request
        : request.toBuilder()
            .body(new RecordedBody(body, capture(), (how, failure) -> {}))
            .build();
  }

  int maxContentBytes() {
    return entries.maxContentBytes();
  }

  String leftOut(long length) {
    return entries.leftOut(length);
  }

  Har.Entry entry(RecordedAttempt exchange, ReceivedContent content) {
    return entries.entry(exchange, content);
  }

  void over(RecordedCall recording) {
    open.remove(recording);
  }

  void write(Har.Entry entry) {
    output.add(entry);
  }

  /** Reports attempts to the recorded calls. */
  private final class Watch implements ExchangeListener {
    @Override
    public void attemptStarted(AttemptInfo attempt) {
      RecordedCall recording = scope.current();
      if (recording != null) {
        calls.putIfAbsent(attempt.call().id(), recording);
        recording.attemptStarted(attempt);
      }
    }

    private void note(AttemptInfo attempt, Consumer<RecordedAttempt> what) {
      RecordedCall recording = calls.get(attempt.call().id());
      if (recording != null) {
        recording.note(what);
      }
    }

    @Override
    public void resolved(
        AttemptInfo attempt, String host, List<InetAddress> addresses, Duration took) {
      note(attempt, exchange -> exchange.lookup = exchange.lookup.plus(took));
    }

    @Override
    public void connected(AttemptInfo attempt, SocketAddress address, Duration took) {
      note(attempt, exchange -> exchange.connect = exchange.connect.plus(took));
    }

    @Override
    public void secured(AttemptInfo attempt, @Nullable String protocol, Duration took) {
      note(attempt, exchange -> exchange.handshake = exchange.handshake.plus(took));
    }

    @Override
    public void acquired(
        AttemptInfo attempt, ConnectionInfo connection, boolean reused, Duration took) {
      note(attempt, exchange -> exchange.acquired(connection, took));
    }

    @Override
    public void requestSent(AttemptInfo attempt, Duration took) {
      note(attempt, exchange -> exchange.sent = took);
    }

    @Override
    public void responseHead(AttemptInfo attempt, Status status, Headers fields, Duration took) {
      note(attempt, exchange -> exchange.head(status, fields, took));
    }

    @Override
    public void attemptEnded(
        AttemptInfo attempt, @Nullable Status status, @Nullable IOException failure) {
      note(attempt, exchange -> exchange.failure = failure);
    }

    @Override
    public void callEnded(CallSummary summary) {
      RecordedCall recording = calls.remove(summary.call().id());
      if (recording != null) {
        recording.callEnded(summary);
      }
    }
  }
}
