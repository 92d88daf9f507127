package heddle.adapters.jersey;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.Entity;
import jakarta.ws.rs.client.Invocation;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedHashMap;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.InputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Future;
import org.glassfish.jersey.client.ClientProperties;
import org.glassfish.jersey.client.RequestEntityProcessing;
import org.glassfish.jersey.client.filter.EncodingFilter;
import org.glassfish.jersey.message.GZipEncoder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What Jersey's own connector and Heddle's have in common, over resources of Jersey's server. */
@Timeout(60)
final class ResourcesTest {
  @SuppressWarnings("NullAway.Init") // set before all tests
  @AutoClose
  private static LoomServer server;

  private final List<Client> clients = new ArrayList<>();

  @BeforeAll
  static void start() {
    server = new LoomServer();
  }

  @AfterEach
  void close() {
    clients.forEach(Client::close);
  }

  private Client client(Carrier carrier) {
    Client client = carrier.client();
    clients.add(client);
    return client;
  }

  private Invocation.Builder at(Carrier carrier, String path) {
    return client(carrier).target(server.url(path)).request();
  }

  private static byte[] random(int size) {
    byte[] content = new byte[size];
    new Random(size).nextBytes(content);
    return content;
  }

  private static Entity<byte[]> bytes(byte[] content) {
    return Entity.entity(content, MediaType.APPLICATION_OCTET_STREAM_TYPE);
  }

  @ParameterizedTest
  @EnumSource
  void textIsRead(Carrier carrier) {
    assertEquals("Hello!", at(carrier, "/hello").get(String.class));
  }

  @ParameterizedTest
  @EnumSource
  void statusOfAResponseIsReportedWithItsContent(Carrier carrier) {
    try (Response response = at(carrier, "/status/404").get()) {
      assertEquals(404, response.getStatus());
      assertEquals("Not Found", response.getStatusInfo().getReasonPhrase());
      assertEquals("status 404", response.readEntity(String.class));
    }
    assertThrows(NotFoundException.class, () -> at(carrier, "/status/404").get(String.class));
  }

