package heddle.transport;

import java.io.IOException;
import java.net.InetAddress;
import java.util.List;

/** Turns host names into addresses. Implementations are safe for use by many threads. */
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
   * The system's name service (hosts file, DNS), asked on a few platform threads that all resolvers
   * share, so that a slow look-up holds no carrier of virtual threads.
   *
   * @param loop keeps the deadlines
   */
  static Resolver system(EventLoop loop) {
    return new SystemResolver(loop);
  }
}
