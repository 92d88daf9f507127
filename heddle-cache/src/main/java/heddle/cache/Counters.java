package heddle.cache;

import java.util.concurrent.atomic.LongAdder;

/** What {@link CacheStatistics} counts. Thread-safe. */
final class Counters {
  final LongAdder hits = new LongAdder();
  final LongAdder validated = new LongAdder();
  final LongAdder misses = new LongAdder();
  final LongAdder stored = new LongAdder();
  final LongAdder failures = new LongAdder();
}
