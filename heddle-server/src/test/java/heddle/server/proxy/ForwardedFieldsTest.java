package heddle.server.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.http.Headers;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** From where a request came, by what its proxies say. */
class ForwardedFieldsTest {
  private static final TrustedProxies TRUSTED =
      TrustedProxies.of("10.0.0.0/8", "fd00::/8", TrustedProxies.UNIX);
  private static final SocketAddress PEER = new InetSocketAddress("10.0.0.1", 5000);

  private static String read(ForwardedFields fields, SocketAddress peer, String... headers) {
    ForwardedClient client = fields.client(Headers.of(headers), peer, TRUSTED);
    return client.address() + " " + client.scheme() + " " + client.host();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          for=192.0.2.1                                     | /192.0.2.1:0 null null
          for=192.0.2.1;proto=https;host=a.test             | /192.0.2.1:0 https a.test
          FOR=192.0.2.1;Proto=HTTPS;HOST="A.test:8443"      | /192.0.2.1:0 https A.test:8443
          for="192.0.2.1:4711";by="_x";ext="a,b;c"          | /192.0.2.1:4711 null null
          for="[2001:db8::1]"                               | /[2001:db8:0:0:0:0:0:1]:0 null null
          for="[2001:db8::1]:80"                            | /[2001:db8:0:0:0:0:0:1]:80 null null
          for="192.0.2.1:_port"                             | /192.0.2.1:0 null null
          for=192.0.2.1 ; proto=https ;                     | /192.0.2.1:0 https null
          , ,for=192.0.2.1 ,                                | /192.0.2.1:0 null null
          # trusted proxies are walked through, and no further
          for=192.0.2.1, for=10.0.0.2                       | /192.0.2.1:0 null null
          for=192.0.2.9;proto=x, for=192.0.2.1, for=10.0.0.2 | /192.0.2.1:0 null null
          for=192.0.2.1, for="[fd00::1]", for=10.0.0.2      | /192.0.2.1:0 null null
          for=10.0.0.3, for=10.0.0.2                        | /10.0.0.3:0 null null
          # of each value that of the farthest trusted proxy counts
          for=192.0.2.1;proto=https, for=10.0.0.2;proto=http;host=b | /192.0.2.1:0 https b
          # nodes without an address
          for=unknown;proto=https                           | /10.0.0.1:5000 https null
          for=192.0.2.1, for=_hidden, for=10.0.0.2          | /10.0.0.2:0 null null
          proto=https                                       | /10.0.0.1:5000 https null
          for=192.0.2.1, proto=https                        | /10.0.0.1:5000 https null
          # what is malformed, and all before it, is not read
          for=192.0.2                                       | /10.0.0.1:5000 null null
          for=a.test                                        | /10.0.0.1:5000 null null
          for=[2001:db8::1]                                 | /10.0.0.1:5000 null null
          for="2001:db8::1"                                 | /10.0.0.1:5000 null null
          for="[2001:db8::1"                                | /10.0.0.1:5000 null null
          for="[192.0.2.1]"                                 | /10.0.0.1:5000 null null
          for="[fe80::1%1]"                                 | /10.0.0.1:5000 null null
          for="192.0.2.1:65536"                             | /10.0.0.1:5000 null null
          for="192.0.2.1:"                                  | /10.0.0.1:5000 null null
          for="192.0.2.1x"                                  | /10.0.0.1:5000 null null
          for=192.0.2.1;for=192.0.2.2                       | /10.0.0.1:5000 null null
          for=192.0.2.1;proto="a b"                         | /10.0.0.1:5000 null null
          for=192.0.2.1;host="a/b"                          | /10.0.0.1:5000 null null
          for=192.0.2.1;host="u@a"                          | /10.0.0.1:5000 null null
          for=192.0.2.1;proto                               | /10.0.0.1:5000 null null
          for=192.0.2.1 proto=https                         | /10.0.0.1:5000 null null
          for=192.0.2.1, for=rubbish, for=10.0.0.2;proto=https | /10.0.0.2:0 https null
          for="192.0.2.1, for=10.0.0.2;proto=https          | /10.0.0.2:0 https null
          for="192.0.2.1\\", for="10.0.0.2"                 | /10.0.0.2:0 null null
          """)
  void forwardedIsReadFromItsEnd(String field, String expected) {
    assertEquals(expected, read(ForwardedFields.FORWARDED, PEER, "Forwarded", field));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          192.0.2.1                  | -           | -         | /192.0.2.1:0 null null
          192.0.2.1:4711             | HTTPS       | a.test:1  | /192.0.2.1:4711 https a.test:1
          2001:db8::1              | https       | -         | /[2001:db8:0:0:0:0:0:1]:0 https null
          [2001:db8::1]:7          | -           | -         | /[2001:db8:0:0:0:0:0:1]:7 null null
          192.0.2.9, 192.0.2.1, fd00::1 | x, https, http | c, b, a | /192.0.2.1:0 https b
          192.0.2.1, 10.0.0.2        | https       | a         | /192.0.2.1:0 https a
          unknown                    | https       | -         | /10.0.0.1:5000 https null
          192.0.2.1, rubbish, 10.0.0.2 | a, b, https | -       | /10.0.0.2:0 https null
          192.0.2.1, fe80::1%1       | -           | -         | /10.0.0.1:5000 null null
          192.0.2.1                  | a b         | u@a       | /192.0.2.1:0 null null
          -                          | https       | a         | /10.0.0.1:5000 https a
          -                          | http, https | b, a      | /10.0.0.1:5000 https a
          """)
  void separateFieldsAreReadFromTheirEnds(
      String addresses, String schemes, String hosts, String expected) {
    Headers.Builder headers = Headers.builder().add("Forwarded", "for=192.0.2.99");
    if (addresses != null) {
      headers.add("X-Forwarded-For", addresses);
    }
    if (schemes != null) {
      headers.add("X-Forwarded-Proto", schemes);
    }
    if (hosts != null) {
      headers.add("X-Forwarded-Host", hosts);
    }
    ForwardedClient client = ForwardedFields.X_FORWARDED.client(headers.build(), PEER, TRUSTED);
    assertEquals(expected, client.address() + " " + client.scheme() + " " + client.host());
  }

  @Test
  void linesOfAFieldAreOneList() {
    String[] lines = {"Forwarded", "for=192.0.2.1;proto=https", "Forwarded", "for=10.0.0.2"};
    assertEquals("/192.0.2.1:0 https null", read(ForwardedFields.FORWARDED, PEER, lines));
  }

  @Test
  void peerThatIsNotTrustedIsTheClient() {
    SocketAddress stranger = new InetSocketAddress("192.0.2.50", 1);
    String expected = "/192.0.2.50:1 null null";
    String[] headers = {
      "Forwarded", "for=192.0.2.1;proto=https",
      "X-Forwarded-For", "192.0.2.1",
      "X-Forwarded-Proto", "https"
    };
    for (ForwardedFields each : ForwardedFields.values()) {
      assertEquals(expected, read(each, stranger, headers));
    }
  }

  @Test
  void proxyMayConnectToAUnixSocket() {
    SocketAddress peer = UnixDomainSocketAddress.of("");
    String expected = "/192.0.2.1:0 null null";
    assertEquals(expected, read(ForwardedFields.FORWARDED, peer, "Forwarded", "for=192.0.2.1"));
  }
}
