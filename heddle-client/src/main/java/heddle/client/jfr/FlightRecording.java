package heddle.client.jfr;

import jdk.jfr.FlightRecorder;

/**
 * Whether there may be recordings at all. To be asked before any of the events is: the first class
 * of an event that a JVM loads costs it a tenth of a second, which the first call would pay.
 */
public final class FlightRecording {
  private FlightRecording() {}

  /** Whether the flight recorder has been in use since the JVM began. */
  public static boolean isPossible() {
    return FlightRecorder.isInitialized();
  }
}
