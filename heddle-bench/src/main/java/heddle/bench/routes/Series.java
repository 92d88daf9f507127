package heddle.bench.routes;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Samples since the last call, one per second; keeps those of the last hour. Thread-safe. */
final class Series {

  private static final int HOUR = 3_600;

  /** Guarded by this. */
  private final Deque<Integer> values = new ArrayDeque<>();

  synchronized void add(int value) {
    if (values.size() == HOUR) {
      values.removeFirst();
    }
    values.addLast(value);
  }

  synchronized List<Integer> take() {
    List<Integer> all = new ArrayList<>(values);
    values.clear();
    return all;
  }
}
