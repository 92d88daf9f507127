package heddle.transport;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Members that come and go often and are gone through rarely, then in the order in which they came:
 * unlike that of identity hashes, a simulated world can repeat it. Safe for use by many threads.
 *
 * @param <T> compared by {@code equals}, as a rule by identity
 */
public final class InsertionOrderedSet<T> {
  private final ConcurrentHashMap<T, Long> members = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();

  /** An empty set. */
  public InsertionOrderedSet() {}

  /** Does nothing if it is a member already. */
  public void add(T member) {
    members.putIfAbsent(member, numbers.getAndIncrement());
  }

  /** Whether it was a member. */
  public boolean remove(T member) {
    return members.remove(member) != null;
  }

  public boolean isEmpty() {
    return members.isEmpty();
  }

  /** The member that was added first, at about this time; null if there is none. */
  public @Nullable T first() {
    Map.Entry<T, Long> first = null;
    for (Map.Entry<T, Long> each : members.entrySet()) {
      if (first == null || each.getValue() < first.getValue()) {
        first = each;
      }
    }
    return first == null ? null : first.getKey();
  }

  /** The members at about this time, in the order in which they were added. */
  public List<T> inOrder() {
    return members.entrySet().stream()
        .sorted(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .toList();
  }
}
