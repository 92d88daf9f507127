package heddle.client.jfr;

import jdk.jfr.FlightRecorder;

/**
 * Whether there may be recordings at all. Checked before any event class is used: loading the first
 * event class of a JVM takes a tenth of a second, by which it would slow down the first call.
 */
public final class FlightRecording {
  private FlightRecording() {}

  /** Whether the flight recorder has been in use since the JVM began. */
  public static boolean isPossible() {
    return FlightRecorder.isInitialized();
  }
}
