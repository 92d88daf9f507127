package heddle.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Body;
import heddle.http.BodyCodec;
import heddle.http.BodyCodecException;
import heddle.http.MalformedUrlException;
import heddle.http.MediaType;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.StatusException;
import heddle.testkit.RawConnection;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What most programs do: a base URL, a call of one line, values as content. */
@Timeout(60)
class EverydayTest {
  @AutoClose
  private final ClientWorld world = new ClientWorld(client -> client);

  /** Integers in hexadecimal. */
  private static final class Hexadecimal implements BodyCodec {
    private static final MediaType TYPE = MediaType.of("text", "x-hex");

    @Override
    public Body encode(Object value) throws IOException {
      if (value instanceof Integer number) {
        return Body.of(Integer.toHexString(number), TYPE);
      }
      throw new BodyCodecException("a " + value.getClass().getName() + " is no number", null);
    }

    @Override
    public Object decode(InputStream content, Type type) throws IOException {
      String text = new String(content.readAllBytes(), StandardCharsets.US_ASCII);
      try {
        return Integer.parseInt(text, 16);
      } catch (NumberFormatException e) {
        throw new BodyCodecException(text + " is no number", e);
      }
    }
  }

  private HttpClient client(String base) {
    return HttpClient.builder()
        .network(world.network.lasting())
        .resolver(ClientWorld.LOCAL)
        .baseUrl(base)
        .codec(new Hexadecimal())
        .label("numbers")
        .build();
  }

  /** Answers each request with its method, its target and its content. */
  private static void echo(RawConnection c) throws IOException {
    while (c.hasMore()) {
      String message = c.expectMessage();
      int content = message.indexOf("\r\n\r\n") + 4;
      String answer = (message.substring(0, message.indexOf(" HTTP/"))
              + " "
              + message.substring(content))
          .strip();
      c.send("HTTP/1.1 200 OK\r\nContent-Length: " + answer.length() + "\r\n\r\n" + answer);
    }
  }

  private static String answer(Response response) throws IOException {
    return response.requireSuccess().string();
  }

  @Test
  void callsOfOneLineGoToTheBaseUrl() throws Exception {
    world.serve(EverydayTest::echo);
    world.visit(peer -> {
      try (HttpClient client = client(peer.url("/v1/"))) {
        assertEquals("GET /v1/users/a%2Fb?q=1", answer(client.get("/users/{id}?q={q}", "a/b", 1)));
        assertEquals("GET /v1/users", answer(client.get("users")));
        assertEquals("GET /v1", answer(client.get("")));
        assertEquals("GET /other", answer(client.get(peer.url("/other"))));
        assertEquals("DELETE /v1/users/7", answer(client.delete("/users/{id}", 7)));
        assertEquals("POST /v1/a x", answer(client.post("/a", Body.of("x"))));
        assertEquals("PUT /v1/a/1 x", answer(client.put("/a/{n}", Body.of("x"), 1)));
        assertEquals("PATCH /v1/a x", answer(client.patch("/a", Body.of("x"))));
      }
    });
  }

  @Test
  void valuesAreConvertedBothWays() throws Exception {
    world.serve(c -> {
      String head = c.expectHead();
      assertTrue(head.contains("\r\nContent-Type: text/x-hex\r\n"), head);
      assertEquals("ff", new String(c.expectBytes(2), StandardCharsets.US_ASCII));
      c.send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n100");
      c.expectHead();
      c.send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n101");
      c.expectHead();
      c.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx");
      c.expectHead();
      c.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 2\r\n\r\nno");
    });
    world.visit(peer -> {
      try (HttpClient client = client(peer.url("/"))) {
        assertEquals(256, client.post("/next", 255).as(Integer.class));
        assertEquals(257, client.send(Request.get(peer.url("/"))).as(Integer.class));
        String malformed = assertThrows(
                BodyCodecException.class, () -> client.get("/bad").as(Integer.class))
            .getMessage();
        assertEquals(
            "the untyped content of 200 OK for GET " + peer.url("/bad")
                + " cannot be read as java.lang.Integer: x is no number",
            malformed);
        StatusException refused =
            assertThrows(StatusException.class, () -> client.get("/refused").as(Integer.class));
        assertEquals("no", refused.excerpt());
        String unreadable = assertThrows(BodyCodecException.class, () -> refused.as(Integer.class))
            .getMessage();
        assertEquals(
            "the untyped content of 400 Bad Request for GET " + peer.url("/refused")
                + " cannot be read as java.lang.Integer: no is no number",
            unreadable);
        assertThrows(BodyCodecException.class, () -> client.post("/", 'c'));
        assertThrows(IllegalArgumentException.class, () -> client.post("/", (Object) "text"));
      }
    });
  }

