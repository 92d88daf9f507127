package heddle.verify.torture;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** What servers do to a client. */
final class ClientAttacks {
  private static final byte[] STATUS = Http2Bytes.literal(":status", "200");

  /** Calls at once; over HTTP/2 they share a connection. */
  private static final int CALLS = 8;

  private static final int MANY = 100;

  private ClientAttacks() {}

  static List<Trial> all() {
    return Stream.of(frames(), http2(), http1()).flatMap(List::stream).toList();
  }

  /** Frames that a server sends without an end. */
  private static List<Trial> frames() {
    return List.of(
        flood(
            "client-window-flood",
            "WINDOW_UPDATE of the connection",
            Http2Bytes.windowUpdate(0, 1)),
        flood("client-window-flood-stream", "WINDOW_UPDATE", Http2Bytes.windowUpdate(1, 1)),
        flood("client-goaway-flood", "GOAWAY", goAway()),
        flood("client-ping-flood", "PING", Http2Bytes.ping()),
        flood("client-settings-flood", "SETTINGS", Http2Bytes.settings()),
        flood("client-unknown-frames", "frames of an unknown type", frame(0xBE, 0)),
        flood("client-priority-flood", "PRIORITY", frame(Http2Bytes.PRIORITY, 5)),
        flood(
            "client-interim-h2",
            "103 (Early Hints)",
            Http2Bytes.headers(1, false, Http2Bytes.literal(":status", "103"))),
        inContent("client-empty-data", "DATA frames without content", true, Http2Bytes.data(1, 0)),
        inContent("client-one-byte-data", "DATA frames of one byte", false, Http2Bytes.data(1, 1)));
  }

  /** Deceptive responses over HTTP/2. */
  private static List<Trial> http2() {
    return List.of(
        http2(
            "client-continuation", "a head that goes on in CONTINUATION frames", CALLS, true, c -> {
              c.begin();
              int stream = c.readHeaders();
              c.send(Http2Bytes.frame(Http2Bytes.HEADERS, 0, stream, STATUS));
              c.flood(Http2Bytes.frame(
                  Http2Bytes.CONTINUATION, 0, stream, Http2Bytes.literal("x", "y".repeat(90))));
            }),
        http2("client-zero-continuation", "a head that goes on in empty frames", CALLS, true, c -> {
          c.begin();
          int stream = c.readHeaders();
          c.send(Http2Bytes.frame(Http2Bytes.HEADERS, 0, stream, STATUS));
          c.flood(Http2Bytes.frame(Http2Bytes.CONTINUATION, 0, stream));
        }),
        http2(
            "client-hpack-bomb",
            "heads of 16 MB made of references",
            MANY,
            true,
            ClientAttacks::bomb),
        http2(
            "client-announced-h2",
            "100 responses announce 1 MiB and send nothing",
            MANY,
            false,
            ClientAttacks::announce),
        http2("client-silence-h2", "no SETTINGS, no response", CALLS, false, c -> c.sayNothing()));
  }

  /** Deceptive responses over HTTP/1.1. */
  private static List<Trial> http1() {
    return List.of(
        http1(
            "client-announced-h1",
            "100 responses announce 1 MiB and send nothing",
            MANY,
            false,
            c -> {
              c.readRequest();
              c.send(text("HTTP/1.1 200 OK\r\nContent-Length: 1048576\r\n\r\n"));
              c.sayNothing();
            }),
        http1("client-interim-h1", "103 (Early Hints) without an end", CALLS, true, c -> {
          c.readRequest();
          c.flood(text("HTTP/1.1 103 Early Hints\r\n\r\n"));
        }),
        http1("client-one-byte-chunks", "content in chunks of one byte", CALLS, false, c -> {
          c.readRequest();
          c.send(text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"));
          c.flood(text("1\r\nx\r\n"));
        }),
        http1("client-endless-head", "fields without an end", CALLS, true, c -> {
          c.readRequest();
          c.send(text("HTTP/1.1 200 OK\r\n"));
          c.flood(text("X-More: yes\r\n"));
        }),
        http1("client-slow-head", "a byte each 100 ms", CALLS, false, c -> {
          c.readRequest();
          c.send(text("HTTP/1.1 200 OK\r\nX-Slow: "));
          c.drip(text("x"), Duration.ofMillis(100));
        }),
        http1("client-slow-body", "a byte each 100 ms", CALLS, false, c -> {
          c.readRequest();
          c.send(text("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"));
          c.drip(text("x"), Duration.ofMillis(100));
        }),
        new ClientTrial(
            "client-descriptors",
            "300 calls at once with 160 descriptors",
            "h1",
            300,
            false,
            160,
            HostileServer.Conversation::sayNothing),
        http1("client-silence-h1", "no response", CALLS, false, c -> c.sayNothing()));
  }

  private static Trial http1(
      String name, String what, int calls, boolean early, HostileServer.Script script) {
    return new ClientTrial(name, what, "h1", calls, early, 0, script);
  }

  private static Trial http2(
      String name, String what, int calls, boolean early, HostileServer.Script script) {
    return new ClientTrial(name, what, "h2", calls, early, 0, script);
  }

  /** Frames instead of a response. */
  private static Trial flood(String name, String of, byte[] unit) {
    return http2(name, "endless " + of + " instead of a response", 1, true, c -> {
      c.begin();
      c.readHeaders();
      c.flood(unit);
    });
  }

  private static Trial inContent(String name, String of, boolean early, byte[] unit) {
    return http2(name, "endless " + of, 1, early, c -> {
      c.begin();
      int stream = c.readHeaders();
      c.send(Http2Bytes.headers(stream, false, STATUS));
      c.flood(unit);
    });
  }

  private static void announce(HostileServer.Conversation c) throws IOException {
    c.begin();
    while (true) {
      c.send(Http2Bytes.headers(
          c.readHeaders(), false, STATUS, Http2Bytes.literal("content-length", "1048576")));
    }
  }

  private static void bomb(HostileServer.Conversation c) throws IOException {
    c.begin();
    byte[] first = Http2Bytes.indexed("x-long", "x".repeat(3_900));
    while (true) {
      c.send(
          Http2Bytes.headers(c.readHeaders(), false, STATUS, first, Http2Bytes.references(4_000)));
    }
  }

  /** A GOAWAY with the highest possible last stream, so that it refuses no call. */
  private static byte[] goAway() {
    byte[] payload = new byte[8];
    System.arraycopy(Http2Bytes.number(Integer.MAX_VALUE), 0, payload, 0, 4);
    return Http2Bytes.frame(Http2Bytes.GOAWAY, 0, 0, payload);
  }

  private static byte[] frame(int type, int length) {
    return Http2Bytes.frame(type, 0, type == Http2Bytes.PRIORITY ? 1 : 0, new byte[length]);
  }

  private static byte[] text(String text) {
    return text.getBytes(ISO_8859_1);
  }
}
