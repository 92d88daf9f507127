package heddle.server.accept;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Headers;
import heddle.server.proxy.ForwardedClient;
import heddle.server.proxy.ForwardedFields;
import heddle.server.proxy.TrustedProxies;
import heddle.testwatch.FuzzTarget;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** What proxies say of the clients behind them. */
enum ProxyTarget implements FuzzTarget {
  /** A header of the PROXY protocol is the same however it is cut. */
  PROXY_HEADER {
    @Override
    public void run(byte[] input) {
      assertEquals(outcome(input, input.length), outcome(input, 1));
      assertEquals(outcome(input, input.length), outcome(input, 7));
    }

    @Override
    public List<byte[]> seeds() {
      return List.of(
          "PROXY TCP4 192.0.2.1 198.51.100.2 56324 443\r\nGET".getBytes(ISO_8859_1),
          "PROXY TCP6 2001:db8::1 ::1 1 2\r\n".getBytes(ISO_8859_1),
          "PROXY UNKNOWN x\r\n".getBytes(ISO_8859_1),
          ProxyHeaderParserTest.bytes(ProxyHeaderParserTest.SIGNATURE
              + "21 11 0010 C0000201 C6336402 DC04 01BB 04 0001 00 41"),
          ProxyHeaderParserTest.bytes(ProxyHeaderParserTest.SIGNATURE + "20 00 0000 41"));
    }
  },

  /** What a client sends cannot change what is read of the element that the proxy appends. */
  FORWARDED {
    @Override
    public void run(byte[] input) {
      check(ForwardedFields.FORWARDED, "Forwarded", input, "for=\"203.0.113.7:9\";proto=https");
    }

    @Override
    public List<byte[]> seeds() {
      return texts(
          "for=192.0.2.1;proto=http;host=a.test;by=_hidden, For=\"[2001:db8::1]:80\"",
          "for=unknown, for=_x;host=\"a.test:8080\"",
          "for=\"10.0.0.2\";proto=https , for=10.0.0.3",
          "for=\"10.0.0.2, for=10.0.0.3\\\"");
    }
  },

  X_FORWARDED {
    @Override
    public void run(byte[] input) {
      check(ForwardedFields.X_FORWARDED, "X-Forwarded-For", input, "203.0.113.7:9");
    }

    @Override
    public List<byte[]> seeds() {
      return texts("192.0.2.1, 2001:db8::1, [::1]:80, 10.0.0.3:4", "unknown, 10.0.0.2", "\"a,");
    }
  };

  private static final TrustedProxies TRUSTED = TrustedProxies.of("10.0.0.0/8");
  private static final InetSocketAddress PEER = new InetSocketAddress("10.0.0.1", 5000);

  private record Outcome(ProxyHeader header, int behind, boolean refused) {}

  private static Outcome outcome(byte[] input, int step) {
    ProxyHeaderParser parser = new ProxyHeaderParser();
    for (int at = 0; at < input.length; at += step) {
      ByteBuffer piece = ByteBuffer.wrap(input, at, Math.min(step, input.length - at));
      try {
        ProxyHeader header = parser.read(piece);
        if (header != null) {
          assertEquals(header.source() == null, header.destination() == null);
          return new Outcome(header, input.length - piece.position(), false);
        }
        assertEquals(0, piece.remaining());
      } catch (ProtocolException e) {
        return new Outcome(null, 0, true);
      }
    }
    return new Outcome(null, 0, false);
  }

  private static void check(ForwardedFields fields, String name, byte[] input, String appended) {
    String sent = new String(input, ISO_8859_1);
    Headers alone;
    Headers joined;
    try {
      alone = Headers.of(name, sent);
      joined = Headers.of(name, sent + ", " + appended);
    } catch (IllegalArgumentException e) {
      return; // No request can have such a field.
    }
    ForwardedClient client = fields.client(joined, PEER, TRUSTED);
    assertEquals("/203.0.113.7:9", client.address().toString());
    assertEquals(
        client, fields.client(alone.toBuilder().add(name, appended).build(), PEER, TRUSTED));
    ForwardedClient claimed = fields.client(alone, PEER, TRUSTED);
    assertTrue(Objects.requireNonNull(claimed.address()) instanceof InetSocketAddress);
    InetSocketAddress stranger = new InetSocketAddress("192.0.2.1", 1);
    assertEquals(
        new ForwardedClient(stranger, null, null), fields.client(alone, stranger, TRUSTED));
  }

  private static List<byte[]> texts(String... texts) {
    return Arrays.stream(texts).map(each -> each.getBytes(ISO_8859_1)).toList();
  }
}