  @Test
  void listenersGetTheLabelAndTheTemplate() throws Exception {
    AtomicReference<String> told = new AtomicReference<>();
    world.serve(EverydayTest::echo);
    world.visit(peer -> {
      try (HttpClient client = client(peer.url("/v1"))) {
        assertEquals("numbers", client.label());
        Request request = client.request("/users/{id}?x={x}", 7, 8).build();
        assertEquals("/v1/users/{id}", request.template());
        assertNull(client.request("/users/7").build().template());
        client
            .send(request, new heddle.client.spi.ExchangeListener() {
              @Override
              public void callStarted(heddle.client.spi.CallInfo call) {
                told.set(call.client());
              }
            })
            .close();
        assertEquals("numbers", told.get());
      }
    });
  }

  @Test
  void defaultFieldsGoWithEachRequestThatLacksThem() throws Exception {
    world.serve(EverydayTest::fields);
    world.serve(EverydayTest::fields);
    world.visit(peer -> {
      try (HttpClient client = HttpClient.builder()
          .network(world.network.lasting())
          .resolver(ClientWorld.LOCAL)
          .baseUrl("http://elsewhere.test/")
          .header("X-A", "1")
          .header("X-A", "2")
          .header("Authorization", "Bearer token")
          .userAgent("test/1")
          .build()) {
        Request own = client.request(peer.url("/")).header("X-A", "3").build();
        assertEquals("X-A: 3; User-Agent: test/1", client.send(own).string());
      }
      try (HttpClient client = HttpClient.builder()
          .network(world.network.lasting())
          .resolver(ClientWorld.LOCAL)
          .header("X-A", "1")
          .header("X-A", "2")
          .header("Authorization", "Bearer token")
          .build()) {
        String sent = client.get(peer.url("/")).string();
        assertTrue(
            sent.matches(
                "User-Agent: heddle/\\S+ \\(Java\\); X-A: 1; X-A: 2; Authorization: Bearer token"),
            sent);
      }
    });
    assertThrows(IllegalArgumentException.class, () -> HttpClient.builder().header("Host", "a"));
  }

  @Test
  void credentialsOfTheBaseUrlStayThereWhicheverOriginIsCalledBefore() throws Exception {
    for (int i = 0; i < 4; i++) {
      world.serve(EverydayTest::fields);
    }
    world.visit(peer -> {
      String other = peer.url("/");
      String home = "http://home.test" + other.substring(other.lastIndexOf(':'));
      try (HttpClient client = HttpClient.builder()
          .network(world.network.lasting())
          .resolver(ClientWorld.LOCAL)
          .baseUrl(home)
          .header("Authorization", "Bearer token")
          .userAgent("test/1")
          .build()) {
        for (int i = 0; i < 2; i++) {
          String sent = client.get("/").string();
          assertEquals("Authorization: Bearer token; User-Agent: test/1", sent);
          assertEquals("User-Agent: test/1", client.get(other).string());
        }
      }
    });
  }

  @Test
  void codingsAreAcceptedOfEachRequestWhoseMethodAllowsIt() throws Exception {
    List<String> seen = new ArrayList<>();
    world.serve(c -> {
      for (int i = 0; i < 4; i++) {
        String head = c.expectHead();
        seen.add(head.substring(0, head.indexOf(' ')) + head.contains("Accept-Encoding: "));
        c.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
      }
    });
    world.visit(peer -> {
      try (HttpClient client = HttpClient.builder()
          .network(world.network.lasting())
          .resolver(ClientWorld.LOCAL)
          .build()) {
        for (int i = 0; i < 2; i++) {
          client.send(Request.get(peer.url("/"))).close();
          client.send(Request.head(peer.url("/"))).close();
        }
      }
    });
    assertEquals(List.of("GETtrue", "HEADfalse", "GETtrue", "HEADfalse"), seen);
  }

  /** Answers with the fields that clients add, in their order. */
  private static void fields(RawConnection c) throws IOException {
    String all = c.expectHead()
        .lines()
        .filter(line -> line.matches("(X-A|Authorization|User-Agent): .*"))
        .collect(Collectors.joining("; "));
    c.send("HTTP/1.1 200 OK\r\nContent-Length: " + all.length() + "\r\n\r\n" + all);
    c.hasMore();
  }

  @Test
  void urlsWithoutABaseAreRefused() {
    try (HttpClient client = HttpClient.create()) {
      String message =
          assertThrows(MalformedUrlException.class, () -> client.get("/users")).getMessage();
      assertTrue(message.contains("baseUrl"), message);
      assertThrows(
          MalformedUrlException.class, () -> client.request("ftp://h/").method(Method.GET));
    }
    HttpClient.Builder builder = HttpClient.builder();
    assertThrows(IllegalArgumentException.class, () -> builder.baseUrl("/v1"));
    assertThrows(IllegalArgumentException.class, () -> builder.baseUrl("http://h/?a=b"));
    assertThrows(IllegalArgumentException.class, () -> builder.baseUrl("http://h/#f"));
  }
}
