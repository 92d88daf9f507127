package heddle.doh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.HttpClient;
import heddle.client.spi.ConnectionInfo;
import heddle.client.spi.ExchangeListener;
import heddle.doh.DohException.Reason;
import heddle.http.Body;
import heddle.http.HttpVersion;
import heddle.http.MediaType;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.failure.TlsException;
import heddle.http.failure.UnresolvedHostException;
import heddle.server.HttpServer;
import heddle.transport.DeadlinePassedException;
import heddle.transport.names.Resolver.ResolvedHost;
import heddle.transport.time.Clock;
import heddle.transport.time.Deadline;
import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Names that are looked up by servers on the loopback address. */
@Timeout(60)
final class DohResolverTest {
  private static final TlsOptions TRUST = trust();

  @AutoClose
  private final NameServer dns = new NameServer();

  @AutoClose
  private final NameServer second = new NameServer();

  DohResolverTest() throws IOException {}

  private static TlsOptions trust() {
    try {
      return TlsOptions.builder().trust(List.of(NameServer.tls().certificate())).build();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** The connections to the servers. */
  private final Collection<ConnectionInfo> connections = new ConcurrentLinkedQueue<>();

  private DohResolver.Builder builder() {
    ExchangeListener listener = new ExchangeListener() {
      @Override
      public void connectionOpened(ConnectionInfo connection) {
        connections.add(connection);
      }
    };
    return DohResolver.builder()
        .settings(client -> client.tls(TRUST).listener(listener))
        .hintDelay(Duration.ofSeconds(30));
  }

  private DohResolver.Builder ofFirst() {
    return builder()
        .server(dns.url("dns.test", "/dns-query{?dns}"), InetAddress.getLoopbackAddress());
  }

  private DohResolver.Builder ofBoth() {
    return ofFirst()
        .server(second.url("dns.test", "/second{?dns}"), InetAddress.getLoopbackAddress());
  }

  private static Deadline soon() {
    return Deadline.after(Duration.ofSeconds(30), Clock.system());
  }

  private static List<String> texts(ResolvedHost host) {
    return host.addresses().stream().map(InetAddress::getHostAddress).toList();
  }

  // ---- answers

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void addressesOfBothFamiliesAreReturnedWithTheShortestTime(boolean post) throws IOException {
    dns.add("a.test", Type.A, 60, "192.0.2.1").add("a.test", Type.AAAA, 50, "2001:db8::1");
    DohResolver.Builder builder = ofFirst();
    try (DohResolver resolver = (post ? builder.post() : builder).build()) {
      ResolvedHost found = resolver.lookUp("A.test.", soon());
      assertEquals(List.of("2001:db8:0:0:0:0:0:1", "192.0.2.1"), texts(found));
      assertEquals(Duration.ofSeconds(50), found.ttl());
      assertEquals("A.test.", found.addresses().getFirst().getHostName());
    }
    assertEquals(3, dns.requests.size());
    for (Request each : dns.requests) {
      assertEquals(post ? Method.POST : Method.GET, each.method());
      assertEquals("/dns-query", each.path());
      assertEquals("application/dns-message", each.headers().first("Accept"));
      assertEquals(post ? "application/dns-message" : null, each.headers().first("Content-Type"));
      assertNull(each.headers().first("User-Agent"));
    }
    for (Message each : dns.queries) {
      assertEquals(0, each.getHeader().getID());
    }
  }

  @Test
  void queriesShareOneConnectionOfHttp2() throws IOException {
    dns.add("a.test", Type.A, 60, "192.0.2.1").add("b.test", Type.A, 60, "192.0.2.1");
    try (DohResolver resolver = ofFirst().build()) {
      resolver.resolve("a.test", soon());
      resolver.resolve("b.test", soon());
    }
    assertEquals(
        List.of(HttpVersion.HTTP_2),
        connections.stream().map(ConnectionInfo::version).toList());
  }

  @Test
  void allTypesAreAskedForAtTheSameTime() throws IOException {
    dns.add("a.test", Type.A, 60, "192.0.2.1").add("a.test", Type.AAAA, 60, "2001:db8::1");
    CountDownLatch all = new CountDownLatch(3);
    dns.handler = request -> {
      all.countDown();
      all.await();
      return dns.answer(request);
    };
    try (DohResolver resolver = ofFirst().timeout(Duration.ofSeconds(20)).build()) {
      assertEquals(2, resolver.resolve("a.test", soon()).size());
    }
  }

  @Test
  void ageOfTheHttpResponseShortensTheTime() throws IOException {
    dns.add("a.test", Type.A, 60, "192.0.2.1");
    dns.handler = request -> dns.answer(request).toBuilder().header("Age", "45").build();
    try (DohResolver resolver = ofFirst().build()) {
      assertEquals(Duration.ofSeconds(15), resolver.lookUp("a.test", soon()).ttl());
    }
  }

  @Test
  void queryIsAddedToTheQueryOfTheUrl() throws IOException {
    dns.add("a.test", Type.A, 60, "192.0.2.1");
    try (DohResolver resolver = builder()
        .server(dns.url("dns.test", "/q?user=7{&dns}"), InetAddress.getLoopbackAddress())
        .build()) {
      assertEquals(List.of("192.0.2.1"), texts(resolver.lookUp("a.test", soon())));
    }
    for (Request each : dns.requests) {
      assertTrue(each.target().startsWith("/q?user=7&dns=AAAB"), each.target());
    }
  }

  @Test
  void addressesOfOneFamilyDoNotHoldIfTheOtherFailed() throws IOException {
    dns.add("a.test", Type.A, 60, "192.0.2.1");
    dns.handler = request -> {
      Message query = NameServer.query(request);
      boolean ipv6 = query.getQuestion().getType() == Type.AAAA;
      return ipv6
          ? NameServer.ok(NameServer.response(query, Rcode.SERVFAIL).toWire())
          : dns.answer(request);
    };
    try (DohResolver resolver = ofFirst().build()) {
      ResolvedHost found = resolver.lookUp("a.test", soon());
      assertEquals(List.of("192.0.2.1"), texts(found));
      assertEquals(Duration.ZERO, found.ttl());
    }
  }

  @Test
  void versionsAreThoseOfTheHttpsRecords() throws IOException {
    dns.add("a.test", Type.A, 60, "127.0.0.1").add("b.test", Type.A, 60, "127.0.0.1");
    dns.add("a.test", Type.HTTPS, 60, "1 . alpn=h2");
    try (DohResolver resolver = ofFirst().build()) {
      assertEquals(
          Set.of(HttpVersion.HTTP_1_1, HttpVersion.HTTP_2),
          resolver.lookUp("a.test", soon()).versions());
      assertEquals(Set.of(), resolver.lookUp("b.test", soon()).versions());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void addressesDoNotWaitForHttpsRecords(boolean silent) throws IOException {
    dns.add("a.test", Type.A, 60, "192.0.2.1");
    CountDownLatch over = new CountDownLatch(1);
    dns.handler = request -> {
      if (NameServer.query(request).getQuestion().getType() == Type.HTTPS) {
        if (silent) {
          over.await();
        }
        return Response.of(Status.INTERNAL_SERVER_ERROR);
      }
      return dns.answer(request);
    };
    Duration brief = Duration.ofMillis(50);
    try (DohResolver resolver =
        ofBoth().timeout(Duration.ofSeconds(50)).hintDelay(brief).build()) {
      ResolvedHost found = resolver.lookUp("a.test", soon());
      assertEquals(List.of("192.0.2.1"), texts(found));
      assertEquals(Duration.ofSeconds(60), found.ttl());
      assertEquals(Set.of(), found.versions());
      assertEquals(0, second.requests.size());
    } finally {
      over.countDown();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"none.test", "text.test"})
  void nameThatDoesNotExistOrHasNoAddressIsUnknown(String host) throws IOException {
    dns.add("text.test", Type.TXT, 60, "text");
    try (DohResolver resolver = ofBoth().build()) {
      UnknownHostException e =
          assertThrows(UnknownHostException.class, () -> resolver.lookUp(host, soon()));
      assertEquals("no address is known for the host " + host, e.getMessage());
    }
    assertEquals(0, second.queries.size()); // It is an answer, not a failure.
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, 127.0.0.1",
    "2001:db8::7, 2001:db8:0:0:0:0:0:7",
    "localhost, 127.0.0.1",
    "a.LOCALHOST., 127.0.0.1",
    "10.0.0.256,",
    "printer.local,",
    "x.onion,",
    "x.invalid,",
    "a..test,",
    "'',"
  })
  void whatIsNoNameOfDnsIsNotSent(String host, String address) throws IOException {
    try (DohResolver resolver = ofFirst().build()) {
      if (address == null) {
        assertThrows(UnknownHostException.class, () -> resolver.lookUp(host, soon()));
      } else {
        assertEquals(address, texts(resolver.lookUp(host, soon())).getFirst());
      }
    }
    assertEquals(0, dns.queries.size());
  }

  // ---- failures

  private static Response content(String type, byte[] bytes) {
    return Response.ok(Body.of(bytes, MediaType.parse(type)));
  }

  private DohException failure() throws IOException {
    try (DohResolver resolver = ofFirst().build()) {
      return assertThrows(DohException.class, () -> resolver.lookUp("a.test", soon()));
    }
  }

  private void assertFails(Reason reason, String problem) throws IOException {
    DohException e = failure();
    assertEquals(reason, e.reason(), e.getMessage());
    assertEquals(
        "the DNS server " + dns.url("dns.test", "/dns-query") + " " + problem, e.getMessage());
  }

  @Test
  void statusThatIsNoneOfSuccessIsNamed() throws IOException {
    dns.handler = request -> Response.of(Status.NOT_FOUND);
    assertFails(Reason.STATUS, "answered 404 Not Found");
  }

  @Test
  void redirectIsNotFollowed() throws IOException {
    dns.handler = request -> Response.builder(Status.FOUND)
        .header("Location", second.url("dns.test", "/dns-query"))
        .build();
    assertFails(Reason.STATUS, "answered 302 Found");
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/html", "application/dns-json", "text/dns-message"})
  void contentOfAnotherTypeIsNamed(String type) throws IOException {
    dns.handler = request -> content(type, new byte[100]);
    assertFails(
        Reason.CONTENT_TYPE,
        "sent " + type + " instead of application/dns-message: check the path of its URL");
  }

  @Test
  void answerLongerThanADnsMessageIsRefused() throws IOException {
    dns.handler = request -> content("application/dns-message", new byte[65_536]);
    assertFails(Reason.TOO_LARGE, "sent more than a DNS message can have, 65,535 bytes");
  }

  @Test
  void longestDnsMessageIsRead() throws IOException {
    dns.add("a.test", Type.A, 60, "192.0.2.1");
    dns.handler = request -> {
      Message message = dns.message(NameServer.query(request));
      for (int i = 0; i < 250; i++) {
        message.addRecord(
            NameServer.record("pad.test", Type.TXT, 60, "\"" + i + "x".repeat(240) + "\""),
            Section.ADDITIONAL);
      }
      byte[] bytes = message.toWire();
      assertTrue(bytes.length > 60_000, () -> bytes.length + " bytes");
      return NameServer.ok(bytes);
    };
    try (DohResolver resolver = ofFirst().build()) {
      assertEquals(1, resolver.resolve("a.test", soon()).size());
    }
  }

  @Test
  void malformedMessageIsNamed() throws IOException {
    dns.handler = request -> content("application/dns-message; x=y", new byte[] {1, 2, 3});
    DohException e = failure();
    assertEquals(Reason.MALFORMED, e.reason());
    assertTrue(e.getMessage().contains(" sent 3 bytes that are no DNS message: "), e.getMessage());
  }

  @Test
  void serverThatCannotBeReachedIsNamed() throws IOException {
    dns.close();
    DohException e = failure();
    assertEquals(Reason.NO_RESPONSE, e.reason());
    assertTrue(e.getMessage().contains(" could not be asked: "), e.getMessage());
  }

  @Test
  void certificateOfAnotherHostIsRefused() throws IOException {
    try (DohResolver resolver = builder()
        .server(dns.url("other.test", "/dns-query"), InetAddress.getLoopbackAddress())
        .build()) {
      DohException e = assertThrows(DohException.class, () -> resolver.lookUp("a.test", soon()));
      assertEquals(Reason.NO_RESPONSE, e.reason());
      assertInstanceOf(TlsException.class, e.getCause());
    }
  }

  // ---- several servers

  @Test
  void nextServerIsAskedIfOneFailsAndFirstFromThenOn() throws IOException {
    second.add("a.test", Type.A, 60, "192.0.2.1");
    dns.handler = request -> {
      dns.requests.add(request);
      return Response.of(Status.SERVICE_UNAVAILABLE);
    };
    try (DohResolver resolver = ofBoth().build()) {
      assertEquals(List.of("192.0.2.1"), texts(resolver.lookUp("a.test", soon())));
      dns.requests.clear();
      assertEquals(List.of("192.0.2.1"), texts(resolver.lookUp("a.test", soon())));
      assertEquals(0, dns.requests.size());
    }
  }

  @Test
  void silentServerIsLeftAfterTheTimeout() throws IOException {
    second.add("a.test", Type.A, 60, "192.0.2.1");
    CountDownLatch over = new CountDownLatch(1);
    dns.handler = request -> {
      over.await();
      return dns.answer(request);
    };
    try (DohResolver resolver = ofBoth().timeout(Duration.ofMillis(700)).build()) {
      assertEquals(List.of("192.0.2.1"), texts(resolver.lookUp("a.test", soon())));
    } finally {
      over.countDown();
    }
  }

  @Test
  void failureOfEachServerIsReported() throws IOException {
    dns.handler = request -> Response.of(Status.SERVICE_UNAVAILABLE);
    second.handler = request -> NameServer.ok(
        NameServer.response(NameServer.query(request), Rcode.REFUSED).toWire());
    try (DohResolver resolver = ofBoth().build()) {
      DohException e = assertThrows(DohException.class, () -> resolver.lookUp("a.test", soon()));
      assertEquals(Reason.STATUS, e.reason());
      assertEquals(Reason.RESPONSE_CODE, ((DohException) e.getSuppressed()[0]).reason());
    }
  }

  // ---- time

  @Test
  void deadlineEndsTheLookUp() throws IOException {
    CountDownLatch over = new CountDownLatch(1);
    dns.handler = request -> {
      over.await();
      return dns.answer(request);
    };
    try (DohResolver resolver = ofFirst().timeout(Duration.ofSeconds(30)).build()) {
      Deadline deadline = Deadline.after(Duration.ofMillis(300), Clock.system());
      assertThrows(DeadlinePassedException.class, () -> resolver.lookUp("a.test", deadline));
      assertThrows(
          DeadlinePassedException.class, () -> resolver.lookUp("a.test", Deadline.atOnce()));
    } finally {
      over.countDown();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {Type.A, Type.AAAA})
  void interruptEndsTheLookUpWhicheverAnswerIsMissing(int missing) throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    dns.handler = request -> {
      if (NameServer.query(request).getQuestion().getType() == missing) {
        asked.countDown();
        over.await();
      }
      return dns.answer(request);
    };
    try (DohResolver resolver = ofFirst().timeout(Duration.ofSeconds(30)).build()) {
      FutureTask<Boolean> task = new FutureTask<>(() -> {
        assertThrows(InterruptedIOException.class, () -> resolver.lookUp("a.test", soon()));
        return Thread.currentThread().isInterrupted();
      });
      Thread caller = Thread.ofVirtual().start(task);
      asked.await();
      caller.interrupt();
      assertTrue(task.get());
    } finally {
      over.countDown();
    }
  }

  // ---- in a client

  @Test
  void clientConnectsToWhatTheServerSays() throws IOException {
    dns.add("shop.test", Type.A, 60, "127.0.0.1");
    try (HttpServer shop = HttpServer.builder()
            .address(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .tls(NameServer.tls().server())
            .handler(request -> Response.ok("served as " + request.origin().host()))
            .start();
        DohResolver resolver = ofFirst().build();
        HttpClient client = HttpClient.builder().resolver(resolver).tls(TRUST).build()) {
      String url = "https://shop.test:" + shop.port() + "/";
      for (int i = 0; i < 3; i++) {
        try (Response response = client.send(Request.get(url))) {
          assertEquals("served as shop.test", response.string());
        }
      }
      assertEquals(3, dns.queries.size()); // The client caches the answer.
      assertThrows(
          UnresolvedHostException.class, () -> client.send(Request.get("https://none.test/")));
    }
  }

  @Test
  void givenClientSendsTheQueriesAndStaysOpen() throws IOException {
    dns.add("a.test", Type.A, 60, "192.0.2.1");
    try (HttpClient client = HttpClient.builder()
        .tls(TRUST)
        .resolver((host, deadline) -> List.of(InetAddress.getLoopbackAddress()))
        .userAgent("mine/1")
        .build()) {
      try (DohResolver resolver = DohResolver.builder()
          .server(dns.url("dns.test", "/dns-query{?dns}"))
          .client(client)
          .build()) {
        resolver.resolve("a.test", soon());
      }
      assertFalse(dns.requests.isEmpty());
      for (Request each : dns.requests) {
        assertEquals("mine/1", each.headers().first("User-Agent"));
      }
      dns.handler = request -> Response.ok("still open");
      try (Response response = client.send(Request.get(dns.url("dns.test", "/")))) {
        assertEquals("still open", response.string());
      }
    }
  }

  // ---- settings

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://dns.test/dns-query{?dns}",
        "https://dns.test/{dns}",
        "https://dns.test/dns-query{?dns,other}",
        "https://dns.test/{?dns}x",
        "dns.test",
        ""
      })
  void urlOfNoDnsServerIsRefused(String url) {
    assertThrows(IllegalArgumentException.class, () -> DohResolver.builder().server(url));
  }

  @Test
  void settingsThatCannotWorkAreRefused() {
    assertThrows(IllegalStateException.class, () -> DohResolver.builder().build());
    assertThrows(
        IllegalArgumentException.class, () -> DohResolver.builder().timeout(Duration.ZERO));
    assertThrows(IllegalArgumentException.class, () -> DohResolver.builder()
        .hintDelay(Duration.ofMillis(-1)));
    try (HttpClient client = HttpClient.create()) {
      DohResolver.Builder builder = ofFirst().client(client);
      assertThrows(IllegalStateException.class, builder::build);
    }
  }

  @Test
  void nullArgumentsAreNamed() {
    DohResolver.Builder builder = DohResolver.builder();
    assertNamed("template", () -> builder.server(nothing()));
    assertNamed("time", () -> builder.timeout(nothing()));
    assertNamed("time", () -> builder.hintDelay(nothing()));
    assertNamed("client", () -> builder.client(nothing()));
    assertNamed("change", () -> builder.settings(nothing()));
    try (DohResolver resolver = ofFirst().build()) {
      assertNamed("host", () -> resolver.lookUp(nothing(), soon()));
      assertNamed("deadline", () -> resolver.lookUp("a.test", nothing()));
    }
  }

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // What callers without it may do.
  private static <T> T nothing() {
    return null;
  }

  private static void assertNamed(String name, Executable step) {
    NullPointerException e = assertThrows(NullPointerException.class, step);
    assertEquals(name, e.getMessage());
  }
}
