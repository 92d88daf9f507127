package heddle.httpserver;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import com.sun.net.httpserver.spi.HttpServerProvider;
import heddle.testkit.mock.TestIdentity;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTPS: what a configurator decides holds with the JDK's server and with ours. */
@Timeout(120)
class SecureTest {
  private static final SSLContext SERVER;
  private static final SSLContext CLIENT;
  private static final Map<String, BiConsumer<HttpsConfigurator, HttpsParameters>> RULES =
      new LinkedHashMap<>();

  static {
    try {
      TestIdentity identity = TestIdentity.forNames("localhost", "127.0.0.1");
      SERVER = identity.serving();
      CLIENT = identity.trusting();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    RULES.put("nothing", (configurator, asked) -> {});
    RULES.put("old setters: TLS 1.2", (configurator, asked) -> {
      asked.setProtocols(new String[] {"TLSv1.2"});
      asked.setCipherSuites(new String[] {
        "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"
      });
    });
    RULES.put("old setters: a certificate is needed", (configurator, asked) -> {
      asked.setNeedClientAuth(true);
      asked.setProtocols(new String[] {"TLSv1.2"});
    });
    RULES.put(
        "old setters: a certificate is wanted",
        (configurator, asked) -> asked.setWantClientAuth(true));
    RULES.put("parameters: TLS 1.2", (configurator, asked) -> {
      SSLParameters parameters = configurator.getSSLContext().getDefaultSSLParameters();
      parameters.setProtocols(new String[] {"TLSv1.2"});
      asked.setSSLParameters(parameters);
      asked.setNeedClientAuth(true); // does not count
    });
    RULES.put("parameters: a certificate is needed", (configurator, asked) -> {
      SSLParameters parameters = configurator.getSSLContext().getDefaultSSLParameters();
      parameters.setProtocols(new String[] {"TLSv1.2"});
      parameters.setNeedClientAuth(true);
      asked.setSSLParameters(parameters);
    });
    RULES.put("a failure", (configurator, asked) -> {
      throw new IllegalStateException("on purpose");
    });
  }

  static Set<String> rules() {
    return RULES.keySet();
  }

  private static HttpsServer serve(HttpServerProvider provider, HttpsConfigurator configurator)
      throws IOException {
    HttpsServer server =
        provider.createHttpsServer(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    if (configurator != null) {
      server.setHttpsConfigurator(configurator);
    }
    server.createContext("/", exchange -> {
      HttpsExchange secure = (HttpsExchange) exchange;
      Stage.reply(
          exchange,
          exchange.getProtocol() + " " + secure.getSSLSession().getProtocol() + " "
              + (secure.getSSLSession().getProtocol().equals("TLSv1.2")
                  ? secure.getSSLSession().getCipherSuite()
                  : ""));
    });
    server.start();
    return server;
  }

  private static String ask(HttpsServer server) throws IOException {
    InetSocketAddress address = server.getAddress();
    try (SSLSocket socket = (SSLSocket)
            CLIENT.getSocketFactory().createSocket(address.getAddress(), address.getPort());
        Peer peer = new Peer(socket)) {
      return peer.get("/").answer().body();
    } catch (IOException e) {
      return "no response";
    }
  }

  private static List<String> notes(
      HttpServerProvider provider, BiConsumer<HttpsConfigurator, HttpsParameters> rule)
      throws IOException {
    List<String> notes = new ArrayList<>();
    HttpsConfigurator configurator = new HttpsConfigurator(SERVER) {
      @Override
      public void configure(HttpsParameters asked) {
        notes.add(asked.getClientAddress().getAddress().getHostAddress() + " "
            + (asked.getHttpsConfigurator() == this));
        rule.accept(this, asked);
      }
    };
    HttpsServer server = serve(provider, configurator);
    try {
      notes.add(String.valueOf(server.getHttpsConfigurator() == configurator));
      String first = ask(server);
      String second = ask(server);
      notes.add(first);
      notes.add(second);
      return notes;
    } finally {
      server.stop(0);
    }
  }

  @ParameterizedTest
  @MethodSource("rules")
  void aConfiguratorDecidesForEachConnection(String name) throws Exception {
    assertEquals(notes(Providers.STOCK, RULES.get(name)), notes(Providers.OURS, RULES.get(name)));
  }

  @Test
  void withoutAConfiguratorNoConnectionIsServed() throws Exception {
    HttpsServer server = serve(Providers.OURS, null);
    try {
      assertEquals("no response", ask(server));
    } finally {
      server.stop(0);
    }
  }

  private static HttpsServer serveHttp2(boolean allowed) throws IOException {
    System.setProperty("heddle.httpserver.http2", "" + allowed);
    try {
      return serve(Providers.OURS, new HttpsConfigurator(SERVER));
    } finally {
      System.clearProperty("heddle.httpserver.http2");
    }
  }

  private static HttpResponse<String> get(HttpClient client, HttpsServer server, String path)
      throws Exception {
    URI uri = URI.create("https://localhost:" + server.getAddress().getPort() + path);
    return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
  }

  @ParameterizedTest
  @CsvSource({"/without, 500", "/closing, 200"})
  void fieldsOfConnectionsAreNotSentOverHttp2(String path, int status) throws Exception {
    HttpsServer server = serveHttp2(true);
    server.createContext("/without");
    server.createContext("/closing", exchange -> {
      exchange.getResponseHeaders().set("Connection", "close");
      exchange.getResponseHeaders().set("Keep-Alive", "timeout=1");
      Stage.reply(exchange, "closing");
    });
    try (HttpClient client = HttpClient.newBuilder().sslContext(CLIENT).build()) {
      HttpResponse<String> response = get(client, server, path);
      assertEquals(HttpClient.Version.HTTP_2, response.version());
      assertEquals(status, response.statusCode());
      assertEquals(List.of(), response.headers().allValues("connection"));
      assertEquals(List.of(), response.headers().allValues("keep-alive"));
    } finally {
      server.stop(0);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void http2IsSpokenOnlyIfThePropertyAllowsIt(boolean allowed) throws Exception {
    HttpsServer server = serveHttp2(allowed);
    try (HttpClient client = HttpClient.newBuilder().sslContext(CLIENT).build()) {
      HttpResponse<String> response = get(client, server, "/");
      assertEquals(
          allowed ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1, response.version());
      assertEquals(allowed ? "HTTP/2 TLSv1.3 " : "HTTP/1.1 TLSv1.3 ", response.body());
    } finally {
      server.stop(0);
    }
  }
}
