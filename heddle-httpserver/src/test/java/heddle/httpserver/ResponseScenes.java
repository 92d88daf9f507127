package heddle.httpserver;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** How responses are sent. */
final class ResponseScenes {
  private ResponseScenes() {}

  static Map<String, Stage.Scene> all() {
    Map<String, Stage.Scene> all = new LinkedHashMap<>();
    for (String method : new String[] {"GET", "HEAD", "POST"}) {
      for (int status : new int[] {200, 204, 304, 404, 599}) {
        for (int length : new int[] {-1, 0, 5}) {
          all.put(
              method + " " + status + " with length " + length,
              stage -> frame(stage, method, status, length));
        }
      }
    }
    all.put("HEAD with a length of the handler's", ResponseScenes::headWithLength);
    all.put("too many bytes", ResponseScenes::tooMany);
    all.put("too few bytes", ResponseScenes::tooFew);
    all.put("a complete response that is not closed", ResponseScenes::notClosed);
    all.put("misuse of the streams", ResponseScenes::misuse);
    all.put("a flush", ResponseScenes::flush);
    all.put("content in many pieces", ResponseScenes::pieces);
    all.put("a response of another thread", ResponseScenes::otherThread);
    all.put("streams of a filter", ResponseScenes::wrappedStreams);
    all.put("fields that are folded or beyond ASCII", ResponseScenes::fields);
    all.put("fields that cannot be sent", ResponseScenes::badFields);
    all.put("a failure before the response", stage -> failure(stage, 0));
    all.put("a failure in the response", stage -> failure(stage, 1));
    all.put("a failure after the response", stage -> failure(stage, 2));
    all.put("an exchange closed without a response", ResponseScenes::closedEarly);
    all.put("a connection that the handler closes", ResponseScenes::handlerCloses);
    all.put("what getters say before and after", ResponseScenes::getters);
    return all;
  }

  private static void frame(Stage stage, String method, int status, int length) throws Exception {
    stage.serve(exchange -> {
      exchange.getResponseHeaders().set("X-Test", "1");
      exchange.sendResponseHeaders(status, length);
      boolean content = length >= 0 && !method.equals("HEAD") && status != 204 && status != 304;
      if (content) {
        exchange.getResponseBody().write("hello".getBytes(UTF_8));
      }
      exchange.close();
    });
    try (Peer peer = stage.peer()) {
      for (int i = 0; i < 2; i++) { // The second shows that the first was framed right.
        peer.send(method + " / HTTP/1.1\r\nHost: test\r\nContent-Length: 0\r\n\r\n");
        stage.noteAnswer(peer, method.equals("HEAD"));
      }
    }
  }

  private static void headWithLength(Stage stage) throws Exception {
    stage.serve(exchange -> {
      exchange.getResponseHeaders().set("Content-Length", "1234");
      exchange.sendResponseHeaders(200, -1);
      exchange.close();
    });
    try (Peer peer = stage.peer()) {
      peer.send("HEAD / HTTP/1.1\r\nHost: test\r\n\r\n");
      stage.noteAnswer(peer, true);
    }
  }

  private static void tooMany(Stage stage) throws Exception {
    stage.serve(exchange -> {
      exchange.sendResponseHeaders(200, 4);
      OutputStream out = exchange.getResponseBody();
      stage.noteFailure("array", () -> out.write(new byte[5]));
      out.write("1234".getBytes(UTF_8));
      stage.noteFailure("octet", () -> out.write(1));
      stage.noteFailure("nothing", () -> out.write(new byte[0]));
      stage.noteFailure("close", out::close);
      stage.noteFailure("nothing after close", () -> out.write(new byte[0]));
      stage.noteFailure("array after close", () -> out.write(new byte[1]));
      stage.noteFailure("close again", out::close);
    });
    try (Peer peer = stage.peer()) {
      peer.get("/");
      stage.noteAnswer(peer);
    }
  }

  private static void tooFew(Stage stage) throws Exception {
    stage.serve(exchange -> {
      exchange.sendResponseHeaders(200, 4);
      OutputStream out = exchange.getResponseBody();
      out.write(1);
      out.close();
    });
    try (Peer peer = stage.peer()) {
      peer.get("/");
      stage.noteAnswer(peer);
    }
  }

