package heddle.load;

import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Receives the progress of a load. All methods are called on the thread that called the runner. */
public interface LoadListener {

  /** A listener that does nothing. */
  LoadListener NONE = new LoadListener() {};

  /** Called just before {@link #measuring}; {@code recorded} may be read from now on. */
  default void recording(Recorded recorded) {}

  /** Called when the warm-up is over: requests sent from now on count. */
  default void measuring() {}

  /** Called some 4 times a second while the measured part runs, and when it ends. */
  default void progress(LoadProgress progress) {}

  /** Called when the measured part is over; requests may still be in flight. */
  default void measured() {}

  /**
   * What the measured part of a load has recorded so far. May be called by any thread, during the
   * load and after it; the calling thread does the work, and no request waits for it. Each
   * histogram is a copy of some 200 KB.
   */
  interface Recorded {

    /**
     * Response times of good answers from the intended start, in nanoseconds, by status. The ninth
     * and further statuses are combined under 0.
     */
    Map<Integer, Histogram> responses();

    /** The send lag of requests, in nanoseconds; empty if the load has no schedule. */
    Histogram sendLags();

    /** The number of unfinished requests. */
    long inFlight();

    /** How many requests of an open load were not sent, because too many were unfinished. */
    long dropped();

    /** The causes of failures, most frequent first. */
    List<ErrorCause> errors();

    /** Why the figures would not count if the load ended now; empty if they would. */
    List<String> doubts();
  }
}
