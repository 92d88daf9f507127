package heddle.httpserver;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** How requests arrive. */
final class RequestScenes {
  private RequestScenes() {}

  static Map<String, Stage.Scene> all() {
    Map<String, Stage.Scene> all = new LinkedHashMap<>();
    String[] targets = {
      "/",
      "/a/b%20c?x=%41&y",
      "/a?",
      "//",
      "//a/b",
      "/a//b",
      "/%zz",
      "/a[b",
      "/a;b=c",
      "/..",
      "http://example.com/a?b",
      "http://example.com"
    };
    for (String target : targets) {
      all.put("the target " + target, stage -> target(stage, target));
    }
    all.put("fields", RequestScenes::fields);
    all.put("no Host", stage -> echo(stage, "GET / HTTP/1.1\r\n\r\n"));
    all.put("an empty line first", stage -> echo(stage, "\r\nGET / HTTP/1.1\r\n\r\n"));
    all.put("another method", stage -> echo(stage, "BREW /pot HTTP/1.1\r\n\r\n"));
    all.put("content", stage -> echo(stage, "PUT / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc"));
    all.put(
        "content in chunks",
        stage -> echo(
            stage,
            "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"));
    all.put(
        "content of GET", stage -> echo(stage, "GET / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc"));
    all.put("much content", stage -> echo(stage, withContent("PUT / HTTP/1.1", 300_000)));
    all.put("two lengths", stage -> refused(stage, "Content-Length: 1\r\nContent-Length: 2"));
    all.put(
        "length and chunks",
        stage -> refused(stage, "Content-Length: 1\r\nTransfer-Encoding: chunked"));
    all.put("another coding", stage -> refused(stage, "Transfer-Encoding: gzip"));
    all.put("a length that is no number", stage -> refused(stage, "Content-Length: x"));
    all.put("a name that is no token", stage -> refused(stage, "a b: c"));
    all.put("requests behind one another", RequestScenes::pipelined);
    all.put("100-continue", RequestScenes::expected);
    all.put("content that is cut", RequestScenes::cut);
    all.put("little content that is not read", stage -> unread(stage, 1000));
    all.put("much content that is not read", stage -> unread(stage, 1_000_000));
    all.put("content that is closed", RequestScenes::closed);
    all.put("HTTP/1.0", stage -> old(stage, "", 5));
    all.put("HTTP/1.0 that stays", stage -> old(stage, "Connection: keep-alive\r\n", 5));
    all.put("HTTP/1.0 without a length", stage -> old(stage, "", 0));
    all.put("a client that closes", RequestScenes::clientCloses);
    all.put("a client that ends its output", RequestScenes::halfClosed);
    all.put("an executor", RequestScenes::executor);
    all.put("an executor that rejects", RequestScenes::rejection);
    all.put("handlers at the same time", RequestScenes::concurrent);
    return all;
  }

  private static String withContent(String line, int length) {
    return line + "\r\nHost: test\r\nContent-Length: " + length + "\r\n\r\n" + "x".repeat(length);
  }

  private static void target(Stage stage, String target) throws Exception {
    stage.serve(exchange -> {
      stage.note(exchange.getRequestURI());
      stage.note(exchange.getRequestURI().getPath());
      stage.note(exchange.getRequestURI().getRawQuery());
      Stage.reply(exchange, "found");
    });
    try (Peer peer = stage.peer()) {
      try {
        stage.note(peer.get(target).answer().status());
      } catch (IOException e) {
        stage.note("the connection has ended");
      }
    }
  }

  private static void fields(Stage stage) throws Exception {
    stage.serve(exchange -> {
      var fields = exchange.getRequestHeaders();
      stage.note(fields.keySet().stream().sorted().toList());
      stage.note(fields.get("x-many") + " " + fields.getFirst("X-MANY"));
      stage.note(fields.getFirst("empty") + "|" + fields.getFirst("missing"));
      stage.note(fields.getFirst("latin") + "|" + fields.getFirst("blanks"));
      stage.noteFailure("add", () -> fields.add("a", "b"));
      stage.noteFailure("add to a list", () -> fields.get("x-many").add("c"));
      stage.note(fields == exchange.getRequestHeaders());
      Stage.reply(exchange, "");
    });
    try (Peer peer = stage.peer()) {
      peer.send("GET / HTTP/1.1\r\nhOST: test\r\nx-many: 1\r\nX-Many: 2\r\nEmpty:\r\n"
          + "Latin: \u00e4\r\nBlanks:   a  b  \r\n\r\n");
      stage.noteAnswer(peer);
    }
  }

  private static void echo(Stage stage, String request) throws Exception {
    stage.serve(exchange -> {
      byte[] content = exchange.getRequestBody().readAllBytes();
      stage.note(exchange.getRequestBody().read());
      stage.note(exchange.getRequestMethod() + " " + content.length);
      Stage.reply(exchange, content.length < 100 ? new String(content, "ISO-8859-1") : "long");
    });
    try (Peer peer = stage.peer()) {
      peer.send(request);
      stage.noteAnswer(peer);
    }
  }

  private static void refused(Stage stage, String field) throws Exception {
    stage.serve(exchange -> Stage.reply(exchange, "not refused"));
    try (Peer peer = stage.peer()) {
      peer.send("POST / HTTP/1.1\r\nHost: test\r\n" + field + "\r\n\r\n");
      stage.note(peer.answer().status());
      stage.note(peer.isEnded());
    }
  }

