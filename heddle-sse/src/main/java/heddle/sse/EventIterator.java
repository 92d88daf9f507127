package heddle.sse;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Events for a loop: waits for the next one when it is asked whether there is one. */
final class EventIterator implements Iterator<ServerSentEvent> {
  private final Source source;
  private @Nullable ServerSentEvent next;
  private boolean ended;

  /** Where the events come from. */
  @FunctionalInterface
  interface Source {
    /** Waits for the next event; null at the end. */
    @Nullable
    ServerSentEvent next() throws IOException;
  }

  EventIterator(Source source) {
    this.source = source;
  }

  @Override
  public boolean hasNext() {
    if (next == null && !ended) {
      try {
        next = source.next();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      ended = next == null;
    }
    return !ended;
  }

  @Override
  public ServerSentEvent next() {
    if (!hasNext()) {
      throw new NoSuchElementException("the stream of events has ended");
    }
    ServerSentEvent event = next;
    next = null;
    return Objects.requireNonNull(event);
  }
}
