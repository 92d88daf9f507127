package heddle.bench.load;

/** Follows a load while it runs. All calls come on the thread that called the runner. */
public interface LoadListener {

  /** A listener that hears nothing. */
  LoadListener NONE = new LoadListener() {};

  /** The warm-up is over: what is sent from now on counts. */
  default void measuring() {}

  /** Some 4 times a second while the measured part runs. */
  default void progress(LoadProgress progress) {}

  /** The measured part is over; requests may still be on their way. */
  default void measured() {}
}
