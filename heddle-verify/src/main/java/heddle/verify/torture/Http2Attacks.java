package heddle.verify.torture;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** Attacks on a server by HTTP/2 clients. */
final class Http2Attacks {
  /** The grace of the minimum rate, and what a peer gains by the bytes that it sends or reads. */
  private static final Duration RATE = Duration.ofSeconds(11);

  /** What the server allows at once. */
  private static final int STREAMS = 128;

  private static final int FLAG_NONE = 0;

  private static final String ANNOUNCED = "3 × 128 streams announce 1 MiB and send nothing";
  private static final String BOMB = "60 × 128 streams with heads of 64 KiB made of references";
  private static final String LARGE = "60 × 128 large responses, none of them read";

  private Http2Attacks() {}

  static List<Trial> all() {
    return Stream.of(memory(), resets(), frames(), pieces(), requests(), unread(), slowPeers())
        .flatMap(List::stream)
        .toList();
  }

  /** Small input that takes much memory. */
  private static List<Trial> memory() {
    return List.of(
        refusing("announced-length-h2", 256, ANNOUNCED, Http2Attacks::announce),
        refusing("announced-length-h2-64m", 64, ANNOUNCED, Http2Attacks::announce),
        refusing("hpack-bomb", 256, BOMB, a -> bomb(a, 60, "x-long", 3_900, 16)),
        refusing("hpack-bomb-64m", 64, BOMB, a -> bomb(a, 60, "x-long", 3_900, 16)),
        refusing(
            "cookie-crumbs", 64, "20 × 128 streams with 190 one-byte references to cookies", a -> {
              bomb(a, 20, "cookie", 1, 190);
            }),
        refusing("empty-fields", 64, "20 × 128 streams with 190 references to empty fields", a -> {
          bomb(a, 20, "x", 0, 190);
        }),
        refusing(
            "zero-window-drip",
            64,
            "20 × 128 responses, a byte of window at a time",
            Http2Attacks::zeroWindow));
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
        }),
        attack(
            "reset-with-content",
            64,
            "uploads that are reset while their handler is busy, then one that is not",
            a -> new ResetUploads(a).run()));
  }

  /** Frames that cost the peer little. */
  private static List<Trial> frames() {
    return List.of(
        flood("settings-flood", "SETTINGS", Http2Bytes.settings(Http2Bytes.INITIAL_WINDOW_SIZE, 7)),
        unreadFlood("settings-unread", "SETTINGS", Http2Bytes.settings()),
        flood("ping-flood", "PING", Http2Bytes.ping()),
        unreadFlood("ping-unread", "PING", Http2Bytes.ping()),
        flood("priority-flood", "PRIORITY", frame(Http2Bytes.PRIORITY, 1, 5)),
        flood("priority-update-flood", "PRIORITY_UPDATE", priorityUpdate()),
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
        refusing("large-blocks", 64, "1,000 heads of which 30 KiB come and the end does not", a -> {
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
        refusing("before-settings-ack", 64, "1,000 requests a connection, no SETTINGS ACK", a -> {
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
        }));
  }

  /** Large responses that no one reads. */
  private static List<Trial> unread() {
    return List.of(
        new ServerTrial(
            "large-unread",
            LARGE,
            ServerSetup.http2WithWaiting(STREAMS).build(),
            a -> largeUnread(a, 60, STREAMS)),
        new ServerTrial(
            "large-unread-256m",
            LARGE,
            ServerSetup.http2WithWaiting(STREAMS).heap(256).build(),
            a -> largeUnread(a, 60, STREAMS)),
        refusing(
            "large-unread-single",
            64,
            "200 connections, a large response on each, none of them read",
            a -> largeUnread(a, 200, 1)),
        new ServerTrial(
            "large-unread-tls",
            "16 × 32 large responses over TLS, none of them read",
            ServerSetup.http2WithWaiting(32).overTls().build(),
            a -> {
              for (int i = 0; i < 16; i++) {
                a.send(a.socket("h2"), wideOpen(), requests(32));
              }
              a.holdUnread();
            }));
  }

  /** Content that trickles, in either direction. */
  private static List<Trial> slowPeers() {
    return List.of(
        new ServerTrial(
            "slow-bodies-h2",
            "10 × 100 bodies at 0.5 bytes a second",
            ServerSetup.http2().lasting(RATE.plusSeconds(9)).build(),
            a -> {
              for (int i = 0; i < 10; i++) {
                RawPeer peer = a.http2();
                for (int n = 0; n < 100; n++) {
                  a.send(peer, Http2Bytes.post(stream(n), "/echo"));
                }
              }
              slow(a, Duration.ofSeconds(2), second -> contentOfAll(100));
            }),
        new ServerTrial(
            "slow-readers-h2",
            "20 × 100 responses, of which a connection reads 100 bytes a second",
            ServerSetup.http2().lasting(RATE.plusSeconds(9)).mayRefuseOthers().build(),
            a -> {
              for (int i = 0; i < 20; i++) {
                a.send(a.http2(Http2Bytes.INITIAL_WINDOW_SIZE, 0), requests(100));
              }
              slow(
                  a,
                  Duration.ofSeconds(1),
                  second -> Http2Bytes.windowUpdate(stream(second % 100), 100));
            }));
  }

  private static Trial attack(String name, int heap, String what, ServerTrial.Attack attack) {
    return new ServerTrial(name, what, ServerSetup.http2().heap(heap).build(), attack);
  }

  private static Trial refusing(String name, int heap, String what, ServerTrial.Attack attack) {
    return new ServerTrial(
        name, what, ServerSetup.http2().heap(heap).mayRefuseOthers().build(), attack);
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

  /** Its prioritized stream is 1 (RFC 9218 section 7.1). */
  private static byte[] priorityUpdate() {
    byte[] urgency = {'u', '=', '1'};
    return Http2Bytes.frame(
        Http2Bytes.PRIORITY_UPDATE, FLAG_NONE, 0, Http2Bytes.join(Http2Bytes.number(1), urgency));
  }

  private static byte[] requests(int count) {
    byte[][] requests = new byte[count][];
    for (int n = 0; n < count; n++) {
      requests[n] = Http2Bytes.get(stream(n), "/large");
    }
    return Http2Bytes.join(requests);
  }

  private static byte[] contentOfAll(int streams) {
    byte[][] content = new byte[streams][];
    for (int n = 0; n < streams; n++) {
      content[n] = Http2Bytes.data(stream(n), 1);
    }
    return Http2Bytes.join(content);
  }

  /** The preface of a client whose windows hold nothing back. */
  private static byte[] wideOpen() {
    return Http2Bytes.join(
        Http2Bytes.preface(Http2Bytes.INITIAL_WINDOW_SIZE, Integer.MAX_VALUE),
        Http2Bytes.windowUpdate(0, Integer.MAX_VALUE - 65_535));
  }

  private static void largeUnread(Assault a, int connections, int streams) throws Exception {
    for (int i = 0; i < connections && a.goesOn(); i++) {
      a.send(a.connect(4_096), wideOpen(), requests(streams));
    }
    a.holdUnread();
  }

  private static void announce(Assault a) throws Exception {
    for (int i = 0; i < 3; i++) {
      openStreams(a, Http2Bytes.literal("content-length", "1048576"));
    }
    a.hold();
  }

  /** Sends something on each connection now and then; no request may be left in time. */
  private static void slow(Assault a, Duration pause, Assault.Unit unit) throws Exception {
    long end = System.nanoTime() + RATE.toNanos();
    long active = a.status().active();
    int number = 0;
    while (System.nanoTime() < end && active > 1) {
      for (RawPeer peer : a.peers()) {
        a.send(peer, unit.next(number));
      }
      number++;
      a.open();
      a.pause(pause);
      active = a.status().active();
    }
    // One may be the victim's.
    if (active > 1) {
      a.fail(active + " requests are still answered after " + RATE.toSeconds() + " s");
    }
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
