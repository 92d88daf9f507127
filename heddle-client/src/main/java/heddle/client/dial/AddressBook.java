package heddle.client.dial;

import heddle.transport.names.Resolver.ResolvedHost;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of the hosts in use: which to try first, and which a host no longer has. An address
 * has vanished when two answers in a row do not contain it: otherwise, with a name service that
 * returns a different part of a large set each time, every connection would seem to lead to a
 * vanished address. Safe for use by many threads.
 */
final class AddressBook {
  /** Above this number of hosts within an interval of the watch, the oldest are forgotten. */
  static final int MAX_HOSTS = 10_000;

  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by the lock. Ordered by last access, the least recently used host first. */
  private final LinkedHashMap<String, Page> pages = new LinkedHashMap<>(16, 0.75f, true);

  /** One host. Guarded by the lock. */
  private static final class Page {
    private ResolvedHost latest;
    private @Nullable ResolvedHost before;
    private int turn;

    Page(ResolvedHost latest) {
      this.latest = latest;
    }

    boolean vanished(InetAddress address) {
      ResolvedHost earlier = before;
      return earlier != null
          && !latest.addresses().contains(address)
          && !earlier.addresses().contains(address);
    }
  }

  /** In which order a new connection tries a host's addresses. */
  List<InetAddress> arrange(String host, ResolvedHost answer) {
    lock.lock();
    try {
      Page page = note(host, answer);
      return AddressOrder.of(answer.addresses(), page.turn++);
    } finally {
      lock.unlock();
    }
  }

  /** Notes the answer for a host. A cached answer is the same object as before. */
  void answered(String host, ResolvedHost answer) {
    lock.lock();
    try {
      note(host, answer);
    } finally {
      lock.unlock();
    }
  }

  /** Under the lock. */
  private Page note(String host, ResolvedHost answer) {
    Page page = pages.computeIfAbsent(host, unknown -> new Page(answer));
    if (pages.size() > MAX_HOSTS) {
      pages.pollFirstEntry();
    }
    if (page.latest != answer) {
      page.before = page.latest;
      page.latest = answer;
    }
    return page;
  }

  /** Whether an address that a host once had is no longer one of its addresses. */
  boolean hasVanished(String host, InetAddress address) {
    lock.lock();
    try {
      Page page = pages.get(host);
      return page != null && page.vanished(address);
    } finally {
      lock.unlock();
    }
  }

  /** Forgets the hosts that are not in use. */
  void retain(Set<String> hosts) {
    lock.lock();
    try {
      pages.keySet().retainAll(hosts);
    } finally {
      lock.unlock();
    }
  }
}
