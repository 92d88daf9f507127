package heddle.verify.torture;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** What an HTTP/1.1 client, or one that has not said which protocol it speaks, does to a server. */
final class Http1Attacks {
  private static final Duration SHORT = Duration.ofSeconds(3);
  private static final int HEAD_SECONDS = 10;

  private Http1Attacks() {}

  static List<Trial> all() {
    return Stream.of(content(), slowPeers(), excess()).flatMap(List::stream).toList();
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
        }));
  }

  /** Peers that are slow, or do not read. */
  private static List<Trial> slowPeers() {
    return List.of(
        lasting(
            "slow-headers",
            "5,000 heads, a byte each second",
            HEAD_SECONDS + 2,
            Http1Attacks::slowHeaders),
        attack("large-heads", "300 heads of which 15 KiB come and the end does not", a -> {
          byte[] start = text("GET /small HTTP/1.1\r\nHost: a\r\nX-Long: ");
          byte[] value = new byte[15 << 10];
          Arrays.fill(value, (byte) 'x');
          connect(a, 300, Http2Bytes.join(start, value));
          a.hold();
        }),
        lasting("slow-bodies", "1,000 bodies at 0.5 bytes a second", 9, Http1Attacks::slowBodies),
        lasting("slow-readers", "300 clients read 64 MiB at 100 bytes a second", 9, a -> {
          for (int i = 0; i < 300; i++) {
            a.send(a.connect(4_096), get("/large"));
          }
          a.holdUnread();
        }),
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
            64,
            ServerTrial.HTTP1,
            SHORT,
            List.of("connections=50"),
            Http1Attacks::beyondTheLimit),
        new ServerTrial(
            "descriptors-used-up",
            "400 connections to a server with 160 descriptors",
            64,
            ServerTrial.HTTP1,
            SHORT,
            List.of(ServerTrial.DESCRIPTORS + "160"),
            a -> {
              connect(a, 400, get("/slow"));
              a.hold();
            }),
        new ServerTrial(
            "client-hello",
            "ClientHello messages of 16 MiB, on 20 connections",
            64,
            ServerTrial.HTTP1,
            SHORT,
            List.of(ServerTrial.TLS),
            Http1Attacks::largeClientHello));
  }

  private static Trial attack(String name, String what, ServerTrial.Attack attack) {
    return new ServerTrial(name, what, 64, ServerTrial.HTTP1, SHORT, List.of(), attack);
  }

  private static Trial lasting(String name, String what, int seconds, ServerTrial.Attack attack) {
    return new ServerTrial(
        name, what, 64, ServerTrial.HTTP1, Duration.ofSeconds(seconds), List.of(), attack);
  }

  private static byte[] text(String text) {
    return text.getBytes(ISO_8859_1);
  }

  private static byte[] get(String path) {
    return text("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n");
  }

  private static byte[] post(String field) {
    return text("POST /echo HTTP/1.1\r\nHost: a\r\n" + field + "\r\n\r\n");
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

  private static void slowHeaders(Assault a) throws Exception {
    connect(a, 5_000, text("GET /small HTTP/1.1\r\nHost: a\r\nX-Slow: "));
    a.note(a.peers().size() + " connections");
    byte[] piece = text("x");
    while (a.goesOn()) {
      for (RawPeer peer : a.peers()) {
        a.send(peer, piece);
      }
      a.open();
      a.pause(Duration.ofSeconds(1));
    }
    // The first of them began when the attack did, the last when all were connected.
    int open = a.open();
    if (open > a.peers().size() / 2) {
      a.fail(open + " heads still wait after " + (HEAD_SECONDS + 2) + " s");
    }
  }

  private static void slowBodies(Assault a) throws Exception {
    connect(a, 1_000, post("Content-Length: 1000000"));
    byte[] piece = text("x");
    while (a.goesOn()) {
      for (RawPeer peer : a.peers()) {
        a.send(peer, piece);
      }
      a.open();
      a.pause(Duration.ofSeconds(2));
    }
    int open = a.open();
    if (open > 0) {
      a.fail(open + " of 1,000 were still open after 9 s");
    }
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
    // Below a megabyte a second, so that others hardly notice.
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
