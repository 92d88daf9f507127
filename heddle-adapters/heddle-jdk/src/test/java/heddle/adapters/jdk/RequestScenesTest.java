package heddle.adapters.jdk;

import static heddle.adapters.jdk.Scene.isTheSameOverBoth;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import heddle.testkit.ScriptedPeer;
import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.CookieManager;
import java.net.InetSocketAddress;
import java.net.PasswordAuthentication;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Flow;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers receive the same requests over Heddle as over the JDK's own client. */
@Timeout(60)
class RequestScenesTest {
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";
  private static final String EMPTY = "Content-Length: 0\r\n\r\n";

  private static String text(HttpResponse<?> response) {
    StringBuilder text = new StringBuilder();
    HttpResponse<?> each = response;
    while (each != null) {
      text.append(each.statusCode())
          .append(' ')
          .append(each.request().method())
          .append(' ')
          .append(each.uri().getRawPath())
          .append(' ')
          .append(each.body())
          .append(' ')
          .append(each.sslSession())
          .append("; ");
      each = each.previousResponse().orElse(null);
    }
    return text.toString();
  }

  private static void sends(UnaryOperator<HttpRequest.Builder> request) throws Exception {
    sends("/a?b=c", request);
  }

  private static void sends(String path, UnaryOperator<HttpRequest.Builder> request)
      throws Exception {
    isTheSameOverBoth(scene -> scene.with(
        scene.answering(OK),
        (client, peer) -> scene.noteOutcome(() -> text(
            client.send(request.apply(Scene.to(peer, path)).build(), BodyHandlers.ofString())))));
  }

