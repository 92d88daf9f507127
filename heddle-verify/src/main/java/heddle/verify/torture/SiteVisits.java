package heddle.verify.torture;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import heddle.client.HttpClient;
import heddle.http.Body;
import heddle.http.Form;
import heddle.http.MediaType;
import heddle.http.Method;
import heddle.http.MultipartBody;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.sse.EventStream;
import heddle.sse.ServerSentEvent;
import heddle.websocket.Message;
import heddle.websocket.WebSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Calls of a well-behaved client of a {@link TortureSite}, each with the only right answer. */
final class SiteVisits {
  private static final byte[] DATA = SiteFolder.data();
  private static final String TEXT = TortureSite.text();
  private static final String LATE = "/late";

  /** RFC 9110 section 15.6.4. */
  private static final int REFUSED = 503;

  private static final int FAILED = 500;

  /** Of the PROXY protocol, version 2: a TCP connection from 198.51.100.7 to 127.0.0.1. */
  private static final byte[] PROXY_2 = HexFormat.of()
      .parseHex("0d0a0d0a000d0a515549540a" + "2111000c" + "c6336407" + "7f000001" + "10e10050");

  private static final byte[] PROXY_1 =
      "PROXY TCP4 198.51.100.7 127.0.0.1 4321 80\r\n".getBytes(ISO_8859_1);

  private final HttpClient client;
  private final String base;

  /** An answer that is wrong, whatever is done to the server. */
  static final class WrongAnswer extends RuntimeException {
    private static final long serialVersionUID = 1;

    WrongAnswer(String message) {
      super(message);
    }
  }

  /** The server has no room. */
  static final class Refused extends IOException {
    private static final long serialVersionUID = 1;

    Refused(String what) {
      super(what + " was answered 503");
    }
  }

  /** The site could not answer. */
  static final class Failed extends IOException {
    private static final long serialVersionUID = 1;

    Failed(String what) {
      super(what + " was answered 500");
    }
  }

  /** One visit. */
  interface Visit {
    void make() throws IOException;
  }

  /** @param base of all URLs, without a slash at the end */
  SiteVisits(HttpClient client, String base) {
    this.client = client;
    this.base = base;
  }

  /** All but the one that takes long. */
  List<Visit> all() {
    return List.of(
        this::items,
        this::wrongItems,
        this::file,
        this::ranges,
        this::precompressed,
        this::compressed,
        this::crossOrigin,
        this::form,
        this::upload,
        this::written,
        this::hints,
        this::events,
        this::socket,
        this::who,
        this::health);
  }

  /** A handler that takes longer than any may. */
  void late() throws IOException {
    try (Response response = client.send(request(LATE).build())) {
      response.bytes();
      expect(LATE, REFUSED, response.status().code());
      expect(LATE + " has Retry-After", true, response.headers().contains("Retry-After"));
    }
  }

  // ---- routes and JSON

  private void items() throws IOException {
    expectText("/items/7", 200, "{\"id\":7,\"text\":\"item 7\"}");
    String json = "{\"id\":8,\"text\":\"caf\u00e9\"}";
    Request post = request("/items")
        .method(Method.POST)
        .body(Body.of(json, MediaType.of("application", "json")))
        .header("X-Request-Id", "visit-8")
        .build();
    try (Response response = answer(post)) {
      expect("POST /items", 201, response.status().code());
      expect("POST /items", json, response.string());
      expect("its request id", "visit-8", response.headers().first("X-Request-Id"));
    }
  }

  private void wrongItems() throws IOException {
    expectStatus(request("/items/-1").build(), 404, "there is no item -1");
    expectStatus(request("/items/seven").build(), 404, "");
    expectStatus(request("/items/7").method(Method.DELETE).build(), 405, "");
    Body broken = Body.of("{\"id\":", MediaType.of("application", "json"));
    expectStatus(request("/items").method(Method.POST).body(broken).build(), 400, "");
  }

  private void health() throws IOException {
    expectStatus(request("/live").build(), 200, "");
    expectStatus(request("/ready").build(), 200, "");
  }

