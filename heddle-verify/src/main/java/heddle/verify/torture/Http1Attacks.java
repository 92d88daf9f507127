package heddle.verify.torture;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Attacks on a server by HTTP/1.1 clients, and by clients whose protocol is not known yet. */
final class Http1Attacks {
  /** A head's time, and a second for the server's timers to end what is late. */
  private static final Duration HEAD = Duration.ofSeconds(11);

  /** The grace of the minimum rate, and what a peer gains by the bytes that it sends. */
  private static final Duration BODY = Duration.ofSeconds(9);

  /** The grace of the minimum rate, and the minute by which a peer may fall behind. */
  private static final Duration WRITE = Duration.ofSeconds(80);

  private static final String UNREAD =
      " POSTs of 256 KiB, all at once, to a handler that does not read";

  private static final String GREEDY = "300 bodies of 250 KiB that a handler reads whole";

  private Http1Attacks() {}

  static List<Trial> all() {
    return Stream.of(content(), slowPeers(), unread(), excess())
        .flatMap(List::stream)
        .toList();
  }

  /** Content that is announced, or comes in tiny pieces. */
  private static List<Trial> content() {
    return List.of(
        attack("announced-length-h1", "400 POSTs announce 1 MiB each and send nothing", a -> {
          connect(a, 400, post("Content-Length: 1048576"));
          a.hold();
        }),
        attack("one-byte-chunks", "content in chunks of one byte, at 0.9 MB/s", a -> {
          byte[] chunk = text("1\r\nx\r\n");
          a.flood(() -> opened(a, post("Transfer-Encoding: chunked")), number -> chunk);
        }),
        attack("one-byte-chunks-fast", "content in chunks of one byte, at 8 MB/s", a -> {
          byte[] chunk = text("1\r\nx\r\n");
          a.flood(
              () -> opened(a, post("Transfer-Encoding: chunked")),
              number -> chunk,
              true,
              Assault.FAST);
        }),
        attack("chunk-extensions", "chunks with extensions, at 0.9 MB/s", a -> {
          byte[] chunk = text("1;a=b;c=d\r\nx\r\n");
          a.flood(() -> opened(a, post("Transfer-Encoding: chunked")), number -> chunk);
        }),
        refusing("unread-content", "300" + UNREAD, 64, a -> unreadContent(a, 300)),
        refusing("unread-content-256m", "1,000" + UNREAD, 256, a -> unreadContent(a, 1_000)),
        refusing("greedy-bodies", GREEDY, 64, Http1Attacks::greedyBodies),
        refusing("greedy-bodies-256m", GREEDY, 256, Http1Attacks::greedyBodies),
        attack("request-tricks", "requests that hide another in odd framing", RequestTricks::play));
  }

  /** Peers that are slow. */
  private static List<Trial> slowPeers() {
    return List.of(
        new ServerTrial(
            "slow-headers",
            "5,000 heads, a byte each second",
            ServerSetup.http1()
                .heap(256)
                .connections(5_100)
                .lasting(HEAD.plusSeconds(9))
                .build(),
            a -> slow(a, 5_000, text("GET /small HTTP/1.1\r\nHost: a\r\nX-Slow: "), HEAD)),
        refusing("large-heads", "300 heads of which 15 KiB come and the end does not", 64, a -> {
          byte[] start = text("GET /small HTTP/1.1\r\nHost: a\r\nX-Long: ");
          byte[] value = new byte[15 << 10];
          Arrays.fill(value, (byte) 'x');
          connect(a, 300, Http2Bytes.join(start, value));
          a.hold();
        }),
        new ServerTrial(
            "slow-bodies",
            "1,000 bodies at 0.5 bytes a second",
            ServerSetup.http1().lasting(BODY.plusSeconds(9)).mayRefuseOthers().build(),
            a -> slow(a, 1_000, post("Content-Length: 1000000"), BODY)),
        new ServerTrial(
            "slow-readers",
            "300 clients read 64 MiB at 100 bytes a second",
            ServerSetup.http1().lasting(WRITE.plusSeconds(9)).build(),
            Http1Attacks::slowReaders));
  }

  /** Responses that no one reads. */
  private static List<Trial> unread() {
    return List.of(
        attack("never-read", "requests whose responses are never read, on 300 connections", a -> {
          for (int i = 0; i < 300; i++) {
            a.send(a.connect(4_096), get("/large"), get("/large"));
          }
          a.holdUnread();
        }),
        attack("pipelined-unread", "requests one after the other, none of the answers read", a -> {
          byte[] get = get("/small");
          a.flood(() -> a.connect(4_096), number -> get, false, Assault.QUIET);
        }),
        attack("request-and-reset", "1,000 slow requests a second, each reset", a -> {
          while (a.goesOn()) {
            for (int i = 0; i < 10; i++) {
              RawPeer peer = a.connect();
              a.send(peer, get("/slow"));
              peer.close();
            }
            a.pause(Duration.ofMillis(10));
          }
        }));
  }

  /** More than a server should take. */
  private static List<Trial> excess() {
    return List.of(
        new ServerTrial(
            "connections-beyond",
            "2,000 connections to a server that takes 50",
            ServerSetup.http1().connections(50).build(),
            Http1Attacks::beyondTheLimit),
        new ServerTrial(
            "descriptors-used-up",
            "400 connections to a server with 160 descriptors",
            ServerSetup.http1().descriptors(160).build(),
            a -> {
              connect(a, 400, get("/slow"));
              a.hold();
            }),
        new ServerTrial(
            "client-hello",
            "ClientHello messages of 16 MiB, on 20 connections",
            ServerSetup.http1().overTls().build(),
            Http1Attacks::largeClientHello),
        new ServerTrial(
            "tls-slow-hello",
            "2,000 connections that send one byte of a ClientHello",
            ServerSetup.http1().overTls().mayRefuseOthers().build(),
            a -> {
              connect(a, 2_000, new byte[] {22});
              a.hold();
            }));
  }

