package heddle.verify.torture;

import java.util.List;

/**
 * How long calls took, without the time in which the machine stood still.
 *
 * @param failed calls that got no answer; each counts with the time that it took
 * @param refused calls that were answered 503
 * @param failure the first of the failures; empty without any
 */
record Latencies(List<Long> sortedNanos, int failed, int refused, String failure) {
  static Latencies of(List<Victim.Call> calls) {
    List<Long> nanos = calls.stream().map(Victim.Call::nanos).sorted().toList();
    return new Latencies(
        nanos,
        (int) calls.stream().filter(call -> call.status() == 0).count(),
        (int) calls.stream().filter(call -> call.status() == 503).count(),
        calls.stream()
            .map(Victim.Call::failure)
            .filter(failure -> !failure.isEmpty())
            .findFirst()
            .orElse(""));
  }

  /** The share of calls, from 0 to 1, that took at most this many milliseconds. */
  double millis(double share) {
    if (sortedNanos.isEmpty()) {
      return Double.NaN;
    }
    int at = (int) Math.ceil(share * sortedNanos.size()) - 1;
    return sortedNanos.get(Math.max(0, at)) / 1e6;
  }

  /** The share of calls, from 0 to 1, that were answered 503. */
  double refusedShare() {
    return sortedNanos.isEmpty() ? 0 : (double) refused / sortedNanos.size();
  }

  int count() {
    return sortedNanos.size();
  }
}
