package heddle.connection;

import heddle.http.Origin;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The origins that clients of a server have named last, so that its connections share them instead
 * of keeping one each: nearly all name the same few. Holds {@value #MOST} at most. Safe for use by
 * many threads.
 */
public final class RecentOrigins {
  private static final int MOST = 64; // a power of two

  /** A longer authority than any host (RFC 1035 §2.3.4) with a port is not kept. */
  private static final int LONGEST = 255 + ":65535".length();

  /** An origin, and how a request has named it. */
  public record Named(String scheme, String authority, Origin origin) {}

  private final AtomicReferenceArray<@Nullable Named> slots = new AtomicReferenceArray<>(MOST);

  /** Holds none yet. */
  public RecentOrigins() {}

  /**
   * The origin of a scheme and an authority.
   *
   * @throws IllegalArgumentException as {@link NamedOrigin#of} does
   */
  public Named of(String scheme, String authority) {
    int slot = authority.hashCode() & (MOST - 1);
    Named known = slots.get(slot);
    if (known == null || !known.authority().equals(authority) || !known.scheme().equals(scheme)) {
      known = new Named(scheme, authority, NamedOrigin.of(scheme, authority));
      if (authority.length() <= LONGEST) {
        slots.set(slot, known);
      }
    }
    return known;
  }
}