  private static Trial attack(String name, String what, ServerTrial.Attack attack) {
    return new ServerTrial(name, what, ServerSetup.http1().build(), attack);
  }

  private static Trial refusing(String name, String what, int heap, ServerTrial.Attack attack) {
    return new ServerTrial(
        name, what, ServerSetup.http1().heap(heap).mayRefuseOthers().build(), attack);
  }

  private static byte[] text(String text) {
    return text.getBytes(ISO_8859_1);
  }

  private static byte[] get(String path) {
    return text("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n");
  }

  private static byte[] post(String field) {
    return post("/echo", field);
  }

  private static byte[] post(String path, String field) {
    return text("POST " + path + " HTTP/1.1\r\nHost: a\r\n" + field + "\r\n\r\n");
  }

  private static void connect(Assault a, int connections, byte[] first) throws Exception {
    for (int i = 0; i < connections && a.goesOn(); i++) {
      opened(a, first);
    }
  }

  private static RawPeer opened(Assault a, byte[] first) throws IOException, InterruptedException {
    RawPeer peer = a.connect();
    a.send(peer, first);
    return peer;
  }

  /** A byte each second or so on each connection, all of which must be closed in time. */
  private static void slow(Assault a, int connections, byte[] first, Duration time)
      throws Exception {
    connect(a, connections, first);
    long end = System.nanoTime() + time.toNanos();
    byte[] piece = text("x");
    while (System.nanoTime() < end && a.open() > 0) {
      for (RawPeer peer : a.peers()) {
        a.send(peer, piece);
      }
      a.pause(Duration.ofSeconds(time == BODY ? 2 : 1));
    }
    int open = a.open();
    if (open > 0) {
      a.fail(open + " of " + connections + " are still open after " + time.toSeconds() + " s");
    }
    a.note(connections + " connections");
  }

  private static void slowReaders(Assault a) throws Exception {
    for (int i = 0; i < 300; i++) {
      a.send(a.connect(4_096), get("/large"));
    }
    long end = System.nanoTime() + WRITE.toNanos();
    long open = a.status().connections();
    while (System.nanoTime() < end && open > 1) {
      for (RawPeer peer : a.peers()) {
        peer.take(100);
      }
      a.pause(Duration.ofSeconds(1));
      open = a.status().connections();
    }
    // One is the victim's. A peer does not see the end before it has read what came before.
    if (open > 1) {
      a.fail(open - 1 + " of 300 are still open after " + WRITE.toSeconds() + " s");
    }
  }

  private static void unreadContent(Assault a, int requests) throws Exception {
    connect(a, requests, post(TortureServer.UNREAD, "Content-Length: 262144"));
    a.sendToAll(new byte[256 << 10]);
  }

  /** All of each body except its last byte. */
  private static void greedyBodies(Assault a) throws Exception {
    int pieces = 25;
    connect(a, 300, post("Content-Length: " + (pieces * (10 << 10) + 1)));
    byte[] piece = new byte[10 << 10];
    for (int i = 0; i < pieces && a.goesOn(); i++) {
      for (RawPeer peer : a.peers()) {
        peer.offer(ByteBuffer.wrap(piece));
        peer.drop();
      }
      a.pause(Duration.ofMillis(80));
    }
    a.hold();
  }

  private static void beyondTheLimit(Assault a) throws Exception {
    connect(a, 2_000, get("/small"));
    a.hold();
    long refused = a.peers().stream()
        .filter(peer -> new String(peer.firstBytes(), ISO_8859_1).startsWith("HTTP/1.1 503"))
        .count();
    long answered = a.peers().stream()
        .filter(peer -> new String(peer.firstBytes(), ISO_8859_1).startsWith("HTTP/1.1 200"))
        .count();
    long neither = a.peers().size() - refused - answered;
    a.note(answered + " served, " + refused + " told 503, " + neither + " closed");
    ServerStatus status = a.status();
    if (refused != status.refusedConnections() || neither != status.droppedConnections()) {
      a.fail(refused + " were told 503 and " + neither + " closed, the server counts "
          + status.refusedConnections() + " and " + status.droppedConnections());
    }
  }

  private static void largeClientHello(Assault a) throws Exception {
    // RFC 8446 section 5.1: handshake records of 16 KiB; section 4: a message of 2^24 - 1 bytes.
    byte[] record = new byte[5 + (16 << 10)];
    byte[] header = {22, 3, 1, 0x40, 0};
    System.arraycopy(header, 0, record, 0, header.length);
    byte[] first = record.clone();
    byte[] message = {1, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 3, 3};
    System.arraycopy(message, 0, first, header.length, message.length);
    List<RawPeer> peers = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      peers.add(opened(a, first));
    }
    // Below a megabyte per second, so that other clients hardly notice.
    while (a.goesOn()) {
      for (RawPeer peer : peers) {
        peer.drop();
        a.send(peer, record);
        a.pause(Duration.ofMillis(20));
      }
    }
    a.note(a.open() + " of 20 connections open at the end");
  }
}
