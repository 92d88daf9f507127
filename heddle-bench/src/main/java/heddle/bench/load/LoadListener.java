package heddle.bench.load;

import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Follows a load while it runs. All calls come on the thread that called the runner. */
public interface LoadListener {

  /** A listener that hears nothing. */
  LoadListener NONE = new LoadListener() {};

  /** What is recorded from now on may be looked at; just before {@link #measuring}. */
  default void recording(Recorded recorded) {}

  /** The warm-up is over: what is sent from now on counts. */
  default void measuring() {}

  /** Some 4 times a second while the measured part runs, and when it ends. */
  default void progress(LoadProgress progress) {}

  /** The measured part is over; requests may still be on their way. */
  default void measured() {}

  /**
   * What the measured part of a load has recorded so far. May be asked by any thread, while the
   * load runs and after it; whoever asks does the work, and no request waits for it. A histogram is
   * a copy, of some 200 KB.
   */
  interface Recorded {

    /**
     * How long good answers took from the intended start, in nanoseconds, by status. Those of the
     * ninth status and of further ones are together under 0.
     */
    Map<Integer, Histogram> responses();

    /** By how much requests were sent late, in nanoseconds; empty where a load cannot be late. */
    Histogram sendLags();

    /** How many requests have begun and not ended. */
    long inFlight();

    /** How many requests of an open load were not sent, because too many had not ended. */
    long dropped();

    /** What has failed, most frequent first. */
    List<ErrorCause> errors();

    /** Why the figures would not count if the load ended now; none where they would. */
    List<String> doubts();
  }
}
