package heddle.verify.torture;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Attacks on a {@link TortureSite}, while {@link SiteVisitors} use all of it: by peers that
 * disappear, read nothing, are slow, send nonsense, or want more than there is.
 */
final class SiteAttacks {
  static final String UPGRADE = "Connection: Upgrade\r\nUpgrade: websocket\r\n"
      + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

  static final String MULTIPART = "multipart/form-data; boundary=b";
  static final String FORM_TYPE = "application/x-www-form-urlencoded";
  static final String JSON_TYPE = "application/json";

  private static final String PART =
      "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f.bin\"\r\n\r\n";

  /** A masked message of one byte, and the beginning of one of 1,000 bytes. */
  private static final String FRAMES = "\u0082\u0081\0\0\0\0x\u0082\u00fe\u0003\u00e8\0\0\0\0half";

  private static final String UPLOAD = post("/uploads", MULTIPART, 0) + PART;
  private static final String FORM = post("/form", FORM_TYPE, 0) + "name=";
  private static final String JSON = post("/items", JSON_TYPE, 0) + "{\"id\":1,\"text\":\"";

  /** Few, because each is flushed, and systems take megabytes that no one reads. */
  private static final int LINES = 300;

  /** Requests over HTTP/1.1 for each part of the site, some of them cut. */
  private static final List<String> REQUESTS = List.of(
      get("/files/data.bin"),
      get("/files/data.bin", "Range: bytes=0-9,1000-200000\r\n"),
      get("/files/page.txt", "Accept-Encoding: gzip\r\n"),
      get("/text", "Accept-Encoding: gzip\r\n"),
      get("/written?lines=" + LINES, "TE: trailers\r\nConnection: TE\r\n"),
      get("/events?count=1000000"),
      get("/late"),
      get("/hints"),
      get("/echo-socket", UPGRADE) + FRAMES,
      post("/uploads", MULTIPART, 200_000) + PART + "x".repeat(100_000),
      post("/uploads", MULTIPART, 200_000) + PART,
      post("/form", FORM_TYPE, 200) + "name=half",
      post("/items", JSON_TYPE, 200) + "{\"id\":1,");

  /** Those over HTTP/2. */
  private static final List<String> PATHS = List.of(
      "/files/data.bin",
      "/files/page.txt",
      "/text",
      "/written?lines=" + LINES,
      "/events?count=1000000",
      "/late",
      "/hints",
      "/echo-socket",
      "/uploads");

  private static final int SMALL_BUFFER = 4_096;
  private static final int AT_ONCE = 5;
  private static final Duration PAUSE = Duration.ofMillis(15);

  /** The time for a head, and more than a handler's, and a second for timers. */
  private static final Duration SLOW = Duration.ofSeconds(12);

  /** What a connection costs in any case, and the message that it holds, in a buffer that grows. */
  private static final int MESSAGE = ServerSetup.HTTP1_CONNECTION + (128 << 10);

  private SiteAttacks() {}

  static List<Trial> all() {
    return Stream.of(visits(), vanishing(), slowPeers(), excess())
        .flatMap(List::stream)
        .toList();
  }

  private static List<Trial> visits() {
    return List.of(
        site("site-visits", "well-behaved clients of each kind alone", Assault::hold),
        site("site-nonsense", "requests and frames that are wrong in many ways", a -> {
          SiteNonsense.sendAll(a);
        }));
  }

  /** Peers that disappear in the middle of something. */
  private static List<Trial> vanishing() {
    return List.of(
        site("site-vanish-h1", "requests, uploads and sockets, all reset", SiteAttacks::vanish),
        http2(
            "site-vanish-h2",
            "requests, uploads and sockets, all reset",
            ServerSetup.http2(),
            a -> {
              RawPeer peer = wideOpen(a);
              while (a.goesOn()) {
                if (!peer.isOpen()) {
                  peer = wideOpen(a);
                }
                for (int i = 0; i < AT_ONCE; i++) {
                  a.send(peer, vanishing(peer.units++));
                }
                peer.drop();
                a.pause(PAUSE.multipliedBy(2));
              }
            }),
        http2(
            "site-cut-h2",
            "connections with 20 requests, uploads and sockets",
            ServerSetup.http2(),
            a -> {
              while (a.goesOn()) {
                RawPeer peer = wideOpen(a);
                a.send(peer, streams(20));
                a.pause(PAUSE.multipliedBy(8));
                peer.close();
              }
            }));
  }

