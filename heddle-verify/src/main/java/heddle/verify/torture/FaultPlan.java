package heddle.verify.torture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the steps of an exchange and throws at one of them. Safe for use by many threads. */
final class FaultPlan {
  private static volatile FaultPlan current = new FaultPlan(Fault.IO, false, Integer.MAX_VALUE);

  private final Fault fault;
  private final boolean losesTasks;
  private final Queue<String> steps = new ConcurrentLinkedQueue<>();
  private final AtomicInteger left;
  private volatile String place = "";

  /**
   * @param losesTasks whether what fails in a task or timer of a loop does so before its work
   * @param step which one fails, counted from 1
   */
  FaultPlan(Fault fault, boolean losesTasks, int step) {
    this.fault = fault;
    this.losesTasks = losesTasks;
    this.left = new AtomicInteger(step);
  }

  /** The plan that loggers follow, which know no other. */
  static FaultPlan current() {
    return current;
  }

  static void begin(FaultPlan plan) {
    current = plan;
  }

  boolean losesTasks() {
    return losesTasks;
  }

  /** Whether reading may fail here as well: that is always an IOException. */
  boolean failsReads() {
    return fault == Fault.IO;
  }

  /** All steps up to the one that failed, or up to now. */
  List<String> steps() {
    return List.copyOf(steps);
  }

  /** A step where any exception may be thrown that its caller knows. */
  void step(String what) throws IOException {
    int now = left.getAndDecrement();
    if (now >= 1) {
      steps.add(what);
    }
    if (now == 1) {
      place = what;
      Throwable thrown = fault.make();
      if (thrown instanceof IOException failure) {
        throw failure;
      }
      throw (Error) thrown;
    }
  }

  /** A step that may throw no checked exception. */
  void uncheckedStep(String what) {
    try {
      step(what);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Throws no more; where it has thrown, empty if it has not. */
  String disarm() {
    left.set(0);
    return place;
  }
}
