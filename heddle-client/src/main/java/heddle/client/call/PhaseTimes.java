package heddle.client.call;

import heddle.http.Phase;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Nanoseconds in each phase of a call. A bare array that is created when there is a time to note:
 * most calls end before that.
 */
@SuppressWarnings("EnumOrdinal") // The index of an array that does not outlive the call.
final class PhaseTimes {
  private static final int PHASES = Phase.values().length;

  private PhaseTimes() {}

  /** The times with more nanoseconds in a phase. */
  static long[] add(long @Nullable [] times, Phase phase, long nanos) {
    long[] sums = times == null ? new long[PHASES] : times;
    sums[phase.ordinal()] += nanos;
    return sums;
  }

  /** The phases that took any time, with the current one, which has lasted for the given time. */
  static Map<Phase, Duration> account(long @Nullable [] times, Phase present, long sofar) {
    Map<Phase, Duration> account = new EnumMap<>(Phase.class);
    for (Phase each : Phase.values()) {
      long nanos = times == null ? 0 : times[each.ordinal()];
      nanos += each == present ? sofar : 0;
      if (nanos > 0) {
        account.put(each, Duration.ofNanos(nanos));
      }
    }
    return account;
  }
}
