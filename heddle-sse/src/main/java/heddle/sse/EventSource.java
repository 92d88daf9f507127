package heddle.sse;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import heddle.client.HttpCall;
import heddle.client.HttpClient;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.StatusException;
import heddle.http.failure.ClientClosedException;
import heddle.http.failure.TlsException;
import heddle.http.failure.TlsException.Reason;
import heddle.http.io.BlockingIterator;
import heddle.http.io.Interrupts;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Events that go on: when the connection ends or fails, the source connects again and tells the
 * server the id of the last event, so that a server that keeps its events sends each once.
 *
 * <pre>{@code
 * try (EventSource source = EventSource.open(client, "http://localhost:8080/prices")) {
 *   for (ServerSentEvent event : source) {
 *     System.out.println(event.type() + ": " + event.data());
 *   }
 * }
 * }</pre>
 *
 * <p>It connects when the first event is asked for, and waits before it connects again: for as long
 * as the stream has said ({@code retry}), or else 3 s. If the next connection brings no event
 * either, it waits about twice as long each time, 30 s at most. A stream in which nothing arrives
 * for as long as the client allows ({@link heddle.client.settings.Timeouts#silence}) counts as
 * lost; a server prevents that with comments.
 *
 * <p>The source ends when it is closed, or when the server answers 204 (No Content). It fails if
 * connecting again would not help: with the status of a response other than 429, 502, 503 and 504;
 * with another media type; with an event that is too large; with an untrusted server.
 *
 * <p>For one thread, except {@link #close}.
 */
public final class EventSource implements Iterable<ServerSentEvent>, AutoCloseable {
  private static final HeaderName LAST_EVENT_ID = HeaderName.of("Last-Event-ID");
  private static final Set<Integer> TRANSIENT = Set.of(429, 502, 503, 504);

  /** The least that is waited after connections without an event, whatever the server says. */
  private static final Duration LEAST_BACKOFF = Duration.ofMillis(100);

  private static final int MOST_DOUBLINGS = 10;

  private final HttpClient client;
  private final Request request;
  private final Duration reconnectDelay;
  private final Duration maxDelay;
  private final @Nullable Duration giveUpAfter;
  private final int maxEventBytes;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition closing = lock.newCondition();
  private volatile boolean closed;
  private volatile @Nullable HttpCall call;

  // The reader's own.
  private @Nullable EventStream stream;
  private boolean ended;
  private String lastEventId;
  private @Nullable Duration retry;
  private int failures;
  private long lostAt;

  private EventSource(Builder settings) {
    client = settings.client;
    request = settings.request;
    reconnectDelay = settings.reconnectDelay;
    maxDelay = settings.maxDelay;
    giveUpAfter = settings.giveUpAfter;
    maxEventBytes = settings.maxEventBytes;
    lastEventId = settings.lastEventId;
  }

  /**
   * The events of a URL, with the defaults.
   *
   * @throws IOException if it is no URL
   */
  public static EventSource open(HttpClient client, String url) throws IOException {
    return builder(client, client.request(url).build()).build();
  }

  /**
   * For other settings, and requests with fields or content of their own.
   *
   * @throws IllegalArgumentException if the request's body is not replayable
   */
  public static Builder builder(HttpClient client, Request request) {
    return new Builder(client, request);
  }

  /** Collects settings. Not safe for use by several threads. */
  public static final class Builder {
    private final HttpClient client;
    private final Request request;
    private String lastEventId = "";
    private Duration reconnectDelay = Duration.ofSeconds(3);
    private Duration maxDelay = Duration.ofSeconds(30);
    private @Nullable Duration giveUpAfter;
    private int maxEventBytes = EventStream.DEFAULT_MAX_EVENT_BYTES;

    private Builder(HttpClient client, Request request) {
      if (!request.body().isReplayable()) {
        throw new IllegalArgumentException("the request's body can be sent only once, but a source"
            + " sends it for each connection: use Body.replayable or Body.of(byte[])");
      }
      this.client = client;
      this.request = request;
    }

    /** The event after which to begin, as an earlier source has returned its id. */
    public Builder lastEventId(String id) {
      lastEventId = id;
      return this;
    }

    /**
     * How long to wait before connecting again if the stream does not say; 3 s by default.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Builder reconnectDelay(Duration delay) {
      if (delay.isNegative()) {
        throw new IllegalArgumentException("reconnectDelay must not be negative, but was " + delay);
      }
      reconnectDelay = delay;
      return this;
    }

    /**
     * The longest wait before connecting again, whatever the stream says; 30 s by default.
     *
     * @param delay more than zero, at most a day
     * @throws IllegalArgumentException if it is out of this range
     */
    public Builder maxDelay(Duration delay) {
      if (requirePositive("maxDelay", delay).compareTo(Duration.ofDays(1)) > 0) {
        throw new IllegalArgumentException("maxDelay must be at most a day, but was " + delay);
      }
      maxDelay = delay;
      return this;
    }

    /**
     * Fails with the last failure if there was no connection for this long; null, the default, for
     * never.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public Builder giveUpAfter(@Nullable Duration time) {
      giveUpAfter = time == null ? null : requirePositive("giveUpAfter", time);
      return this;
    }

    /**
     * The limit for the data of an event and for a line; {@link
     * EventStream#DEFAULT_MAX_EVENT_BYTES} by default.
     *
     * @throws IllegalArgumentException if it is less than 1
     */
    public Builder maxEventBytes(int bytes) {
      maxEventBytes = EventStream.requireLimit(bytes);
      return this;
    }

    private static Duration requirePositive(String name, Duration time) {
      if (!time.isPositive()) {
        throw new IllegalArgumentException(name + " must be positive, but was " + time);
      }
      return time;
    }

    /** The source, which has not connected yet. */
    public EventSource build() {
      return new EventSource(this);
    }
  }

  /**
   * Waits for the next event, and connects if there is no connection.
   *
   * @return null when the source has ended: it was closed, or the server has no more events
   * @throws StatusException if the server answers with a status that does not pass by itself
   * @throws NoEventStreamException if the response is no stream of events
   * @throws EventTooLargeException if an event is larger than allowed
   * @throws InterruptedIOException when the thread is interrupted, which closes the source; its
   *     flag is set again
   * @throws IOException if the source gives up
   */
  public @Nullable ServerSentEvent next() throws IOException {
    try {
      ServerSentEvent event = null;
      while (event == null && !ended && !closed) {
        event = attempt();
      }
      return event;
    } catch (IOException | RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /** An event, or null if there is none yet: the connection was lost, or the source has ended. */
  private @Nullable ServerSentEvent attempt() throws IOException {
    try {
      EventStream open = stream == null ? connect() : stream;
      ServerSentEvent event = open == null ? null : open.next();
      if (event != null) {
        failures = 0;
        return event;
      }
      if (!ended) {
        lost(null);
      }
    } catch (IOException e) {
      if (closed) {
        return null;
      }
      if (isFinal(e)) {
        throw e;
      }
      lost(e);
    }
    return null;
  }

  private static boolean isFinal(IOException e) {
    return switch (e) {
      case StatusException status -> !TRANSIENT.contains(status.status().code());
      case NoEventStreamException ignored -> true;
      case EventTooLargeException ignored -> true;
      case ClientClosedException ignored -> true;
      case TlsException tls -> tls.reason() != Reason.TRUNCATED && tls.reason() != Reason.OTHER;
      case InterruptedIOException ignored -> true;
      default -> false;
    };
  }

  /** Connects; null if the server has no more events. */
  private @Nullable EventStream connect() throws IOException {
    HttpCall made = client.newCall(dressed());
    call = made;
    if (closed) {
      made.cancel();
    }
    Response response = made.execute();
    if (response.status().equals(Status.NO_CONTENT)) {
      response.close();
      ended = true;
      return null;
    }
    EventStream open = EventStream.of(response, lastEventId, maxEventBytes);
    stream = open;
    lostAt = 0;
    return open;
  }

  private Request dressed() {
    Headers.Builder fields = request.headers().toBuilder();
    if (!request.headers().contains(HeaderName.ACCEPT)) {
      fields.add(HeaderName.ACCEPT, "text/event-stream");
    }
    if (!request.headers().contains(HeaderName.CACHE_CONTROL)) {
      fields.add(HeaderName.CACHE_CONTROL, "no-store");
    }
    fields.remove(LAST_EVENT_ID);
    if (isSendable(lastEventId)) {
      byte[] octets = lastEventId.getBytes(UTF_8);
      fields.add(LAST_EVENT_ID, octets, 0, octets.length);
    }
    Request.Builder dressed = request.toBuilder().headers(fields.build());
    return (request.deadline() == null ? dressed.noDeadline() : dressed).build();
  }

  /** A field's value has no controls and no blanks around it, so an id with these is not sent. */
  private static boolean isSendable(String id) {
    return !id.isEmpty()
        && id.chars().noneMatch(c -> (c < ' ' && c != '\t') || c == 0x7F)
        && !isBlank(id.charAt(0))
        && !isBlank(id.charAt(id.length() - 1));
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }

  /** Waits before the next connection; fails if the source gives up. */
  private void lost(@Nullable IOException failure) throws IOException {
    EventStream open = stream;
    if (open != null) {
      lastEventId = open.lastEventId();
      retry = open.retry() == null ? retry : open.retry();
      stream = null;
    }
    failures++;
    long now = System.nanoTime();
    lostAt = lostAt == 0 ? now : lostAt;
    Duration most = giveUpAfter;
    if (failure != null && most != null && now - lostAt >= NANOSECONDS.convert(most)) {
      throw failure;
    }
    pause(delay());
  }

  private Duration delay() {
    Duration first = shorter(retry == null ? reconnectDelay : retry, maxDelay);
    if (failures == 1) {
      return first;
    }
    Duration base = first.compareTo(LEAST_BACKOFF) < 0 ? LEAST_BACKOFF : first;
    Duration doubled = base.multipliedBy(1L << Math.min(failures - 1, MOST_DOUBLINGS));
    // Not all clients of a server that was away come back at the same time.
    int share = ThreadLocalRandom.current().nextInt(500, 1001);
    return shorter(doubled.multipliedBy(share).dividedBy(1000), maxDelay);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private void pause(Duration delay) throws InterruptedIOException {
    lock.lock();
    try {
      for (long left = delay.toNanos(); left > 0 && !closed; ) {
        left = closing.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      throw Interrupts.restored("interrupted before connecting again", e);
    } finally {
      lock.unlock();
    }
  }

  /** The id of the last event, which a later source can begin after; empty if there was none. */
  public String lastEventId() {
    EventStream open = stream;
    return open == null ? lastEventId : open.lastEventId();
  }

  /**
   * The events, to be iterated over once. The iterator throws an {@link UncheckedIOException} where
   * {@link #next} throws.
   */
  @Override
  public Iterator<ServerSentEvent> iterator() {
    return new BlockingIterator<>(this::next);
  }

  /** Ends the source. From any thread: {@link #next} then returns null. Idempotent. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      closing.signalAll();
    } finally {
      lock.unlock();
    }
    HttpCall running = call;
    if (running != null) {
      running.cancel();
    }
  }
}
