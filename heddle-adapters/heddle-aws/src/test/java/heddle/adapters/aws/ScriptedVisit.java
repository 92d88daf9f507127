package heddle.adapters.aws;

import heddle.testkit.ScriptedPeer;
import heddle.transport.tcp.TcpNetwork;

/** The requests of a server that serves one connection by a script. */
@FunctionalInterface
interface ScriptedVisit {
  void to(int port) throws Exception;

  /** Starts the server, makes the visit, and ends the server. */
  static void visit(ScriptedPeer.Script script, ScriptedVisit visit) throws Exception {
    try (TcpNetwork network = TcpNetwork.create();
        ScriptedPeer peer = ScriptedPeer.inOrder(network, script)) {
      visit.to(peer.port());
    }
  }
}
