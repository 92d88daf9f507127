package heddle.adapters.jdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import heddle.testkit.ScriptedPeer;
import heddle.transport.tcp.TcpNetwork;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.InetSocketAddress;
import java.net.PasswordAuthentication;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Redirects and challenges lead to the same over Heddle as over the JDK's client. */
@Timeout(60)
class StepsComparisonTest {
  private static final String OK = "HTTP/1.1 200 OK\r\n";

  /** Answers every request with a redirect to its own path and one letter more, up to a length. */
  private static ScriptedPeer.Script leading(String head) {
    return connection -> {
      while (connection.hasMore()) {
        String target = connection.expectHead().split(" ", -1)[1];
        connection.send(
            target.length() < 3
                ? head.replace("NEXT", target + "x") + "Content-Length: 0\r\n\r\n"
                : OK + "Content-Length: " + target.length() + "\r\n\r\n" + target);
      }
    };
  }

  static List<String> redirects() {
    List<String> heads = new ArrayList<>();
    for (int status : new int[] {300, 301, 302, 303, 304, 305, 306, 307, 308}) {
      heads.add("HTTP/1.1 " + status + " There\r\nLocation: NEXT\r\n");
    }
    for (String location : List.of("", "//", "?q", "ftp://host/x", "mailto:a@b", "%zz", "http:")) {
      heads.add("HTTP/1.1 302 There\r\nLocation: " + location + "\r\n");
    }
    heads.add("HTTP/1.1 302 There\r\n");
    return heads;
  }

  @ParameterizedTest
  @MethodSource("redirects")
  void redirectsLeadToTheSame(String head) throws Exception {
    boolean malformed =
        head.matches("(?s).*Location: (//|%zz|http:)\r\n") || !head.contains("Location");
    assumeTrue(
        NewerApi.IS_THERE || !malformed,
        "the JDK's client of 21 does not make an IOException of each malformed Location");
    List<List<String>> seen = new ArrayList<>();
    for (Stack stack : Stack.values()) {
      try (ScriptedPeer peer = ScriptedPeer.each(TcpNetwork.shared(), leading(head));
          HttpClient client = stack
              .builder()
              .proxy(HttpClient.Builder.NO_PROXY)
              .followRedirects(Redirect.NORMAL)
              .build()) {
        seen.add(
            Outcomes.of(client, Outcomes.to(peer).build(), BodyHandlers.ofString(), body -> body));
      }
    }
    assertEquals(seen.getFirst(), seen.getLast());
  }

