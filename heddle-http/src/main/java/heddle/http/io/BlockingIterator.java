package heddle.http.io;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What arrives over time, for a loop: waits for the next element when it is asked whether there is
 * one. Where the source throws an {@link IOException}, this throws an {@link UncheckedIOException}.
 * For one thread.
 */
public final class BlockingIterator<T> implements Iterator<T> {
  private final Source<T> source;
  private @Nullable T next;
  private boolean ended;

  /** Where the elements come from. */
  @FunctionalInterface
  public interface Source<T> {
    /** Waits for the next element; null at the end. */
    @Nullable
    T next() throws IOException;
  }

  /** Iterates over what the source returns. */
  public BlockingIterator(Source<T> source) {
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
  public T next() {
    if (!hasNext()) {
      throw new NoSuchElementException("there are no more elements");
    }
    T element = next;
    next = null;
    return Objects.requireNonNull(element);
  }
}
