package heddle.verify.sample.codec;

/** Breaks sans-IO: time is an argument. */
public final class ReadsTheClock {
  private ReadsTheClock() {}

  public static long now() {
    return System.nanoTime();
  }
}
