package heddle.verify.torture;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** What an HTTP/2 client does to a server. */
final class Http2Attacks {
  private static final Duration TIME = Duration.ofSeconds(3);

  /** What the server allows at once. */
  private static final int STREAMS = 128;

  private static final int FLAG_NONE = 0;

  private Http2Attacks() {}

  static List<Trial> all() {
    return Stream.of(memory(), resets(), frames(), pieces(), requests())
        .flatMap(List::stream)
        .toList();
  }

  /** Little is sent that takes much memory. */
  private static List<Trial> memory() {
    return List.of(
        attack("announced-length-h2", 256, "3 × 128 streams announce 1 MiB and send nothing", a -> {
          for (int i = 0; i < 3; i++) {
            openStreams(a, Http2Bytes.literal("content-length", "1048576"));
          }
          a.hold();
        }),
        attack("hpack-bomb", 256, "60 × 128 streams with heads of 64 KiB made of references", a -> {
          bomb(a, 60, "x-long", 3_900, 16);
        }),
        attack(
            "cookie-crumbs", 64, "20 × 128 streams with 190 one-byte references to cookies", a -> {
              bomb(a, 20, "cookie", 1, 190);
            }),
        attack("empty-fields", 64, "20 × 128 streams with 190 references to empty fields", a -> {
          bomb(a, 20, "x", 0, 190);
        }),
        attack("zero-window-drip", 64, "20 × 128 responses, a byte of window at a time", a -> {
          zeroWindow(a);
        }));
  }

  /** Requests that are reset, or that the server has to reset. */
  private static List<Trial> resets() {
    return List.of(
        attack("rapid-reset", 64, "requests, each reset at once, at 0.9 MB/s", a -> {
          a.flood(
              a::http2,
              n -> Http2Bytes.join(
                  Http2Bytes.get(stream(n), "/small"), Http2Bytes.reset(stream(n))));
        }),
        attack("slow-request-and-reset", 64, "slow requests, each reset at once", a -> {
          a.flood(
              a::http2,
              n ->
                  Http2Bytes.join(Http2Bytes.get(stream(n), "/slow"), Http2Bytes.reset(stream(n))));
        }),
        attack("made-you-reset", 64, "requests that the server has to reset", a -> {
          a.flood(
              a::http2,
              n -> Http2Bytes.join(
                  Http2Bytes.get(stream(n), "/slow"), Http2Bytes.windowUpdate(stream(n), 0)));
        }));
  }

  /** Frames that cost the peer little. */
  private static List<Trial> frames() {
    return List.of(
        flood("settings-flood", "SETTINGS", Http2Bytes.settings(Http2Bytes.INITIAL_WINDOW_SIZE, 7)),
        unreadFlood("settings-unread", "SETTINGS", Http2Bytes.settings()),
        flood("ping-flood", "PING", Http2Bytes.ping()),
        unreadFlood("ping-unread", "PING", Http2Bytes.ping()),
        flood("priority-flood", "PRIORITY", frame(Http2Bytes.PRIORITY, 1, 5)),
        flood("unknown-frames", "frames of an unknown type", frame(0xBE, 0, 1)),
        flood("goaway-flood", "GOAWAY", frame(Http2Bytes.GOAWAY, 0, 8)),
        flood("window-flood", "WINDOW_UPDATE of the connection", Http2Bytes.windowUpdate(0, 1)),
        streamFlood("window-flood-stream", "WINDOW_UPDATE", Http2Bytes.windowUpdate(1, 1)),
        streamFlood("empty-data", "empty DATA frames", Http2Bytes.data(1, 0)),
        streamFlood("one-byte-data", "DATA frames of one byte", Http2Bytes.data(1, 1)));
  }

  /** Content and heads in tiny pieces. */
  private static List<Trial> pieces() {
    return List.of(
        attack("one-byte-data-fast", 64, "DATA frames of one byte at 8 MB/s", a -> {
          byte[] data = Http2Bytes.data(1, 1);
          a.flood(() -> withStream(a), n -> data, true, Assault.FAST);
        }),
        attack("padded-data", 64, "DATA frames of padding alone, at 0.9 MB/s", a -> {
          byte[] padding = new byte[9];
          padding[0] = 8;
          byte[] data = Http2Bytes.frame(Http2Bytes.DATA, 8, 1, padding);
          a.flood(() -> withStream(a), n -> data);
        }),
        attack("continuation-flood", 64, "a head that goes on in CONTINUATION frames", a -> {
          byte[] more = Http2Bytes.frame(
              Http2Bytes.CONTINUATION, FLAG_NONE, 1, Http2Bytes.literal("x-more", "y".repeat(90)));
          a.flood(() -> withOpenHead(a), n -> more);
        }),
        attack("zero-byte-continuation", 64, "a head that goes on in empty frames", a -> {
          byte[] more = Http2Bytes.frame(Http2Bytes.CONTINUATION, FLAG_NONE, 1);
          a.flood(() -> withOpenHead(a), n -> more);
        }),
        attack("large-blocks", 64, "1,000 heads of which 30 KiB come and the end does not", a -> {
          byte[] more = Http2Bytes.frame(Http2Bytes.CONTINUATION, FLAG_NONE, 1, new byte[15 << 10]);
          for (int i = 0; i < 1_000 && a.goesOn(); i++) {
            a.send(withOpenHead(a), more, more);
          }
          a.hold();
        }));
  }

