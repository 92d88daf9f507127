package heddle.cookies;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Keeps cookies by site, within the limits. Not thread-safe. */
final class CookieShelf {
  private static final Comparator<Kept> BY_ACCESS = Comparator.comparingLong(kept -> kept.accessed);
  private static final Comparator<Kept> BY_CREATION = Comparator.comparingLong(kept -> kept.number);

  /** Section 5.8.3 step 2: longer paths first, then older cookies. */
  private static final Comparator<Kept> IN_ORDER_OF_SENDING = Comparator.<Kept>comparingInt(
          kept -> -kept.cookie.path().length())
      .thenComparing(BY_CREATION);

  private final CookieLimits limits;
  private final Map<String, List<Kept>> sites = new HashMap<>();
  private int size;

  /** A sequence number of events, as the clock may stand still between two of them, or go back. */
  private long events;

  CookieShelf(CookieLimits limits) {
    this.limits = limits;
  }

  private static final class Kept {
    private Cookie cookie;
    private final String site;

    /** The order of creation; a replacing cookie keeps the number of the replaced one. */
    private long number;

    private long accessed;

    Kept(Cookie cookie, String site, long number) {
      this.cookie = cookie;
      this.site = site;
      this.number = number;
      this.accessed = number;
    }
  }

  /**
   * Returns the cookies of a site for a request, in order of sending, and marks them as accessed.
   */
  List<Cookie> take(String site, Predicate<Cookie> wanted, Instant now) {
    evictExpired(site, now);
    List<Kept> found = sites.getOrDefault(site, List.of()).stream()
        .filter(kept -> wanted.test(kept.cookie))
        .sorted(IN_ORDER_OF_SENDING)
        .toList();
    for (Kept kept : found) {
      Cookie cookie = kept.cookie;
      kept.cookie = cookie.at(cookie.expires(), cookie.created(), now);
      kept.accessed = ++events;
    }
    return found.stream().map(kept -> kept.cookie).toList();
  }

  /** Whether an unexpired cookie of a site matches. */
  boolean has(String site, Predicate<Cookie> wanted, Instant now) {
    evictExpired(site, now);
    return sites.getOrDefault(site, List.of()).stream().anyMatch(kept -> wanted.test(kept.cookie));
  }

  /**
   * Adds a cookie, replacing an older one (section 5.7 steps 23 and 24). An expired cookie only
   * removes the older one.
   */
  void put(Cookie cookie, String site, Instant now) {
    Kept added = new Kept(cookie, site, ++events);
    List<Kept> there = sites.computeIfAbsent(site, each -> new ArrayList<>());
    for (Iterator<Kept> each = there.iterator(); each.hasNext(); ) {
      Kept old = each.next();
      if (old.cookie.isReplacedBy(cookie)) {
        added.number = old.number;
        added.cookie = cookie.at(cookie.expires(), old.cookie.created(), cookie.lastAccess());
        each.remove();
        size--;
      }
    }
    there.add(added);
    size++;
    evictExpired(site, now);
    evictExcess(site, now);
  }

  private void evictExpired(String site, Instant now) {
    List<Kept> there = sites.get(site);
    if (there != null) {
      int before = there.size();
      there.removeIf(kept -> kept.cookie.isExpired(now));
      size -= before - there.size();
      if (there.isEmpty()) {
        sites.remove(site);
      }
    }
  }

  /**
   * Section 5.7: removes expired cookies first, then those that are not secure, then the least
   * recently used.
   */
  private void evictExcess(String site, Instant now) {
    List<Kept> there = sites.getOrDefault(site, List.of());
    while (there.size() > limits.perSite()) {
      there.stream()
          .filter(kept -> !kept.cookie.secure())
          .min(BY_ACCESS)
          .or(() -> there.stream().min(BY_ACCESS))
          .ifPresent(this::remove);
    }
    if (size > limits.total()) {
      List.copyOf(sites.keySet()).forEach(each -> evictExpired(each, now));
    }
    while (size > limits.total()) {
      sites.values().stream().flatMap(List::stream).min(BY_ACCESS).ifPresent(this::remove);
    }
  }

  private void remove(Kept kept) {
    List<Kept> there = sites.get(kept.site);
    if (there != null && there.remove(kept)) {
      size--;
      if (there.isEmpty()) {
        sites.remove(kept.site);
      }
    }
  }

  /** Returns all cookies that have not expired, the oldest first. */
  List<Cookie> all(Instant now) {
    List.copyOf(sites.keySet()).forEach(each -> evictExpired(each, now));
    return sites.values().stream()
        .flatMap(List::stream)
        .sorted(BY_CREATION)
        .map(kept -> kept.cookie)
        .toList();
  }

  boolean isEmpty() {
    return size == 0;
  }

  void clear() {
    sites.clear();
    size = 0;
  }
}