  private static void pipelined(Stage stage) throws Exception {
    stage.serve(exchange -> Stage.reply(exchange, exchange.getRequestURI().toString()));
    try (Peer peer = stage.peer()) {
      peer.send("GET /1 HTTP/1.1\r\n\r\nPOST /2 HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc"
          + "GET /3 HTTP/1.1\r\n\r\n");
      for (int i = 0; i < 3; i++) {
        stage.noteAnswer(peer);
      }
    }
  }

  private static void expected(Stage stage) throws Exception {
    stage.serve(exchange -> {
      byte[] content = exchange.getRequestBody().readAllBytes();
      Stage.reply(exchange, content.length + " bytes");
    });
    try (Peer peer = stage.peer()) {
      peer.send(
          "PUT / HTTP/1.1\r\nHost: test\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
      stage.note(peer.answer().status());
      peer.send("abc");
      stage.noteAnswer(peer);
    }
  }

  private static void cut(Stage stage) throws Exception {
    var failed = new CountDownLatch(2);
    stage.serve(exchange -> {
      try {
        exchange.getRequestBody().readAllBytes();
        stage.note("not cut");
      } catch (IOException e) {
        stage.note("cut");
        throw e;
      } finally {
        failed.countDown();
      }
    });
    String[] framings = {
      "Content-Length: 200000\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n5\r\na"
    };
    for (String framing : framings) {
      try (Peer peer = stage.peer()) {
        peer.send("PUT / HTTP/1.1\r\nHost: test\r\n" + framing);
      }
    }
    stage.note(failed.await(20, TimeUnit.SECONDS));
  }

  private static void unread(Stage stage, int length) throws Exception {
    stage.serve(exchange -> Stage.reply(exchange, exchange.getRequestMethod()));
    try (Peer peer = stage.peer()) {
      try {
        peer.send(withContent("POST / HTTP/1.1", length));
      } catch (IOException e) {
        stage.note("the connection has ended while the client sent");
        return;
      }
      if (length < 65_536) {
        stage.noteAnswer(peer);
        peer.get("/");
        stage.noteAnswer(peer);
      } else {
        stage.note("the connection has ended while the client sent");
      }
    }
  }

  private static void closed(Stage stage) throws Exception {
    stage.serve(exchange -> {
      InputStream in = exchange.getRequestBody();
      stage.note(in.markSupported() + " " + (char) in.read() + " " + in.read(new byte[0]));
      in.close();
      stage.noteFailure("read", in::read);
      stage.noteFailure("close", in::close);
      Stage.reply(exchange, "closed");
    });
    try (Peer peer = stage.peer()) {
      for (int i = 0; i < 2; i++) {
        peer.send("POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 3\r\n\r\nabc");
        stage.noteAnswer(peer);
      }
    }
  }

  private static void old(Stage stage, String field, int length) throws Exception {
    stage.serve(exchange -> {
      exchange.sendResponseHeaders(200, length);
      exchange.getResponseBody().write("hello".getBytes("UTF-8"));
      exchange.getResponseBody().flush();
      exchange.close();
    });
    try (Peer peer = stage.peer()) {
      peer.send("GET / HTTP/1.0\r\n" + field + "\r\n");
      Peer.Answer answer = peer.answer();
      stage.note(answer);
      stage.note(length == 0 || answer.has("connection: keep-alive"));
      if (field.isEmpty()) {
        stage.note(peer.isEnded());
      }
    }
  }

  private static void clientCloses(Stage stage) throws Exception {
    stage.serve(exchange -> Stage.reply(exchange, "bye"));
    try (Peer peer = stage.peer()) {
      peer.send("GET / HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n");
      stage.noteAnswer(peer);
      stage.note(peer.isEnded());
    }
  }

  private static void halfClosed(Stage stage) throws Exception {
    var ended = new CountDownLatch(1);
    stage.serve(exchange -> {
      Stage.await(ended);
      Stage.reply(exchange, "still there");
    });
    try (Peer peer = stage.peer()) {
      peer.get("/");
      peer.finish();
      ended.countDown();
      stage.noteAnswer(peer);
      stage.note(peer.isEnded());
    }
  }

  private static void executor(Stage stage) throws Exception {
    stage.server.setExecutor(task -> new Thread(task, "mine").start());
    stage.serve(exchange -> {
      stage.note(Thread.currentThread().getName());
      Stage.reply(exchange, "");
    });
    stage.note(stage.server.getExecutor() != null);
    try (Peer peer = stage.peer()) {
      peer.get("/");
      stage.noteAnswer(peer);
    }
  }

  private static void rejection(Stage stage) throws Exception {
    stage.server.setExecutor(task -> {
      throw new RejectedExecutionException("on purpose");
    });
    stage.serve(HttpExchange::close);
    try (Peer peer = stage.peer()) {
      peer.get("/");
      stage.noteAnswer(peer);
    }
  }

  private static void concurrent(Stage stage) throws Exception {
    var both = new CountDownLatch(2);
    stage.serve(exchange -> {
      both.countDown();
      Stage.await(both);
      Stage.reply(exchange, "both");
    });
    try (Peer one = stage.peer();
        Peer other = stage.peer()) {
      one.get("/");
      other.get("/");
      stage.noteAnswer(one);
      stage.noteAnswer(other);
    }
  }
}
