package heddle.verify.torture;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Attacks on a {@link TortureSite}, while {@link SiteVisitors} use all of it: by peers that
 * are slow, send nonsense, or want more than there is.
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

  private static final int SMALL_BUFFER = 4_096;

  /** The time for a head, and more than a handler's, and a second for timers. */
  private static final Duration SLOW = Duration.ofSeconds(12);

  /** What a connection costs in any case, and the message that it holds, in a buffer that grows. */
  private static final int MESSAGE = ServerSetup.HTTP1_CONNECTION + (128 << 10);

  private SiteAttacks() {}

  static List<Trial> all() {
    return Stream.of(visits(), slowPeers(), excess()).flatMap(List::stream).toList();
  }

  private static List<Trial> visits() {
    return List.of(
        site("site-visits", "well-behaved clients of each kind alone", Assault::hold),
        site("site-nonsense", "requests and frames that are wrong in many ways", a -> {
          SiteNonsense.sendAll(a);
        }));
  }

  /** Peers that send little. */
  private static List<Trial> slowPeers() {
    return List.of(refusing(
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
            }));
  }

  private static Trial site(String name, String what, ServerTrial.Attack attack) {
    return new ServerTrial(name, what, ServerSetup.http1().site().build(), attack);
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

  // ---- attacks

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