  /** Peers that read nothing, or send little. */
  private static List<Trial> slowPeers() {
    return List.of(
        refusing(
            "site-unread-h1",
            "300 responses, streams of events and sockets that no one reads",
            ServerSetup.http1(),
            SiteAttacks::unread),
        refusing(
            "site-unread-h2",
            "20 × 40 responses, streams of events and sockets without a window",
            ServerSetup.http2WithWaiting(40),
            a -> {
              for (int i = 0; i < 20; i++) {
                a.send(a.http2(Http2Bytes.INITIAL_WINDOW_SIZE, 0), streams(40));
              }
              a.hold();
            }),
        refusing(
            "site-slow",
            "400 forms, uploads, messages and PROXY headers, a byte each second",
            ServerSetup.http1().lasting(SLOW.plusSeconds(9)),
            SiteAttacks::slow));
  }

  /** More than a server should take. */
  private static List<Trial> excess() {
    return List.of(
        refusing(
            "site-uploads",
            "300 uploads and forms of 250 KiB without their last byte",
            ServerSetup.http1(),
            a -> greedy(a, UPLOAD, FORM)),
        refusing(
            "site-json",
            "300 documents of 250 KiB without their last byte",
            ServerSetup.http1(),
            a -> greedy(a, JSON)),
        refusing(
            "site-messages",
            "300 messages of 60 KiB without their last byte",
            ServerSetup.http1().connectionAllowance(MESSAGE),
            a -> {
              for (int i = 0; i < 300; i++) {
                open(a, get("/echo-socket", UPGRADE) + "\u0082\u00fe\u00f0\u0000\0\0\0\0");
              }
              a.sendToAll(new byte[(60 << 10) - 1]);
              a.hold();
            }),
        refusing(
            "site-descriptors",
            "400 peers of each part of a site with 200 descriptors",
            ServerSetup.http1().descriptors(200),
            a -> {
              for (int i = 0; i < 400 && a.goesOn(); i++) {
                open(a, REQUESTS.get(i % REQUESTS.size()));
              }
              a.hold();
            }));
  }

  private static Trial site(String name, String what, ServerTrial.Attack attack) {
    return http2(name, what, ServerSetup.http1(), attack);
  }

  private static Trial http2(
      String name, String what, ServerSetup.Builder setup, ServerTrial.Attack attack) {
    return new ServerTrial(name, what, setup.site().build(), attack);
  }

  private static Trial refusing(
      String name, String what, ServerSetup.Builder setup, ServerTrial.Attack attack) {
    return new ServerTrial(name, what, setup.site().mayRefuseOthers().build(), attack);
  }

  // ---- requests

  static String get(String path, String... fields) {
    return "GET " + path + " HTTP/1.1\r\nHost: a\r\n" + String.join("", fields) + "\r\n";
  }

  static String post(String path, String type, int length) {
    return "POST " + path + " HTTP/1.1\r\nHost: a\r\nContent-Type: " + type + "\r\nContent-Length: "
        + length + "\r\n\r\n";
  }

  private static RawPeer open(Assault a, String request) throws IOException, InterruptedException {
    RawPeer peer = a.connect(SMALL_BUFFER);
    a.send(peer, request.getBytes(ISO_8859_1));
    return peer;
  }

  /** A request for some part of the site, by its number. */
  private static byte[] stream(int number) {
    int id = 2 * number + 1;
    String path = PATHS.get(number % PATHS.size());
    return switch (path) {
      case "/echo-socket" ->
        Http2Bytes.join(
            Http2Bytes.headers(
                id,
                false,
                Http2Bytes.request("CONNECT", path),
                Http2Bytes.literal(":protocol", "websocket"),
                Http2Bytes.literal("sec-websocket-version", "13")),
            Http2Bytes.frame(Http2Bytes.DATA, 0, id, FRAMES.getBytes(ISO_8859_1)));
      case "/uploads" ->
        Http2Bytes.join(
            Http2Bytes.headers(
                id,
                false,
                Http2Bytes.request("POST", path),
                Http2Bytes.literal("content-type", MULTIPART)),
            Http2Bytes.frame(
                Http2Bytes.DATA, 0, id, (PART + "x".repeat(1_000)).getBytes(ISO_8859_1)));
      default ->
        Http2Bytes.headers(
            id,
            true,
            Http2Bytes.request("GET", path),
            Http2Bytes.literal("accept-encoding", "gzip"),
            Http2Bytes.literal("te", "trailers"));
    };
  }