  @ParameterizedTest
  @EnumSource
  void responsesWithoutContentHaveNoEntity(Carrier carrier) {
    for (String path : List.of("/status/204", "/nothing")) {
      try (Response response = at(carrier, path).get()) {
        assertFalse(response.hasEntity(), path);
        assertEquals("", response.readEntity(String.class), path);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void headHasFieldsAndNoEntity(Carrier carrier) {
    try (Response response = at(carrier, "/hello").head()) {
      assertEquals(200, response.getStatus());
      assertEquals(MediaType.TEXT_PLAIN_TYPE, response.getMediaType());
      assertFalse(response.hasEntity());
    }
  }

  @ParameterizedTest
  @EnumSource
  void methodsReachTheirResources(Carrier carrier) {
    assertEquals("x", at(carrier, "/echo").post(Entity.text("x"), String.class));
    assertEquals("y", at(carrier, "/echo").put(Entity.text("y"), String.class));
    assertEquals("deleted", at(carrier, "/echo").delete(String.class));
    try (Response response = at(carrier, "/echo").options()) {
      assertEquals("POST, PUT, DELETE", response.getHeaderString("allow"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void postWithoutEntityIsSent(Carrier carrier) {
    try (Response response = at(carrier, "/length").method("POST")) {
      assertEquals("0", response.readEntity(String.class));
    }
  }

  @ParameterizedTest
  @EnumSource
  void largeContentIsSentAndReceivedWhole(Carrier carrier) {
    byte[] content = random(3_000_001);
    assertArrayEquals(content, at(carrier, "/echo").post(bytes(content), byte[].class));
    byte[] many = at(carrier, "/many/5000000").get(byte[].class);
    assertEquals(5_000_000, many.length);
  }

  @ParameterizedTest
  @EnumSource
  void largeContentIsSentInChunksOrBuffered(Carrier carrier) {
    byte[] content = random(500_000);
    for (RequestEntityProcessing each : RequestEntityProcessing.values()) {
      assertArrayEquals(
          content,
          at(carrier, "/echo")
              .property(ClientProperties.REQUEST_ENTITY_PROCESSING, each)
              .post(bytes(content), byte[].class));
    }
  }

  @ParameterizedTest
  @EnumSource
  void contentThatWritesItselfIsSent(Carrier carrier) {
    StreamingOutput content = out -> {
      for (int i = 0; i < 1000; i++) {
        out.write(new byte[321]);
        out.flush();
      }
    };
    String length = at(carrier, "/length")
        .property(ClientProperties.REQUEST_ENTITY_PROCESSING, RequestEntityProcessing.CHUNKED)
        .post(Entity.entity(content, MediaType.APPLICATION_OCTET_STREAM_TYPE), String.class);
    assertEquals("321000", length);
  }

  @ParameterizedTest
  @EnumSource
  void streamIsReadPieceByPiece(Carrier carrier) throws Exception {
    try (Response response = at(carrier, "/many/100000").get();
        InputStream content = response.readEntity(InputStream.class)) {
      assertEquals(0, content.read());
      assertEquals(99_999, content.readAllBytes().length);
    }
  }

  @ParameterizedTest
  @EnumSource
  void redirectIsFollowedUnlessThePropertyIsFalse(Carrier carrier) {
    String path = "/to?status=302&path=hello";
    assertEquals("Hello!", at(carrier, path).get(String.class));
    try (Response response =
        at(carrier, path).property(ClientProperties.FOLLOW_REDIRECTS, false).get()) {
      assertEquals(302, response.getStatus());
      assertEquals(URI.create(server.url("/hello")), response.getLocation());
    }
    Client never = client(carrier).property(ClientProperties.FOLLOW_REDIRECTS, false);
    try (Response response = never.target(server.url(path)).request().get()) {
      assertEquals(302, response.getStatus());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 302, 303})
  void postBecomesGetAfterARedirect(int status) {
    for (Carrier carrier : Carrier.values()) {
      String path = "/to?status=" + status + "&path=hello";
      assertEquals("Hello!", at(carrier, path).post(Entity.text("x"), String.class));
    }
  }

  @ParameterizedTest
  @EnumSource
  void fieldsOfSeveralValuesAreJoined(Carrier carrier) {
    String headers = at(carrier, "/headers")
        .header("X-Weft", "red")
        .header("X-Weft", "blue")
        .header("X-Number", 7)
        .header("X-Gone", "soon")
        .header("X-Gone", null)
        .get(String.class);
    assertTrue(
        headers.contains("x-weft=red,blue\n") || headers.contains("X-weft=red,blue\n"), headers);
    assertTrue(headers.toLowerCase(java.util.Locale.ROOT).contains("x-number=7\n"), headers);
    assertFalse(headers.toLowerCase(java.util.Locale.ROOT).contains("x-gone"), headers);
  }

  @ParameterizedTest
  @EnumSource
  void fieldOfAResponseIsFoundInAnyCaseWithAllItsValues(Carrier carrier) {
    try (Response response = at(carrier, "/twice").get()) {
      List<Object> values = new ArrayList<>(response.getHeaders().get("x-wARP"));
      values.sort(null);
      assertEquals(List.of("one", "two"), values);
    }
  }

  @ParameterizedTest
  @EnumSource
  void fieldThatAnInterceptorAddsIsSent(Carrier carrier) {
    Client client = client(carrier).register((jakarta.ws.rs.ext.WriterInterceptor) context -> {
      context.getHeaders().add("X-Late", "yes");
      context.proceed();
    });
    String headers =
        client.target(server.url("/headers")).request().post(Entity.text("x"), String.class);
    assertTrue(headers.toLowerCase(java.util.Locale.ROOT).contains("x-late=yes\n"), headers);
  }

  @ParameterizedTest
  @EnumSource
  void gzipGoesBothWays(Carrier carrier) {
    Client client = client(carrier).register(GZipEncoder.class).register(EncodingFilter.class);
    client.property("jersey.config.client.useEncoding", "gzip");
    byte[] content = new byte[200_000];
    try (Response response = client.target(server.url("/echo")).request().post(bytes(content))) {
      assertEquals("gzip", response.getHeaderString(HttpHeaders.CONTENT_ENCODING));
      assertArrayEquals(content, response.readEntity(byte[].class));
    }
  }

  @ParameterizedTest
  @EnumSource
  void escapesOfAUriStayAsTheyAre(Carrier carrier) {
    assertEquals(
        "/uri?a=%2Fb%20c&d=%C3%A9", at(carrier, "/uri?a=%2Fb%20c&d=%C3%A9").get(String.class));
  }

  @ParameterizedTest
  @EnumSource
  void formIsSent(Carrier carrier) {
    MultivaluedHashMap<String, String> form = new MultivaluedHashMap<>();
    form.add("warp", "a b");
    assertEquals("warp=a+b", at(carrier, "/echo").post(Entity.form(form), String.class));
  }

  @ParameterizedTest
  @EnumSource
  void asynchronousCallsGetTheirResponses(Carrier carrier) throws Exception {
    Client client = client(carrier);
    List<Future<byte[]>> calls = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      calls.add(client
          .target(server.url("/echo"))
          .request()
          .async()
          .post(bytes(random(1000 + i)), byte[].class));
    }
    for (int i = 0; i < 100; i++) {
      assertArrayEquals(random(1000 + i), calls.get(i).get());
    }
  }

  @ParameterizedTest
  @EnumSource
  void userAgentNamesJerseyAndItsConnector(Carrier carrier) {
    String agent = at(carrier, "/agent").get(String.class);
    assertTrue(agent.startsWith("Jersey/4.0.2 (H"), agent);
  }
}
