package heddle.server;

import heddle.server.accept.Acceptor;
import heddle.transport.Network;
import heddle.transport.tls.JsseTls;
import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The addresses on which a server listens. Those that were given the same {@link TlsOptions} share
 * one TLS. Safe for use by many threads once it is made.
 */
final class Listeners {
  private record Bound(Network.Listening listening, @Nullable JsseTls tls) {}

  private final List<Bound> all = new ArrayList<>();

  /** Binds all addresses, of which there is at least one, or none. */
  Listeners(Network network, List<ListenAddress> addresses, int backlog, Acceptor acceptor)
      throws IOException {
    IdentityHashMap<TlsOptions, JsseTls> known = new IdentityHashMap<>();
    boolean done = false;
    try {
      for (ListenAddress each : addresses) {
        TlsOptions options = each.tls();
        JsseTls tls = options == null ? null : known.computeIfAbsent(options, JsseTls::new);
        Network.Listening listening = network.listen(
            each.address(), backlog, channel -> acceptor.accept(channel, tls, each.proxies()));
        all.add(new Bound(listening, tls));
        listening.onExhausted(acceptor::makeRoom);
      }
      done = true;
    } finally {
      if (!done) {
        close();
      }
    }
  }

  /** Where the server listens, in the order in which the addresses were given. */
  List<SocketAddress> addresses() {
    return all.stream().map(each -> each.listening().address()).toList();
  }

  /** Replaces the TLS of an address, and of those that share it. */
  void replaceTls(SocketAddress address, TlsOptions options) {
    ListenAddress.checkIdentity(options);
    JsseTls tls = all.stream()
        .filter(each -> each.listening().address().equals(address))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(
            "the server does not listen at " + address + " but at " + addresses()))
        .tls();
    if (tls == null) {
      throw new IllegalStateException(address + " was started without TLS");
    }
    tls.replace(options);
  }

  /** Stops accepting on all addresses. */
  void close() {
    for (Bound each : all) {
      each.listening().close();
    }
  }
}