  private static byte[] streams(int count) {
    byte[][] streams = new byte[count][];
    for (int n = 0; n < count; n++) {
      streams[n] = stream(n);
    }
    return Http2Bytes.join(streams);
  }

  /** Another request, and the end of one that has been there for a while. */
  private static byte[] vanishing(int number) {
    int old = number - 4 * AT_ONCE;
    return old < 0
        ? stream(number)
        : Http2Bytes.join(stream(number), Http2Bytes.reset(2 * old + 1));
  }

  /** The connection's window does not hold responses back. */
  private static RawPeer wideOpen(Assault a) throws IOException, InterruptedException {
    RawPeer peer = a.http2();
    a.send(peer, Http2Bytes.windowUpdate(0, 1 << 30));
    return peer;
  }

  // ---- attacks

  /** Each connection is reset a moment after its request, of which all or a part was sent. */
  private static void vanish(Assault a) throws Exception {
    Random random = new Random(7);
    ArrayDeque<RawPeer> open = new ArrayDeque<>();
    for (int i = 0; a.goesOn(); i++) {
      String request = REQUESTS.get(i % REQUESTS.size());
      int length = i % 3 == 0 ? 1 + random.nextInt(request.length()) : request.length();
      open.add(open(a, request.substring(0, length)));
      if (open.size() > 4 * AT_ONCE) {
        RawPeer oldest = open.remove();
        oldest.take(random.nextInt(8_192));
        oldest.close();
      }
      if (i % AT_ONCE == 0) {
        a.pause(PAUSE);
      }
    }
  }

  private static void unread(Assault a) throws Exception {
    for (int i = 0; i < 300 && a.goesOn(); i++) {
      String request = REQUESTS.get(i % REQUESTS.size());
      RawPeer peer = open(a, request);
      if (request.contains("/echo-socket")) {
        // The rest of the message that has begun, and many whose echo is not read either.
        byte[] message = Http2Bytes.join(
            "\u0082\u00fe\u0003\u00e8\0\0\0\0".getBytes(ISO_8859_1), new byte[1_000]);
        a.send(peer, new byte[996]);
        for (int n = 0; n < 200; n++) {
          peer.offer(ByteBuffer.wrap(message));
        }
      }
    }
    a.holdUnread();
  }

  private static void slow(Assault a) throws Exception {
    List<RawPeer> mustEnd = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      RawPeer proxy = a.connectFrom(TortureSite.PROXY);
      a.send(proxy, "PROXY TCP4 ".getBytes(ISO_8859_1));
      mustEnd.add(proxy);
      mustEnd.add(open(a, post("/uploads", MULTIPART, 200_000) + PART));
      mustEnd.add(open(a, post("/form", FORM_TYPE, 200)));
      open(a, get("/echo-socket", UPGRADE) + FRAMES);
    }
    long end = System.nanoTime() + SLOW.toNanos();
    while (System.nanoTime() < end && mustEnd.stream().anyMatch(RawPeer::isOpen)) {
      for (RawPeer peer : a.peers()) {
        a.send(peer, new byte[] {'1'});
        peer.drop();
      }
      a.pause(Duration.ofSeconds(1));
    }
    long open = mustEnd.stream().filter(RawPeer::isOpen).count();
    if (open > 0) {
      a.fail(open + " of 300 slow peers are still open after " + SLOW.toSeconds() + " s");
    }
  }

  /** Content of 250 KiB, of which the last byte is missing. */
  private static void greedy(Assault a, String... beginnings) throws Exception {
    int pieces = 25;
    byte[] piece = "x".repeat(10 << 10).getBytes(ISO_8859_1);
    for (int i = 0; i < 300 && a.goesOn(); i++) {
      String beginning = beginnings[i % beginnings.length];
      int head = beginning.indexOf("\r\n\r\n") + 4;
      int length = beginning.length() - head + pieces * piece.length + 1;
      open(a, beginning.replace("Content-Length: 0", "Content-Length: " + length));
    }
    for (int i = 0; i < pieces && a.goesOn(); i++) {
      for (RawPeer peer : a.peers()) {
        peer.offer(ByteBuffer.wrap(piece));
        peer.drop();
      }
      a.pause(Duration.ofMillis(80));
    }
    a.hold();
  }
}
