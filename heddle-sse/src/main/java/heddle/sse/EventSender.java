package heddle.sse;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.spi.Exchange;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A stream of events that a handler of Heddle's server sends to one client, as a response that goes
 * on until the sender is closed. Needs the module {@code heddle-server}.
 *
 * <pre>{@code
 * ExchangeHandler prices = exchange -> {
 *   try (EventSender events = EventSender.open(exchange).heartbeat(Duration.ofSeconds(15))) {
 *     while (true) {
 *       events.send(queue.take());
 *     }
 *   }
 * };
 * }</pre>
 *
 * <p>Each event is sent at once. Any number of threads may send; events are never interleaved. If
 * the client has gone, sending fails with an {@link IOException}, and the server interrupts the
 * handler's thread if the connection was reset or the stream cancelled. {@link #close} ends the
 * response, and must be called before the handler returns.
 *
 * <p>The server's handler timeout holds for such a handler too, and its {@code close} waits for it
 * up to the close timeout.
 */
public final class EventSender implements AutoCloseable {
  private static final HeaderName LAST_EVENT_ID = HeaderName.of("Last-Event-ID");
  private static final Headers DEFAULTS = Headers.of(
      "Content-Type", "text/event-stream",
      "Cache-Control", "no-cache",
      "X-Accel-Buffering", "no");
  private static final byte[] HEARTBEAT = {':', '\n', '\n'};

  private final OutputStream out;
  private final String lastEventId;

  /** Held while something is sent. */
  private final ReentrantLock sending = new ReentrantLock();

  private boolean closed; // guarded by sending
  private @Nullable IOException failure; // guarded by sending

  /** Released when the stream is over. */
  private final CountDownLatch over = new CountDownLatch(1);

  private EventSender(OutputStream out, String lastEventId) {
    this.out = out;
    this.lastEventId = lastEventId;
  }

  /**
   * Begins a stream with status 200 and sends its head. Proxies are asked neither to store nor to
   * collect it ({@code Cache-Control: no-cache}, {@code X-Accel-Buffering: no}).
   *
   * @throws IOException if the client has gone
   * @throws IllegalStateException if the response has begun already
   */
  public static EventSender open(Exchange exchange) throws IOException {
    return open(exchange, Headers.empty());
  }

  /**
   * As {@link #open(Exchange)}, with other fields of the response, which take the place of those
   * that it would set.
   */
  public static EventSender open(Exchange exchange, Headers fields) throws IOException {
    Headers.Builder all = fields.toBuilder();
    for (Headers.Field field : DEFAULTS) {
      if (!fields.contains(field.name())) {
        all.add(field.name(), field.value());
      }
    }
    Response head = Response.builder(Status.OK).headers(all.build()).build();
    OutputStream out = exchange.begin(head);
    out.flush();
    return new EventSender(out, lastEventId(exchange.request().headers()));
  }

  private static String lastEventId(Headers request) {
    String value = request.first(LAST_EVENT_ID);
    // The value is UTF-8, and fields are decoded as ISO 8859-1.
    return value == null ? "" : new String(value.getBytes(ISO_8859_1), UTF_8);
  }

  /**
   * The id of the last event that the client has got on an earlier connection, after which this
   * stream should go on; empty if there is none. The client may send any text.
   */
  public String lastEventId() {
    return lastEventId;
  }

  /**
   * Sends an event of type {@code message} without an id.
   *
   * @param data may have several lines; CR, LF and CRLF all end one, and arrive as LF
   * @throws IOException if the client has gone or accepts nothing for the server's write timeout,
   *     or the stream was closed
   * @throws java.io.InterruptedIOException if the thread is interrupted while it waits, which cuts
   *     the response
   */
  public void send(String data) throws IOException {
    send(new ServerSentEvent("message", data, ""));
  }