  private static void notClosed(Stage stage) throws Exception {
    stage.serve(exchange -> {
      exchange.sendResponseHeaders(200, 4);
      exchange.getResponseBody().write("1234".getBytes(UTF_8));
      exchange.getResponseBody().flush();
    });
    try (Peer peer = stage.peer()) {
      peer.get("/");
      stage.noteAnswer(peer);
    }
  }

  private static void misuse(Stage stage) throws Exception {
    stage.serve(exchange -> {
      OutputStream out = exchange.getResponseBody();
      stage.noteFailure("write before the head", () -> out.write(1));
      stage.noteFailure("flush before the head", out::flush);
      stage.noteFailure("close before the head", out::close);
      stage.note(out == exchange.getResponseBody());
      exchange.sendResponseHeaders(200, 0);
      stage.note(out == exchange.getResponseBody());
      stage.noteFailure("head again", () -> exchange.sendResponseHeaders(200, -1));
      out.write("hello".getBytes(UTF_8));
      out.close();
      stage.noteFailure("write after close", () -> out.write(1));
      stage.noteFailure("flush after close", out::flush);
      stage.noteFailure("close after close", out::close);
      stage.noteFailure("read after close", () -> exchange.getRequestBody().read());
      stage.noteFailure("head after close", () -> exchange.sendResponseHeaders(200, -1));
      exchange.close();
    });
    try (Peer peer = stage.peer()) {
      peer.get("/");
      stage.noteAnswer(peer);
    }
  }

  private static void flush(Stage stage) throws Exception {
    var seen = new CountDownLatch(1);
    stage.serve(exchange -> {
      exchange.sendResponseHeaders(200, 0);
      exchange.getResponseBody().write("first".getBytes(UTF_8));
      exchange.getResponseBody().flush();
      Stage.await(seen);
      exchange.getResponseBody().write("second".getBytes(UTF_8));
      exchange.getResponseBody().close();
    });
    try (Peer peer = stage.peer()) {
      peer.get("/");
      while (!peer.line().isEmpty()) {
        stage.note("a line of the head");
      }
      stage.note(peer.line() + " " + peer.line());
      seen.countDown();
      stage.note(peer.line() + " " + peer.line() + " " + peer.line());
    }
  }

  private static void pieces(Stage stage) throws Exception {
    stage.serve(exchange -> {
      byte[] block = "0123456789".repeat(700).getBytes(UTF_8);
      boolean known = exchange.getRequestURI().getQuery() != null;
      exchange.sendResponseHeaders(200, known ? 20L * block.length + 20 : 0);
      OutputStream out = exchange.getResponseBody();
      for (int i = 0; i < 20; i++) {
        out.write(block);
        out.write('-');
      }
      out.close();
    });
    try (Peer peer = stage.peer()) {
      for (String path : new String[] {"/", "/?known"}) {
        Peer.Answer answer = peer.get(path).answer();
        stage.note(answer.body().length() + " " + answer.body().hashCode());
      }
    }
  }

  private static void otherThread(Stage stage) throws Exception {
    var returned = new CountDownLatch(1);
    stage.serve(exchange -> {
      stage.threads().execute(() -> answerLater(stage, exchange, returned));
      stage.note("the handler returns");
    });
    try (Peer peer = stage.peer()) {
      for (int i = 0; i < 3; i++) {
        peer.send("POST /" + i + " HTTP/1.1\r\nHost: test\r\nContent-Length: 3\r\n\r\nabc");
        returned.countDown();
        stage.noteAnswer(peer);
      }
    }
  }

  private static void answerLater(Stage stage, HttpExchange exchange, CountDownLatch returned) {
    try {
      Stage.await(returned);
      byte[] body = exchange.getRequestBody().readAllBytes();
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
      exchange.getResponseBody().close();
    } catch (IOException e) {
      stage.note(e);
    }
  }