  /** A field of a proxy that is not trusted. */
  private void who() throws IOException {
    Request request = request("/who").header("Forwarded", "for=203.0.113.9").build();
    try (Response response = answer(request)) {
      String seen = response.string();
      boolean own = seen.startsWith("127.0.0.1 ") || seen.startsWith("unix ");
      expect("/who without a proxy said " + seen, true, own);
    }
  }

  // ---- files and filters

  private void file() throws IOException {
    String tag;
    try (Response response = answer(request("/files/data.bin").build())) {
      expect("a file", 200, response.status().code());
      expect("a file's content", true, Arrays.equals(DATA, response.bytes()));
      tag = Objects.requireNonNullElse(response.headers().first("ETag"), "none");
    }
    expectStatus(request("/files/data.bin").header("If-None-Match", tag).build(), 304, "");
    try (Response response =
        answer(request("/files/data.bin").method(Method.HEAD).build())) {
      String length = response.headers().first("Content-Length");
      expect("HEAD of a file", Integer.toString(DATA.length), length);
    }
    expectStatus(request("/files/none.bin").build(), 404, "");
  }

  private void ranges() throws IOException {
    Request one = request("/files/data.bin").header("Range", "bytes=1000-70999").build();
    try (Response response = answer(one)) {
      expect("a range", 206, response.status().code());
      byte[] part = Arrays.copyOfRange(DATA, 1_000, 71_000);
      expect("a range's content", true, Arrays.equals(part, response.bytes()));
    }
    Request two = request("/files/data.bin").header("Range", "bytes=0-9,20-29").build();
    try (Response response = answer(two)) {
      expect("two ranges", 206, response.status().code());
      String content = new String(response.bytes(), ISO_8859_1);
      expect("first range", true, content.contains(new String(DATA, 0, 10, ISO_8859_1)));
      expect("second range", true, content.contains(new String(DATA, 20, 10, ISO_8859_1)));
    }
    expectStatus(request("/files/data.bin").header("Range", "bytes=999999-").build(), 416, "");
  }

  private void precompressed() throws IOException {
    expectText("/files/page.txt", 200, TEXT);
  }

  private void compressed() throws IOException {
    expectText("/text", 200, TEXT);
  }

  private void crossOrigin() throws IOException {
    Request preflight = request("/items")
        .method(Method.OPTIONS)
        .header("Origin", TortureSite.ORIGIN)
        .header("Access-Control-Request-Method", "PUT")
        .build();
    try (Response response = answer(preflight)) {
      expect(
          "the answer to a preflight",
          TortureSite.ORIGIN,
          response.headers().first("Access-Control-Allow-Origin"));
    }
  }

  // ---- forms

  private void form() throws IOException {
    Form form = Form.of("name", "Ada", "tag", "a & b", "tag", "c");
    Request post = request("/form").method(Method.POST).body(form.body()).build();
    expectStatus(post, 200, "Ada [a & b, c]");
  }

  private void upload() throws IOException {
    byte[] small = Arrays.copyOf(DATA, 100);
    MultipartBody body = MultipartBody.builder()
        .add("name", "Ada")
        .addFile("file", "data.bin", Body.of(DATA))
        .addFile("file", "small.bin", Body.of(small))
        .build();
    String seen = "data.bin " + DATA.length + " " + TortureSite.sum(DATA) + "\nsmall.bin 100 "
        + TortureSite.sum(small) + "\nby Ada";
    expectStatus(request("/uploads").method(Method.POST).body(body).build(), 200, seen);
  }

  // ---- responses that are written, events and sockets

