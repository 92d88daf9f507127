package heddle.sse;

import heddle.http.MediaType;
import heddle.http.Response;
import heddle.http.io.BlockingIterator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * The events of one response, as they arrive. {@link EventSource} connects again when a response
 * ends, this does not: it is for responses that end with what they answer.
 *
 * <pre>{@code
 * try (EventStream events = EventStream.of(client.post("/v1/chat/completions", question))
 *     .until("[DONE]")) {
 *   for (ServerSentEvent event : events) {
 *     System.out.println(event.data());
 *   }
 * }
 * }</pre>
 *
 * <p>For one thread, except {@link #close}. A server that is silent for longer than the client
 * allows ({@link heddle.client.settings.Timeouts#silence}, 30 s) fails the stream; many servers
 * send comments so as not to be silent, which only show that they are there.
 */
public final class EventStream implements Iterable<ServerSentEvent>, AutoCloseable {
  /** The limit for an event, if none is given: 1 MiB. */
  public static final int DEFAULT_MAX_EVENT_BYTES = 1 << 20;

  private final Response response;
  private final EventParser parser;
  private @Nullable String last;
  private boolean ended;

  private EventStream(Response response, EventParser parser) {
    this.response = response;
    this.parser = parser;
  }

  /** As {@link #of(Response, int)}, with events of at most {@link #DEFAULT_MAX_EVENT_BYTES}. */
  public static EventStream of(Response response) throws IOException {
    return of(response, DEFAULT_MAX_EVENT_BYTES);
  }

  /**
   * The events of a response, which the stream closes.
   *
   * @param maxEventBytes the limit for the data of an event and for a line, at least 1
   * @throws heddle.http.StatusException if the status is none of success
   * @throws NoEventStreamException if the media type is not {@code text/event-stream}
   * @throws IllegalArgumentException if the limit is less than 1
   */
  public static EventStream of(Response response, int maxEventBytes) throws IOException {
    return of(response, "", maxEventBytes);
  }

  static EventStream of(Response response, String lastEventId, int maxEventBytes)
      throws IOException {
    boolean open = false;
    try {
      requireLimit(maxEventBytes);
      response.requireSuccess();
      MediaType type = response.body().mediaType();
      if (type == null || !type.type().equals("text") || !type.subtype().equals("event-stream")) {
        throw NoEventStreamException.of(response);
      }
      EventParser parser = new EventParser(response.body().stream(), lastEventId, maxEventBytes);
      open = true;
      return new EventStream(response, parser);
    } finally {
      if (!open) {
        response.close();
      }
    }
  }

  static int requireLimit(int maxEventBytes) {
    if (maxEventBytes < 1) {
      throw new IllegalArgumentException(
          "maxEventBytes must be at least 1, but was " + maxEventBytes);
    }
    return maxEventBytes;
  }

  /**
   * Ends the stream at the event with this data, which is not returned: services of language models
   * send {@code [DONE]}.
   *
   * @return this stream
   */
  public EventStream until(String data) {
    last = data;
    return this;
  }

  /**
   * Waits for the next event.
   *
   * @return null at the end of the stream; what was sent of an incomplete event is dropped
   * @throws EventTooLargeException if it is larger than allowed
   * @throws IOException if the response cannot be read to its end
   */
  public @Nullable ServerSentEvent next() throws IOException {
    ServerSentEvent event = ended ? null : parser.next();
    if (event == null || event.data().equals(last)) {
      ended = true;
      close();
      return null;
    }
    return event;
  }

  /** The id that the stream gave last, which the next request sends as Last-Event-ID; or empty. */
  public String lastEventId() {
    return parser.lastEventId();
  }

  /** How long the server wants a client to wait before connecting again; null if it did not say. */
  public @Nullable Duration retry() {
    return parser.retry();
  }

  /**
   * The events, to be iterated over once. The iterator throws an {@link UncheckedIOException} where
   * {@link #next} throws.
   */
  @Override
  public Iterator<ServerSentEvent> iterator() {
    return new BlockingIterator<>(this::next);
  }

  /** Closes the response. From any thread: a thread that waits for an event gets an exception. */
  @Override
  public void close() throws IOException {
    response.close();
  }
}
