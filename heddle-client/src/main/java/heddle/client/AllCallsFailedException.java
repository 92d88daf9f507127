package heddle.client;

import java.io.IOException;
import java.util.List;

/**
 * None of several calls has succeeded. What each has failed with is {@linkplain #getSuppressed
 * suppressed}, in the order of the calls; a response whose status is none of success is a {@link
 * heddle.http.StatusException}.
 */
public final class AllCallsFailedException extends IOException {
  private static final long serialVersionUID = 1L;

  AllCallsFailedException(List<? extends IOException> failures) {
    super("none of %d calls has succeeded; the first has failed with %s"
        .formatted(failures.size(), failures.getFirst()));
    failures.forEach(this::addSuppressed);
  }
}
