package heddle.client.jfr;

import jdk.jfr.FlightRecorder;

/**
 * Which events recordings want. Before any event class is used, this checks whether the flight
 * recorder is in use at all: loading the first event class of a JVM takes a tenth of a second, by
 * which it would slow down the first call.
 */
public final class FlightRecording {
  private FlightRecording() {}

  /** Whether the flight recorder has been in use since the JVM began. */
  public static boolean isPossible() {
    return FlightRecorder.isInitialized();
  }

  /** Whether a recording wants an event of a call. */
  public static boolean wantsCalls() {
    return isPossible()
        && (ClientEvents.CallEvent.PROBE.isEnabled()
            || ClientEvents.AttemptEvent.PROBE.isEnabled()
            || ClientEvents.ExchangeEvent.PROBE.isEnabled()
            || ClientEvents.QueueEvent.PROBE.isEnabled()
            || ClientEvents.ResolveEvent.PROBE.isEnabled()
            || ClientEvents.ConnectEvent.PROBE.isEnabled()
            || ClientEvents.TlsEvent.PROBE.isEnabled()
            || ClientEvents.PoolRefusalEvent.PROBE.isEnabled());
  }

  /** Whether a recording wants the lives of HTTP/2 connections. */
  public static boolean wantsConnections() {
    return isPossible() && ClientEvents.Http2ConnectionEvent.PROBE.isEnabled();
  }
}
