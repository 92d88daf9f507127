package heddle.verify.torture;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * An attack under way: its connections, what it has sent, and how much time it has left. One thread
 * drives all connections.
 */
final class Assault {
  /** Below the megabyte per second up to which other clients must hardly notice an attack. */
  static final int QUIET = 900_000;

  /** As much as the loopback takes while a processor is left for others. */
  static final int FAST = 8_000_000;

  private static final long SLICE_MILLIS = 10;
  private static final int MOST_CONNECTIONS = 6_000;
  private static final int SMALL_BUFFER = 4_096;
  private static final int SOCKET_MILLIS = 5_000;

  private final InetSocketAddress server;
  private final Asking asking;
  private final long start = System.nanoTime();
  private final long end;
  private final AtomicLong bytesSent = new AtomicLong();
  private final List<RawPeer> peers = new ArrayList<>();
  private final List<Socket> sockets = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private String note = "";

  /** What an attacker sends next. */
  interface Unit {
    /** The bytes of a unit, which are numbered from 0 on each connection. */
    byte[] next(int number);
  }

  /** How an attacker begins a connection. */
  interface Opening {
    RawPeer open() throws IOException, InterruptedException;
  }

  /** What the server's process says of itself. */
  interface Asking {
    ServerStatus ask() throws IOException, InterruptedException;
  }

  Assault(InetSocketAddress server, Duration time, Asking asking) {
    this.server = server;
    this.asking = asking;
    this.end = start + time.toNanos();
  }

  // ---- connections

  RawPeer connect() throws IOException {
    return connect(0);
  }

  RawPeer connect(int receiveBuffer) throws IOException {
    RawPeer peer = RawPeer.connect(server, bytesSent, receiveBuffer);
    peers.add(peer);
    return peer;
  }

  /** A connection from another address of this machine. */
  RawPeer connectFrom(String address) throws IOException {
    RawPeer peer = RawPeer.connect(server, bytesSent, 0, address);
    peers.add(peer);
    return peer;
  }

  /** A connection on which a client's preface and SETTINGS have been sent. */
  RawPeer http2(int... settings) throws IOException, InterruptedException {
    RawPeer peer = connect();
    peer.send(Http2Bytes.preface(settings), end);
    return peer;
  }

  /** A socket of which all that is sent counts; under TLS without what that adds. */
  Socket socket(@Nullable String tlsProtocol) throws IOException, GeneralSecurityException {
    Socket socket = new Socket();
    sockets.add(socket);
    socket.setReceiveBufferSize(SMALL_BUFFER);
    socket.setSoTimeout(SOCKET_MILLIS);
    socket.connect(server, SOCKET_MILLIS);
    return tlsProtocol == null ? socket : TestTls.connected(socket, server.getPort(), tlsProtocol);
  }

  /** A socket in cleartext from another address of this machine. */
  Socket socketFrom(String address) throws IOException {
    Socket socket = new Socket();
    sockets.add(socket);
    socket.bind(new InetSocketAddress(address, 0));
    socket.setSoTimeout(SOCKET_MILLIS);
    socket.connect(server, SOCKET_MILLIS);
    return socket;
  }

  void send(Socket socket, byte[]... pieces) throws IOException {
    byte[] all = Http2Bytes.join(pieces);
    socket.getOutputStream().write(all);
    bytesSent.addAndGet(all.length);
  }

  // ---- sending

  void send(RawPeer peer, byte[]... pieces) throws InterruptedException {
    peer.send(Http2Bytes.join(pieces), end);
  }

  /** Sends the same to all, to each as fast as the server takes it, until the time is over. */
  void sendToAll(byte[] content) throws InterruptedException {
    List<ByteBuffer> left = new ArrayList<>();
    peers.forEach(peer -> left.add(ByteBuffer.wrap(content)));
    while (goesOn() && left.stream().anyMatch(ByteBuffer::hasRemaining)) {
      for (int i = 0; i < peers.size(); i++) {
        peers.get(i).offer(left.get(i));
        peers.get(i).drop();
      }
      Thread.sleep(1);
    }
  }

  /** Sends unit after unit until the time is over, on a new connection whenever one is ended. */
  void flood(Opening opening, Unit unit) throws InterruptedException {
    flood(opening, unit, true, QUIET);
  }

  /**
   * As {@link #flood(Opening, Unit)}.
   *
   * @param reads whether what the server answers is read
   */
  void flood(Opening opening, Unit unit, boolean reads, int bytesPerSecond)
      throws InterruptedException {
    RawPeer peer = null;
    while (goesOn()) {
      peer = reopened(peer, opening);
      long allowed = (System.nanoTime() - start) / 1_000 * bytesPerSecond / 1_000_000;
      while (peer != null && peer.isOpen() && bytesSent.get() < allowed && goesOn()) {
        // Some units at once, so that the sender costs the machine little.
        byte[][] some = new byte[64][];
        for (int i = 0; i < some.length; i++) {
          some[i] = unit.next(peer.units++);
        }
        peer.send(Http2Bytes.join(some), end);
      }
      if (peer != null && reads) {
        peer.drop();
      }
      Thread.sleep(SLICE_MILLIS);
    }
  }

  private @Nullable RawPeer reopened(@Nullable RawPeer peer, Opening opening)
      throws InterruptedException {
    if (peer != null && peer.isOpen()) {
      return peer;
    }
    if (peers.size() >= MOST_CONNECTIONS) {
      return null;
    }
    if (peer != null) {
      peer.close();
    }
    try {
      return opening.open();
    } catch (IOException e) {
      return null;
    }
  }

  /** Keeps all connections as they are until the time is over, and reads what comes. */
  void hold() throws InterruptedException {
    while (goesOn()) {
      peers.forEach(RawPeer::drop);
      Thread.sleep(SLICE_MILLIS);
    }
  }

  /** Keeps all connections as they are until the time is over, and reads nothing. */
  void holdUnread() throws InterruptedException {
    while (goesOn()) {
      Thread.sleep(SLICE_MILLIS);
    }
  }

  void pause(Duration time) throws InterruptedException {
    Thread.sleep(time);
  }

  boolean goesOn() {
    return System.nanoTime() < end;
  }

  double seconds() {
    return (System.nanoTime() - start) / 1e9;
  }

  // ---- results

  ServerStatus status() throws IOException, InterruptedException {
    return asking.ask();
  }

  /** Of the connections that were made, how many the server has not ended. */
  int open() {
    peers.forEach(RawPeer::drop);
    return (int) peers.stream().filter(RawPeer::isOpen).count();
  }

  List<RawPeer> peers() {
    return peers;
  }

  long bytesSent() {
    return bytesSent.get();
  }

  /** Adds a failure that the attack itself has seen. */
  void fail(String what) {
    failures.add(what);
  }

  List<String> failures() {
    return failures;
  }

  /** Adds a note for the table. */
  void note(String text) {
    note = text;
  }

  String note() {
    return note;
  }

  void closeAll() {
    peers.forEach(RawPeer::close);
    for (Socket socket : sockets) {
      try {
        socket.close();
      } catch (IOException e) {
        // Nothing more is done with it.
      }
    }
  }
}
