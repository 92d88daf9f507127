package heddle.transport.names;

import heddle.http.HttpVersion;
import heddle.transport.DeadlinePassedException;
import heddle.transport.EventLoop;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Turns host names into addresses. Implementations are safe for use by many threads. A client
 * caches the answers, asks on a new virtual thread for each look-up, and reports anything thrown
 * other than the exceptions named here.
 *
 * <pre>{@code
 * Resolver pinned = (host, deadline) -> List.of(InetAddress.getByName("192.0.2.7"));
 * HttpClient client = HttpClient.builder().resolver(pinned).build();
 * }</pre>
 */
@FunctionalInterface
public interface Resolver {
  /**
   * Looks a name up; parks the calling thread at most until the deadline.
   *
   * @param host a DNS name or an IP literal (IPv6 without brackets)
   * @return the addresses in order of preference, at least one
   * @throws java.net.UnknownHostException when the name has no address
   * @throws DeadlinePassedException when the deadline passes first
   * @throws java.io.InterruptedIOException when the thread is interrupted; its flag is set again
   */
  List<InetAddress> resolve(String host, Deadline deadline) throws IOException;

  /**
   * As {@link #resolve}, which also says what is thrown, with the time for which the answer holds.
   * To be implemented if the name service gives one.
   */
  default ResolvedHost lookUp(String host, Deadline deadline) throws IOException {
    return new ResolvedHost(resolve(host, deadline));
  }

  /**
   * The system's name service (hosts file, DNS), asked on a few platform threads that all resolvers
   * share, so that a slow look-up holds no carrier of virtual threads. The JDK remembers its
   * answers for a while, too: 30 s unless the security property {@code networkaddress.cache.ttl}
   * says otherwise.
   *
   * @param loop keeps the deadlines
   */
  static Resolver system(EventLoop loop) {
    return new SystemResolver(loop);
  }

  /**
   * The answer of a name service.
   *
   * @param addresses in order of preference, at least one
   * @param ttl how long the answer holds (RFC 1035 §3.2.1); null if the name service does not say
   * @param versions of HTTP that the host speaks over TLS at port 443, by its HTTPS records (RFC
   *     9460 §7.1); empty if the name service does not say. Only a hint: TLS negotiates the
   *     version. If it is HTTP/1.1 alone, the calls that wait for the first connection of a route
   *     open connections at the same time, instead of waiting for what that one negotiates
   */
  record ResolvedHost(
      List<InetAddress> addresses, @Nullable Duration ttl, Set<HttpVersion> versions) {
    /**
     * @throws NullPointerException if the list, an address in it, or the set is null
     * @throws IllegalArgumentException if there is no address, or the time to live is negative
     */
    public ResolvedHost {
      Objects.requireNonNull(addresses, "null was returned instead of addresses");
      addresses.forEach(
          each -> Objects.requireNonNull(each, "one of the addresses returned is null"));
      addresses = List.copyOf(addresses);
      if (addresses.isEmpty()) {
        throw new IllegalArgumentException(
            "no address was returned: for a host without one, throw UnknownHostException");
      }
      if (ttl != null && ttl.isNegative()) {
        throw new IllegalArgumentException("the time to live is negative: " + ttl);
      }
      versions = Set.copyOf(versions);
    }

    /** An answer that says nothing about versions. */
    public ResolvedHost(List<InetAddress> addresses, @Nullable Duration ttl) {
      this(addresses, ttl, Set.of());
    }

    /** An answer without a time to live. */
    public ResolvedHost(List<InetAddress> addresses) {
      this(addresses, null);
    }
  }
}