  /**
   * It is not a proxy, and gets no credentials; an authenticator that the JDK's client asks in vain
   * is not asked.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Proxy-Authenticate:\r\n",
        "Proxy-Authenticate: Basic realm=\"a\"\r\n",
        "Proxy-Authenticate: Other a=b\r\n",
        "Proxy-Authenticate: Other a=b\r\nProxy-Authenticate: basic realm=a\r\n",
        "WWW-Authenticate: Basic realm=\"a\"\r\n",
      })
  void aServerThatSends407HasTheSameResult(String fields) throws Exception {
    assumeTrue(NewerApi.IS_THERE, "the JDK's client of 21 takes a server for a proxy");
    List<List<String>> seen = new ArrayList<>();
    for (Stack stack : Stack.values()) {
      List<String> wrong = new CopyOnWriteArrayList<>();
      ScriptedPeer.Script script = connection -> {
        while (connection.hasMore()) {
          String asked = connection.expectHead();
          if (asked.contains("Authorization: Basic")) {
            wrong.add(asked);
          }
          connection.send("HTTP/1.1 407 Who\r\n" + fields + "Content-Length: 2\r\n\r\nhi");
        }
      };
      try (ScriptedPeer peer = ScriptedPeer.each(TcpNetwork.shared(), script);
          HttpClient client = stack
              .builder()
              .proxy(HttpClient.Builder.NO_PROXY)
              .authenticator(knowing(stack == Stack.STOCK ? new ArrayList<>() : wrong))
              .build()) {
        List<String> outcomes = new ArrayList<>();
        outcomes.addAll(
            Outcomes.of(client, Outcomes.to(peer).build(), BodyHandlers.ofString(), body -> body));
        outcomes.addAll(Outcomes.of(
            client,
            Outcomes.to(peer).header("Proxy-Authorization", "Other a").build(),
            BodyHandlers.ofString(),
            body -> body));
        outcomes.addAll(wrong);
        seen.add(outcomes);
      }
    }
    assertEquals(seen.getFirst(), seen.getLast());
  }

  private static Authenticator knowing(List<String> asked) {
    return new Authenticator() {
      @Override
      protected PasswordAuthentication getPasswordAuthentication() {
        asked.add("asked " + getRequestingScheme() + " " + getRequestingPrompt());
        return new PasswordAuthentication("user", "secret".toCharArray());
      }
    };
  }

  @ParameterizedTest
  @EnumSource
  void aCookieThatIsNotAValidFieldIsOmitted(Stack stack) throws Exception {
    CookieHandler cookies = new CookieHandler() {
      @Override
      public Map<String, List<String>> get(URI uri, Map<String, List<String>> fields) {
        return Map.of("Cookie", List.of("a=1", "b=\u0100", "\u0100=3", "c=a\nb", "d=\u00e9"));
      }

      @Override
      public void put(URI uri, Map<String, List<String>> fields) {}
    };
    List<String> sent = new CopyOnWriteArrayList<>();
    ScriptedPeer.Script script = connection -> {
      sent.add(connection.expectHead().replaceAll("(?s).*Cookie: ([^\r]*).*", "$1"));
      connection.send(OK + "Content-Length: 0\r\n\r\n");
    };
    try (ScriptedPeer peer = ScriptedPeer.each(TcpNetwork.shared(), script);
        HttpClient client = stack
            .builder()
            .proxy(HttpClient.Builder.NO_PROXY)
            .cookieHandler(cookies)
            .build()) {
      client.send(Outcomes.to(peer).build(), BodyHandlers.discarding());
    }
    assertEquals(1, sent.size());
    assertTrue(sent.getFirst().startsWith("a=1; d="), sent.getFirst());
  }

  /** A server that waits for the next request on the connection of its challenge gets it there. */
  @ParameterizedTest
  @EnumSource
  void aProxyThatForwardsIsShownAPasswordOnTheSameConnection(Stack stack) throws Exception {
    ScriptedPeer.Script script = connection -> {
      String shown = "";
      while (connection.hasMore()) {
        shown = connection.expectHead();
        connection.send(
            shown.contains("Proxy-Authorization: Basic dXNlcjpzZWNyZXQ=")
                ? OK + "Content-Length: 2\r\n\r\nhi"
                : "HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic realm=\"a\"\r\n"
                    + "Content-Length: 0\r\n\r\n");
      }
    };
    try (ScriptedPeer proxy = ScriptedPeer.each(TcpNetwork.shared(), script);
        HttpClient client = stack
            .builder()
            .proxy(ProxySelector.of(InetSocketAddress.createUnresolved("127.0.0.1", proxy.port())))
            .authenticator(knowing(new ArrayList<>()))
            .build()) {
      HttpRequest request = HttpRequest.newBuilder(URI.create("http://host.invalid/x"))
          .version(Version.HTTP_1_1)
          .build();
      for (int i = 0; i < 2; i++) {
        assertEquals("hi", client.send(request, BodyHandlers.ofString()).body());
      }
      assertEquals(1, proxy.connections());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 401 Who\r\n",
        "HTTP/1.1 401 Who\r\nWWW-Authenticate:\r\n",
        "HTTP/1.1 401 Who\r\nWWW-Authenticate: Basic\r\n",
        "HTTP/1.1 401 Who\r\nWWW-Authenticate: Basic realm=\"a\"\r\n",
        "HTTP/1.1 401 Who\r\nWWW-Authenticate: basic REALM=a, charset=\"utf-8\"\r\n",
        "HTTP/1.1 401 Who\r\nWWW-Authenticate: Digest realm=\"a\", nonce=\"b\"\r\n",
        "HTTP/1.1 401 Who\r\nWWW-Authenticate: Digest realm=\"a\", nonce=\"b\"\r\n"
            + "WWW-Authenticate: Basic realm=\"c\"\r\n",
        "HTTP/1.1 401 Who\r\nWWW-Authenticate: Other a=b\r\n",
      })
  void challengesAreAnsweredTheSame(String head) throws Exception {
    List<List<String>> seen = new ArrayList<>();
    for (Stack stack : Stack.values()) {
      List<String> shown = new CopyOnWriteArrayList<>();
      ScriptedPeer.Script script = connection -> {
        while (connection.hasMore()) {
          String asked = connection.expectHead();
          boolean knows = asked.contains("Authorization: ");
          shown.add(knows ? asked.replaceAll("(?s).*Authorization: ([^\r]*).*", "$1") : "nothing");
          connection.send((knows ? OK : head) + "Content-Length: 2\r\n\r\nhi");
        }
      };
      try (ScriptedPeer peer = ScriptedPeer.each(TcpNetwork.shared(), script);
          HttpClient client = stack
              .builder()
              .proxy(HttpClient.Builder.NO_PROXY)
              .authenticator(knowing(shown))
              .build()) {
        List<String> outcomes = new ArrayList<>(
            Outcomes.of(client, Outcomes.to(peer).build(), BodyHandlers.ofString(), body -> body));
        outcomes.addAll(shown);
        seen.add(outcomes);
      }
    }
    assertEquals(seen.getFirst(), seen.getLast());
  }
}