  /** More requests, or answers, than a server should take or keep. */
  private static List<Trial> requests() {
    return List.of(
        attack("tiny-header-list", 64, "requests of a client that takes no field", a -> {
          a.flood(
              () -> a.http2(Http2Bytes.MAX_HEADER_LIST_SIZE, 1),
              n -> Http2Bytes.get(stream(n), "/small"));
        }),
        attack("before-settings-ack", 64, "1,000 requests a connection, no SETTINGS ACK", a -> {
          byte[] preface = Http2Bytes.withoutAcknowledgement();
          for (int i = 0; i < 20; i++) {
            RawPeer peer = a.connect();
            a.send(peer, preface);
            for (int n = 0; n < 1_000 && a.goesOn(); n++) {
              a.send(peer, Http2Bytes.post(stream(n), "/echo"));
            }
          }
          a.hold();
        }),
        attack("get-flood", 64, "requests at 0.9 MB/s, the answers unread", a -> {
          a.flood(a::http2, n -> Http2Bytes.get(stream(n), "/small"), false, Assault.QUIET);
        }),
        attack("large-unread", 64, "60 × 128 large responses, none of them read", a -> {
          for (int i = 0; i < 60; i++) {
            RawPeer peer = a.http2(Http2Bytes.INITIAL_WINDOW_SIZE, Integer.MAX_VALUE);
            a.send(peer, Http2Bytes.windowUpdate(0, Integer.MAX_VALUE - 65_535));
            for (int n = 0; n < STREAMS; n++) {
              a.send(peer, Http2Bytes.get(stream(n), "/large"));
            }
          }
          a.holdUnread();
        }));
  }

  private static Trial attack(String name, int heap, String what, ServerTrial.Attack attack) {
    return new ServerTrial(name, what, heap, ServerTrial.HTTP2, TIME, List.of(), attack);
  }

  private static Trial flood(String name, String of, byte[] unit) {
    return attack(name, 64, of + " at 0.9 MB/s", a -> a.flood(a::http2, n -> unit));
  }

  private static Trial unreadFlood(String name, String of, byte[] unit) {
    return attack(
        name,
        64,
        of + ", the answers unread",
        a -> a.flood(a::http2, n -> unit, false, Assault.QUIET));
  }

  private static Trial streamFlood(String name, String of, byte[] unit) {
    return attack(
        name, 64, of + " of a stream at 0.9 MB/s", a -> a.flood(() -> withStream(a), n -> unit));
  }

  private static byte[] frame(int type, int stream, int length) {
    return Http2Bytes.frame(type, FLAG_NONE, stream, new byte[length]);
  }

  private static int stream(int number) {
    return 2 * number + 1;
  }

  /** A connection on which a request with content has begun. */
  private static RawPeer withStream(Assault a) throws IOException, InterruptedException {
    RawPeer peer = a.http2();
    a.send(peer, Http2Bytes.post(1, "/echo"));
    return peer;
  }

  private static RawPeer withOpenHead(Assault a) throws IOException, InterruptedException {
    RawPeer peer = a.http2();
    byte[] block = Http2Bytes.request("GET", "/small");
    a.send(peer, Http2Bytes.frame(Http2Bytes.HEADERS, FLAG_NONE, 1, block));
    return peer;
  }

  private static void openStreams(Assault a, byte[] field) throws Exception {
    RawPeer peer = a.http2();
    for (int n = 0; n < STREAMS; n++) {
      a.send(
          peer, Http2Bytes.headers(stream(n), false, Http2Bytes.request("POST", "/echo"), field));
    }
  }

  /** Heads that are small on the wire and large in memory, on streams that stay open. */
  private static void bomb(Assault a, int connections, String name, int length, int references)
      throws Exception {
    byte[] first = Http2Bytes.indexed(name, "x".repeat(length));
    byte[] others = Http2Bytes.references(references);
    for (int i = 0; i < connections && a.goesOn(); i++) {
      RawPeer peer = a.http2();
      for (int n = 0; n < STREAMS; n++) {
        byte[] request = Http2Bytes.request("POST", "/echo");
        a.send(
            peer,
            n == 0
                ? Http2Bytes.headers(1, false, request, first, others)
                : Http2Bytes.headers(stream(n), false, request, others));
      }
      peer.drop();
    }
    a.hold();
  }

  private static void zeroWindow(Assault a) throws Exception {
    for (int i = 0; i < 20; i++) {
      RawPeer peer = a.http2(Http2Bytes.INITIAL_WINDOW_SIZE, 0);
      for (int n = 0; n < STREAMS; n++) {
        a.send(peer, Http2Bytes.get(stream(n), "/large"));
      }
    }
    int n = 0;
    while (a.goesOn()) {
      for (RawPeer peer : a.peers()) {
        a.send(peer, Http2Bytes.windowUpdate(stream(n % STREAMS), 1));
        peer.drop();
      }
      n++;
      a.pause(Duration.ofMillis(1));
    }
  }
}