  /** With other methods the JDK's client sends a Content-Length of 0 that means nothing. */
  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "PATCH"})
  void methodsForContentAreSentAlikeWithout(String method) throws Exception {
    sends(request -> request.method(method, BodyPublishers.noBody()));
  }

  @Test
  void methodsWithoutContentAreSentAlike() throws Exception {
    sends(HttpRequest.Builder::GET);
    sends(HttpRequest.Builder::HEAD);
    sends(HttpRequest.Builder::DELETE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"})
  void methodsWithContentAreSentAlike(String method) throws Exception {
    sends(request -> request.method(method, BodyPublishers.ofString("hello")));
  }

  @Test
  void contentOfUnknownLengthIsSentAlike() throws Exception {
    sends(request -> request.POST(BodyPublishers.fromPublisher(BodyPublishers.ofString("hello"))));
  }

  @Test
  void concatenatedContentIsSentAlike() throws Exception {
    sends(request -> request.POST(BodyPublishers.concat(
        BodyPublishers.ofString("a"), BodyPublishers.noBody(), BodyPublishers.ofString("b"))));
  }

  @Test
  void emptyContentIsSentAlike() throws Exception {
    sends(request -> request.POST(BodyPublishers.ofString("")));
    sends(request -> request.PUT(BodyPublishers.ofByteArrays(List.of())));
  }

  @Test
  void fieldsAreSentAlike() throws Exception {
    sends(request -> request
        .header("X-Two", "1")
        .header("x-two", "2")
        .header("Accept", "text/plain")
        .header("user-agent", "mine")
        .header("X-Empty", "")
        .header("Cookie", "a=1")
        .header("Cookie", "b=2")
        .header("Authorization", "mine")
        .header("Proxy-Authorization", "mine")
        .header("TE", "trailers")
        .header("Keep-Alive", "10")
        .header("Accept-Encoding", "gzip")
        .header("HTTP2-Settings", "none"));
  }

  /** With the system property {@code jdk.httpclient.allowRestrictedHeaders}. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Host: other.test",
        "Connection: close",
        "Connection: X-Mine",
        "Expect: 100-continue",
        "Upgrade: other",
      })
  void restrictedFieldsAreSentAlike(String field) throws Exception {
    String[] parts = field.split(": ", 2);
    sends(request -> request.header(parts[0], parts[1]).POST(BodyPublishers.ofString("hello")));
    if (!parts[0].equals("Expect")) {
      sends(request -> request.header(parts[0], parts[1]));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "?",
        "/?",
        "/a?",
        "/a%20b",
        "/a//b/../c",
        "/a;b=c",
        "/?q=%C3%A9",
        "/a#fragment",
        "/\u00e9",
        "/a?x={y}"
      })
  void targetsAreSentAlike(String path) throws Exception {
    if (path.contains("{")) {
      sends("/a?x=%7By%7D", request -> request);
    } else {
      sends(path, request -> request);
    }
  }

  @Test
  void aUriWithUserInformationIsCalledAlike() throws Exception {
    isTheSameOverBoth(scene -> scene.with(scene.answering(OK), (client, peer) -> {
      URI uri = URI.create("http://user:secret@127.0.0.1:" + peer.port() + "/");
      HttpRequest request = Scene.to(peer, "/").uri(uri).build();
      scene.noteOutcome(() -> text(client.send(request, BodyHandlers.ofString())));
    }));
  }

  @Test
  void theOfferOfHttp2IsSentAlike() throws Exception {
    isTheSameOverBoth(scene -> scene.with(
        connection -> {
          while (connection.hasMore()) {
            scene.noteRequest(
                connection.expectHead().replaceAll("HTTP2-Settings: .*", "HTTP2-Settings: ?"));
            connection.send(OK);
          }
        },
        (client, peer) -> scene.noteOutcome(() -> text(client.send(
            Scene.to(peer, "/").version(Version.HTTP_2).build(), BodyHandlers.ofString())))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 100 Continue\r\n\r\n" + OK,
        "HTTP/1.1 417 No\r\n" + EMPTY,
        "HTTP/1.1 403 No\r\n" + EMPTY,
      })
  void anExpectationIsSentAlike(String response) throws Exception {
    isTheSameOverBoth(scene -> scene.with(
        connection -> {
          scene.noteRequest(connection.expectHead());
          connection.send(response.substring(0, response.indexOf("\r\n\r\n") + 4));
          if (response.contains(" 100 ")) {
            scene.note(
                new String(connection.expectBytes(5), java.nio.charset.StandardCharsets.UTF_8));
            connection.send(OK);
          }
          connection.drain();
        },
        (client, peer) -> scene.noteOutcome(() -> text(client.send(
            Scene.to(peer, "/")
                .expectContinue(true)
                .POST(BodyPublishers.ofString("hello"))
                .build(),
            BodyHandlers.ofString())))));
  }

  // ---- redirects

  private static ScriptedPeer.Script moving(Scene scene, int status, String location) {
    return connection -> {
      while (connection.hasMore()) {
        String message = connection.expectMessage();
        scene.noteRequest(message);
        boolean there = message.contains(" /there");
        connection.send(
            there
                ? message.startsWith("HEAD") ? "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n" : OK
                : "HTTP/1.1 " + status + " Moved\r\nLocation: " + location + "\r\n" + EMPTY);
      }
    };
  }

  @ParameterizedTest
  @EnumSource
  void redirectsAreFollowedAlike(Redirect policy) throws Exception {
    for (int status : new int[] {301, 302, 303, 307, 308}) {
      for (String method : List.of("GET", "HEAD", "POST", "PUT", "DELETE")) {
        isTheSameOverBoth(scene -> scene.with(
            moving(scene, status, "../there?x"),
            builder -> builder.followRedirects(policy),
            (client, peer) -> {
              HttpRequest.Builder builder = Scene.to(peer, "/a/b");
              switch (method) {
                case "GET" -> builder.GET();
                case "HEAD" -> builder.HEAD();
                case "DELETE" -> builder.DELETE();
                default -> builder.method(method, BodyPublishers.ofString("hello"));
              }
              HttpRequest request = builder
                  .header("Authorization", "mine")
                  .header("Content-Type", "text/plain")
                  .header("X-Mine", "1")
                  .build();
              scene.noteOutcome(() -> text(client.send(request, BodyHandlers.ofString())));
              scene.noteOutcome(
                  () -> text(client.sendAsync(request, BodyHandlers.ofString()).get()));
            }));
      }
    }
  }

  @Test
  void anEndlessRedirectEndsAlike() throws Exception {
    for (Redirect policy : Redirect.values()) {
      isTheSameOverBoth(scene -> scene.with(
          moving(scene, 302, "/a"), builder -> builder.followRedirects(policy), (client, peer) -> {
            HttpRequest request = Scene.to(peer, "/a").build();
            scene.noteOutcome(() -> text(client.send(request, BodyHandlers.ofString())));
          }));
    }
  }

  @Test
  void aRedirectToAnotherOriginCarriesTheSameFields() throws Exception {
    isTheSameOverBoth(scene -> {
      try (ScriptedPeer other = ScriptedPeer.each(
          heddle.transport.tcp.TcpNetwork.shared(), moving(scene, 302, "/unused"))) {
        scene.with(
            moving(scene, 307, other.url("/there")),
            builder -> builder.followRedirects(Redirect.NORMAL).cookieHandler(new CookieManager()),
            (client, peer) -> {
              HttpRequest request = Scene.to(peer, "/a")
                  .POST(BodyPublishers.ofString("hello"))
                  .header("Authorization", "mine")
                  .header("Cookie", "a=1")
                  .header("X-Mine", "1")
                  .build();
              scene.noteOutcome(() -> text(client.send(request, BodyHandlers.ofString())));
            });
      }
    });
  }

  // ---- cookies

  private static CookieHandler cookies(
      Scene scene, @Nullable Map<String, List<String>> found, String failing) {
    return new CookieHandler() {
      @Override
      @SuppressWarnings("NullAway") // A handler that breaks its contract.
      public Map<String, List<String>> get(URI uri, Map<String, List<String>> fields)
          throws IOException {
        scene.note("get " + uri.getPath() + " " + new java.util.TreeMap<>(fields));
        if (failing.equals("get")) {
          throw new IOException("no cookies");
        }
        return found;
      }

      @Override
      public void put(URI uri, Map<String, List<String>> fields) throws IOException {
        scene.note("put " + uri.getPath() + " " + new java.util.TreeMap<>(fields));
        if (failing.equals("put")) {
          throw new IOException("no place");
        }
      }
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "get", "put", "null"})
  void aCookieHandlerIsUsedAlike(String failing) throws Exception {
    Map<String, List<String>> found =
        Map.of("Cookie", List.of("c=3", "d=4"), "Cookie2", List.of("e=5"), "X-Other", List.of("f"));
    isTheSameOverBoth(scene -> scene.with(
        moving(scene, 302, "/there"),
        builder -> builder
            .followRedirects(Redirect.NORMAL)
            .cookieHandler(cookies(scene, failing.equals("null") ? null : found, failing)),
        (client, peer) -> {
          HttpRequest request =
              Scene.to(peer, "/a").header("Cookie", "a=1").header("X-M", "1").build();
          scene.noteOutcome(() -> text(client.send(request, BodyHandlers.ofString())));
          scene.noteOutcome(
              () -> text(client.sendAsync(request, BodyHandlers.ofString()).get()));
        }));
  }

  @Test
  void aCookieManagerKeepsTheSameCookies() throws Exception {
    isTheSameOverBoth(scene -> scene.with(
        connection -> {
          while (connection.hasMore()) {
            scene.noteRequest(connection.expectMessage());
            connection.send("HTTP/1.1 302 Moved\r\nLocation: /b/c\r\nSet-Cookie: a=1; Path=/\r\n"
                + "set-cookie: b=2; Path=/b\r\nSet-Cookie: c=3; Max-Age=0\r\n" + EMPTY);
          }
        },
        builder -> builder.followRedirects(Redirect.NORMAL).cookieHandler(new CookieManager()),
        (client, peer) -> {
          HttpRequest request = Scene.to(peer, "/a").build();
          scene.noteOutcome(() -> text(client.send(request, BodyHandlers.ofString())));
        }));
  }

  // ---- authentication

  private static Authenticator authenticator(Scene scene, String kind) {
    return new Authenticator() {
      private int asked;

      @Override
      protected @Nullable PasswordAuthentication getPasswordAuthentication() {
        scene.note("asked " + getRequestingHost() + " " + getRequestingPrompt() + " "
            + getRequestingProtocol() + " " + getRequestingScheme() + " " + getRequestorType() + " "
            + (getRequestingURL() == null ? null : getRequestingURL().getPath()) + " "
            + getRequestingSite() + " " + (getRequestingPort() > 0));
        asked++;
        if (kind.equals("none") || (kind.equals("once") && asked > 1)) {
          return null;
        }
        if (kind.equals("throws")) {
          throw new IllegalStateException("no password");
        }
        return new PasswordAuthentication("user", ("secret" + asked).toCharArray());
      }
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"all", "none", "once", "throws"})
  void challengesOfAServerThatAcceptsNoPasswordEndAlike(String kind) throws Exception {
    assumeTrue(NewerApi.IS_THERE, "the JDK's client of 21 replaces credentials of the request");
    isTheSameOverBoth(scene -> scene.with(
        scene.answering("HTTP/1.1 401 Who\r\nWWW-Authenticate: Basic realm=\"r\"\r\n" + EMPTY),
        builder -> builder.authenticator(authenticator(scene, kind)),
        (client, peer) -> {
          HttpRequest request = Scene.to(peer, "/a").build();
          scene.noteOutcome(() -> text(client.send(request, BodyHandlers.ofString())));
          scene.noteOutcome(
              () -> text(client.sendAsync(request, BodyHandlers.ofString()).get()));
          scene.noteOutcome(() -> text(client.send(
              Scene.to(peer, "/a").header("Authorization", "mine").build(),
              BodyHandlers.ofString())));
        }));
  }

  @Test
  void aPasswordIsRememberedAlike() throws Exception {
    isTheSameOverBoth(scene -> scene.with(
        connection -> {
          while (connection.hasMore()) {
            String message = connection.expectMessage();
            scene.noteRequest(message);
            connection.send(
                message.contains("Authorization: Basic")
                    ? OK
                    : "HTTP/1.1 401 Who\r\nWWW-Authenticate: Basic realm=\"r\"\r\n" + EMPTY);
          }
        },
        builder -> builder.authenticator(authenticator(scene, "all")),
        (client, peer) -> {
          for (String path : List.of("/a/b", "/a/b", "/a/c", "/a/d/e", "/x", "/a/b")) {
            HttpRequest request =
                Scene.to(peer, path).POST(BodyPublishers.ofString("hello")).build();
            scene.noteOutcome(() -> text(client.send(request, BodyHandlers.ofString())));
          }
        }));
  }

  // ---- proxies

  private static ProxySelector selecting(Scene scene, @Nullable List<Proxy> proxies) {
    return new ProxySelector() {
      @Override
      @SuppressWarnings("NullAway") // A selector that breaks its contract.
      public List<Proxy> select(URI uri) {
        scene.note("select " + Scene.withoutPorts(uri.toString()));
        return proxies;
      }

      @Override
      public void connectFailed(URI uri, SocketAddress address, IOException failure) {
        scene.note("connectFailed " + uri);
      }
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "empty", "direct", "socks", "http", "second", "refused"})
  void proxiesAreUsedAlike(String kind) throws Exception {
    isTheSameOverBoth(scene -> scene.with(moving(scene, 302, "/there"), (unused, peer) -> {
      Proxy http =
          new Proxy(Proxy.Type.HTTP, InetSocketAddress.createUnresolved("127.0.0.1", peer.port()));
      Proxy refused =
          new Proxy(Proxy.Type.HTTP, InetSocketAddress.createUnresolved("127.0.0.1", 1));
      List<Proxy> proxies =
          switch (kind) {
            case "null" -> null;
            case "empty" -> List.of();
            case "direct" -> List.of(Proxy.NO_PROXY);
            case "socks" -> List.of(new Proxy(Proxy.Type.SOCKS, http.address()));
            case "http" -> List.of(http);
            case "second" -> List.of(Proxy.NO_PROXY, http);
            default -> List.of(refused, http);
          };
      try (HttpClient client = scene
          .stack()
          .builder()
          .followRedirects(Redirect.NORMAL)
          .proxy(selecting(scene, proxies))
          .build()) {
        HttpRequest request = Scene.to(peer, "/a?b").header("Proxy-X", "1").build();
        scene.noteOutcome(() -> text(client.send(request, BodyHandlers.ofString())));
      }
    }));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic realm=\"r\"\r\n",
        "HTTP/1.1 407 Who\r\nProxy-Authenticate: Other realm=\"r\"\r\n",
        "HTTP/1.1 407 Who\r\n",
        "HTTP/1.1 403 No\r\n",
        "HTTP/1.1 502 Bad\r\nX-Reason: dns\r\n",
      })
  void aTunnelThatIsRefusedEndsAlike(String head) throws Exception {
    for (boolean asks : new boolean[] {false, true}) {
      isTheSameOverBoth(scene -> scene.with(scene.answering(head + EMPTY), (unused, peer) -> {
        HttpClient.Builder builder = scene
            .stack()
            .builder()
            .proxy(ProxySelector.of(InetSocketAddress.createUnresolved("127.0.0.1", peer.port())));
        if (asks) {
          builder.authenticator(authenticator(scene, "all"));
        }
        try (HttpClient client = builder.build()) {
          HttpRequest request = HttpRequest.newBuilder(URI.create("https://host.invalid/x"))
              .header("X-Mine", "1")
              .build();
          scene.noteOutcome(() -> {
            HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
            return text(response) + new java.util.TreeMap<>(response.headers().map());
          });
        }
      }));
    }
  }

  @Test
  void aForwardingProxyThatAcceptsNoPasswordEndsAlike() throws Exception {
    isTheSameOverBoth(scene -> scene.with(
        scene.answering("HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic realm=\"r\"\r\n" + EMPTY),
        (unused, peer) -> {
          try (HttpClient client = scene
              .stack()
              .builder()
              .authenticator(authenticator(scene, "all"))
              .proxy(ProxySelector.of(InetSocketAddress.createUnresolved("127.0.0.1", peer.port())))
              .build()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://host.invalid/x"))
                .version(Version.HTTP_1_1)
                .build();
            scene.noteOutcome(() -> text(client.send(request, BodyHandlers.ofString())));
          }
        }));
  }

  // ---- publishers

  /** Notes what it is asked, and publishes texts. */
  private static BodyPublisher noting(Scene scene, long length, String... texts) {
    return new BodyPublisher() {
      @Override
      public long contentLength() {
        return length;
      }

      @Override
      public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
        scene.note("subscribed");
        List<ByteBuffer> buffers = new ArrayList<>();
        for (String text : texts) {
          buffers.add(ByteBuffer.wrap(text.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
        }
        subscriber.onSubscribe(new Flow.Subscription() {
          private int next;
          private boolean over;

          @Override
          public void request(long count) {
            for (long i = 0; i < count && !over; i++) {
              if (next == buffers.size()) {
                over = true;
                subscriber.onComplete();
              } else {
                subscriber.onNext(buffers.get(next++));
              }
            }
          }

          @Override
          public void cancel() {
            over = true;
          }
        });
      }
    };
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 0, 4, 5, 6})
  void publishersAreUsedAlike(long length) throws Exception {
    for (String[] texts : new String[][] {{"hello"}, {"he", "", "llo"}, {}}) {
      isTheSameOverBoth(scene -> scene.with(
          connection -> {
            while (connection.hasMore()) {
              connection.expectHead();
              if (texts.length > 0 && (length == 4 || length == 6)) {
                connection.drain();
              } else if (texts.length == 0 && length > 0) {
                connection.drain();
              } else {
                connection.send(OK.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"));
                connection.shutdownOutput();
                connection.drain();
              }
            }
          },
          (client, peer) -> {
            HttpRequest request =
                Scene.to(peer, "/a").POST(noting(scene, length, texts)).build();
            scene.noteOutcome(() -> text(client.send(request, BodyHandlers.ofString())));
          }));
    }
  }
}
