package heddle.transport.time;

/** {@link System#nanoTime} moved so that it starts near zero and can be compared plainly. */
enum SystemClock implements Clock {
  INSTANCE;

  private final long origin = System.nanoTime();

  @Override
  public long nanoTime() {
    return System.nanoTime() - origin;
  }
}
