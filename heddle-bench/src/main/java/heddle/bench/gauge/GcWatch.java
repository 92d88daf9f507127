package heddle.bench.gauge;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.GcInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;
import org.jspecify.annotations.Nullable;

/**
 * Records collections from the notifications of the collectors. Concurrent collections count with
 * their whole time, although the program is not paused for all of it. Safe for use by many threads.
 */
final class GcWatch {

  private final Set<String> heapPools = new HashSet<>();
  private final AtomicLong afterGc = new AtomicLong();
  private final AtomicLong longest = new AtomicLong();
  private volatile @Nullable Long lastAfterGc;

  GcWatch() {
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (pool.getType() == MemoryType.HEAP) {
        heapPools.add(pool.getName());
      }
    }
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      if (collector instanceof NotificationEmitter emitter) {
        emitter.addNotificationListener((notification, _) -> collected(notification), null, null);
      }
    }
  }

  private void collected(Notification notification) {
    if (notification
            .getType()
            .equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)
        && notification.getUserData() instanceof CompositeData data) {
      GarbageCollectionNotificationInfo told = GarbageCollectionNotificationInfo.from(data);
      long used = usedAfter(told.getGcInfo());
      lastAfterGc = used;
      afterGc.accumulateAndGet(used, Math::max);
      // A collection requested by the measurement is not the program's.
      if (!told.getGcCause().equals("System.gc()")) {
        longest.accumulateAndGet(told.getGcInfo().getDuration(), Math::max);
      }
    }
  }

  private long usedAfter(GcInfo collection) {
    return collection.getMemoryUsageAfterGc().entrySet().stream()
        .filter(entry -> heapPools.contains(entry.getKey()))
        .mapToLong(entry -> entry.getValue().getUsed())
        .sum();
  }

  /** Resets the maxima. */
  void forget() {
    afterGc.set(0);
    longest.set(0);
  }

  /** The highest use of the heap after a collection, in bytes; at least {@code now}. */
  long highestAfterGc(long now) {
    return afterGc.accumulateAndGet(now, Math::max);
  }

  /** The use of the heap after the last collection, in bytes; null before the first. */
  @Nullable
  Long lastAfterGc() {
    return lastAfterGc;
  }

  /** The longest collection in milliseconds, explicit ones excluded. */
  long longestMillis() {
    return longest.get();
  }

  /** The number of collections so far. */
  long count() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionCount)
        .sum();
  }

  /** Their total time, in milliseconds. */
  long millis() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
        .sum();
  }
}