  /**
   * Sends an event, as {@link #send(String)} does.
   *
   * @param event with an empty id if that of the event before is to hold on
   * @throws IllegalArgumentException if the type or id contains CR, LF or NUL, which would end the
   *     field or be ignored
   */
  public void send(ServerSentEvent event) throws IOException {
    StringBuilder text = new StringBuilder(event.data().length() + 64);
    if (!event.type().isEmpty() && !event.type().equals("message")) {
      field(text, "event", requireLine("type", event.type()));
    }
    if (!event.id().isEmpty()) {
      field(text, "id", requireLine("id", event.id()));
    }
    lines(text, "data", event.data());
    write(text.append('\n').toString().getBytes(UTF_8));
  }

  /**
   * Sends a comment, which clients ignore. Throws as {@link #send(String)} does.
   *
   * @param text may have several lines
   */
  public void comment(String text) throws IOException {
    StringBuilder lines = new StringBuilder();
    lines(lines, "", text);
    write(lines.append('\n').toString().getBytes(UTF_8));
  }

  /**
   * Sends how long the client is to wait before it connects again once the stream has ended. Throws
   * as {@link #send(String)} does.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public void retry(Duration delay) throws IOException {
    if (delay.isNegative()) {
      throw new IllegalArgumentException("retry must not be negative, but was " + delay);
    }
    write(("retry: " + delay.toMillis() + "\n\n").getBytes(UTF_8));
  }

  /**
   * Sends an empty comment after each interval, so that proxies keep the connection, the client
   * knows that the server is there, and the server notices that the client is not. A virtual thread
   * does so until the stream is over. To be called once.
   *
   * @return this sender
   * @throws IllegalArgumentException if the interval is not positive
   */
  public EventSender heartbeat(Duration interval) {
    if (!interval.isPositive()) {
      throw new IllegalArgumentException("interval must be positive, but was " + interval);
    }
    long nanos = TimeUnit.NANOSECONDS.convert(interval);
    Thread.ofVirtual().name("heddle-sse-heartbeat").start(() -> beat(nanos));
    return this;
  }

  private void beat(long nanos) {
    try {
      while (!over.await(nanos, TimeUnit.NANOSECONDS)) {
        write(HEARTBEAT);
      }
    } catch (IOException e) {
      over.countDown(); // The next thread that sends gets the failure.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // The thread is this class's own: no one interrupts it.
    }
  }

  /** Whether neither side has ended the stream, as far as is known. */
  public boolean isOpen() {
    return over.getCount() > 0;
  }

  /**
   * Ends the response. Does nothing if it has ended.
   *
   * @throws IOException if the client has not got the end
   */
  @Override
  public void close() throws IOException {
    sending.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      over.countDown();
      if (failure == null) {
        out.close();
      }
    } finally {
      sending.unlock();
    }
  }

  private void write(byte[] bytes) throws IOException {
    sending.lock();
    try {
      if (failure != null) {
        throw new IOException("the client of the events has gone", failure);
      }
      if (closed) {
        throw new IOException("the stream of events was closed");
      }
      out.write(bytes);
      out.flush();
    } catch (IOException e) {
      if (!closed && failure == null) {
        failure = e;
        over.countDown();
      }
      throw e;
    } finally {
      sending.unlock();
    }
  }

  private static String requireLine(String what, String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '\r' || c == '\n' || c == '\0') {
        throw new IllegalArgumentException(
            "the " + what + " of an event must contain no CR, LF or NUL, but does at index " + i);
      }
    }
    return value;
  }

  private static void field(StringBuilder text, String name, String line) {
    text.append(name).append(": ").append(line).append('\n');
  }

  /** A field for each line, so that no value can begin another field. */
  private static void lines(StringBuilder text, String name, String value) {
    int start = 0;
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '\n' || c == '\r') {
        field(text, name, value.substring(start, i));
        i += c == '\r' && i + 1 < value.length() && value.charAt(i + 1) == '\n' ? 1 : 0;
        start = i + 1;
      }
    }
    field(text, name, value.substring(start));
  }
}