  private void written() throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 30; i++) {
      lines.append("line ").append(i).append('\n');
    }
    byte[] expected = lines.toString().getBytes(UTF_8);
    Request request = request("/written?lines=30").header("TE", "trailers").build();
    try (Response response = answer(request)) {
      expect("what was written", lines.toString(), response.string());
      String sum = response.trailers().get().first("X-Sum");
      expect("its trailer", TortureSite.sum(expected), sum);
    }
  }

  private void hints() throws IOException {
    List<Integer> seen = new ArrayList<>();
    Request request = request("/hints")
        .onInformational((status, fields) -> seen.add(status.code()))
        .build();
    expectStatus(request, 200, "hinted");
    expect("early hints", List.of(Status.EARLY_HINTS.code()), seen);
  }

  private void events() throws IOException {
    List<String> ids = new ArrayList<>();
    try (EventStream events = EventStream.of(answer(request("/events?count=5").build()))) {
      for (ServerSentEvent event : events) {
        ids.add(event.data() + event.id());
      }
    }
    expect("events", List.of("event0", "event1", "event2", "event3", "event4"), ids);
  }

  private void socket() throws IOException {
    WebSocket.Builder opening = WebSocket.builder(
            client, request("/echo-socket").build())
        .compression(heddle.websocket.Compression.EACH_MESSAGE);
    try (WebSocket socket = opening.open()) {
      String text = TEXT.substring(0, 3_000);
      socket.send("hello");
      socket.send(text);
      socket.send(Arrays.copyOf(DATA, 2_000));
      expect("a message", "hello", text(socket.receive()));
      expect("a compressed message", text, text(socket.receive()));
      boolean same = socket.receive() instanceof Message.Binary binary
          && Arrays.equals(Arrays.copyOf(DATA, 2_000), binary.bytes());
      expect("a binary message", true, same);
    }
  }

  private static String text(@Nullable Message message) {
    return message instanceof Message.Text text ? text.text() : String.valueOf(message);
  }

  // ---- proxies

  /** A connection from a trusted proxy that sends a header of the PROXY protocol. */
  static void proxied(InetSocketAddress server, boolean binary) throws IOException {
    byte[] request =
        "GET /who HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".getBytes(ISO_8859_1);
    try (Socket socket = new Socket()) {
      socket.bind(new InetSocketAddress(TortureSite.PROXY, 0));
      socket.setSoTimeout(Victim.DEADLINE_MILLIS);
      socket.connect(server, Victim.DEADLINE_MILLIS);
      byte[] header = binary ? PROXY_2 : PROXY_1;
      socket.getOutputStream().write(Http2Bytes.join(header, request));
      String answer = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
      refuse("/who behind a PROXY header", answer.startsWith("HTTP/1.1 503") ? REFUSED : 0);
      if (answer.isEmpty()) {
        throw new IOException("the connection of a PROXY header was closed");
      }
      String seen = answer.substring(answer.indexOf("\r\n\r\n") + 4);
      expect("/who behind a PROXY header", "198.51.100.7 http://a:80", seen);
    }
  }

  /** A request of a trusted proxy; the client of these visits is one. */
  void forwarded() throws IOException {
    Request request = request("/who")
        .header("Forwarded", "for=203.0.113.9;proto=https;host=shop.example")
        .build();
    expectStatus(request, 200, "203.0.113.9 https://shop.example");
  }

  // ---- checks

  private Request.Builder request(String path) throws IOException {
    return client.request(base + path);
  }

  private Response answer(Request request) throws IOException {
    Response response = client.send(request);
    int status = response.status().code();
    if (status == REFUSED || status == FAILED) {
      response.close();
      throw status == REFUSED ? new Refused(request.path()) : new Failed(request.path());
    }
    return response;
  }

  private static void refuse(String what, int status) throws Refused {
    if (status == REFUSED) {
      throw new Refused(what);
    }
  }

  private void expectText(String path, int status, String content) throws IOException {
    try (Response response = answer(request(path).build())) {
      expect(path, status, response.status().code());
      expect(path, content, response.string());
    }
  }

  /** @param part of the content */
  private void expectStatus(Request request, int status, String part) throws IOException {
    try (Response response = answer(request)) {
      String content = response.string();
      String what = request.method() + " " + request.path();
      expect(what + " answered " + content, status, response.status().code());
      expect(what + " answered " + content, true, content.contains(part));
    }
  }

  private static void expect(String what, Object expected, @Nullable Object actual) {
    if (!expected.equals(actual)) {
      throw new WrongAnswer(what + ": " + shortened(actual) + " instead of " + shortened(expected));
    }
  }

  private static String shortened(@Nullable Object value) {
    String text = String.valueOf(value);
    return text.length() > 200 ? text.substring(0, 200) + "..." : text;
  }
}
