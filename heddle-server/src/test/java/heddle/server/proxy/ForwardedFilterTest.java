package heddle.server.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.http.Response;
import heddle.server.HttpServer;
import heddle.server.spi.ExchangeHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What handlers see behind proxies. */
@Timeout(60)
class ForwardedFilterTest {
  private static final ExchangeHandler WHO = exchange -> {
    InetSocketAddress client = (InetSocketAddress) exchange.remoteAddress();
    return Response.ok(
        client.getAddress().getHostAddress() + " " + exchange.request().origin());
  };

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "127.0.0.0/8 | Forwarded: for=192.0.2.7;proto=https;host=shop.example | "
            + "192.0.2.7 https://shop.example:443",
        "127.0.0.0/8 | Forwarded: for=192.0.2.7;proto=https | 192.0.2.7 https://own.example:443",
        "127.0.0.0/8 | Forwarded: for=192.0.2.7;host=\"shop.example:81\" | "
            + "192.0.2.7 http://shop.example:81",
        "127.0.0.0/8 | Forwarded: for=192.0.2.7;proto=gopher | 192.0.2.7 http://own.example:80",
        "127.0.0.0/8 | X: y | 127.0.0.1 http://own.example:80",
        "10.0.0.0/8 | Forwarded: for=192.0.2.7;proto=https | 127.0.0.1 http://own.example:80",
      })
  void onlyTrustedProxiesAreBelieved(String trusted, String field, String seen) throws Exception {
    ExchangeHandler handler =
        new ForwardedFilter(ForwardedFields.FORWARDED, TrustedProxies.of(trusted)).before(WHO);
    try (HttpServer server = HttpServer.builder().exchangeHandler(handler).start()) {
      assertEquals(seen, answer(server, field));
    }
  }

  private static String answer(HttpServer server, String field) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", server.port())) {
      socket.setSoTimeout(20_000);
      String request =
          "GET / HTTP/1.1\r\nHost: own.example\r\nConnection: close\r\n" + field + "\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      String response =
          new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      return response.substring(response.indexOf("\r\n\r\n") + 4);
    }
  }
}