  private static void wrappedStreams(Stage stage) throws Exception {
    stage.serve(exchange -> {
      OutputStream original = exchange.getResponseBody();
      exchange.setStreams(null, new FilterOutputStream(original) {
        @Override
        public void write(int octet) throws IOException {
          super.write(octet + 1);
        }
      });
      stage.note(exchange.getResponseBody() == original);
      exchange.sendResponseHeaders(200, 3);
      exchange.getResponseBody().write("abc".getBytes(UTF_8));
      exchange.close();
    });
    try (Peer peer = stage.peer()) {
      peer.get("/");
      stage.noteAnswer(peer);
    }
  }

  private static void fields(Stage stage) throws Exception {
    stage.serve(exchange -> {
      exchange.getResponseHeaders().add("x-latin", "\u00e4");
      exchange.getResponseHeaders().add("two", "1");
      exchange.getResponseHeaders().add("TWO", "2");
      exchange.getResponseHeaders().add("Content-Type", "text/plain");
      Stage.reply(exchange, "x");
      stage.note(exchange.getResponseHeaders().keySet().stream().sorted().toList());
    });
    try (Peer peer = stage.peer()) {
      peer.get("/");
      stage.noteAnswer(peer);
    }
  }

  private static void badFields(Stage stage) throws Exception {
    stage.serve(exchange -> {
      stage.noteFailure("a line ending", () -> exchange.getResponseHeaders().set("a", "b\r\nc"));
      exchange.getResponseHeaders().set("a", "\u0416");
      stage.noteFailure("no Latin", () -> exchange.sendResponseHeaders(200, -1));
      exchange.getResponseHeaders().remove("a");
      stage.noteFailure("corrected", () -> exchange.sendResponseHeaders(200, -1));
    });
    try (Peer peer = stage.peer()) {
      peer.get("/");
      stage.noteAnswer(peer);
    }
  }

  private static void failure(Stage stage, int when) throws Exception {
    stage.serve(exchange -> {
      if (exchange.getRequestURI().getPath().equals("/fine")) {
        Stage.reply(exchange, "fine");
        return;
      }
      if (when > 0) {
        exchange.sendResponseHeaders(200, 4);
        exchange.getResponseBody().write("1234".getBytes(UTF_8), 0, when * 2);
      }
      if (when == 2) {
        exchange.getResponseBody().close();
      }
      throw new IllegalStateException("the handler fails on purpose");
    });
    try (Peer peer = stage.peer()) {
      peer.get("/");
      stage.noteAnswer(peer);
      if (when == 2) {
        peer.get("/fine");
        stage.noteAnswer(peer);
      }
    }
  }

  private static void closedEarly(Stage stage) throws Exception {
    stage.serve(HttpExchange::close);
    try (Peer peer = stage.peer()) {
      peer.get("/");
      stage.noteAnswer(peer);
    }
  }

  private static void handlerCloses(Stage stage) throws Exception {
    stage.serve(exchange -> {
      exchange.getResponseHeaders().set("Connection", "close");
      Stage.reply(exchange, "bye");
    });
    try (Peer peer = stage.peer()) {
      peer.get("/");
      Peer.Answer answer = peer.answer();
      stage.note(answer.has("connection: close"));
      stage.note(answer);
      stage.note(peer.isEnded());
    }
  }

  private static void getters(Stage stage) throws Exception {
    stage.serve(exchange -> {
      stage.note(exchange.getResponseCode());
      stage.note(exchange.getPrincipal());
      stage.note(exchange.getProtocol());
      stage.note(exchange.getRequestMethod());
      stage.note(exchange.getHttpContext().getPath());
      stage.note(exchange.getLocalAddress().equals(stage.server.getAddress()));
      stage.note(exchange.getRemoteAddress().getAddress());
      stage.note(exchange.getHttpContext().getServer() == stage.server);
      exchange.sendResponseHeaders(418, 0);
      stage.note(exchange.getResponseCode());
      stage.note(exchange.getResponseHeaders().getFirst("transfer-encoding"));
      stage.note(exchange.getResponseHeaders().containsKey("date"));
      exchange.close();
      stage.note(exchange.getResponseCode());
    });
    try (Peer peer = stage.peer()) {
      peer.get("/");
      stage.noteAnswer(peer);
    }
  }
}
