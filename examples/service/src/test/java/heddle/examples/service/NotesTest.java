package heddle.examples.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.HttpClient;
import heddle.http.Method;
import heddle.http.Request;
import heddle.server.HttpServer;
import heddle.sse.EventStream;
import heddle.sse.ServerSentEvent;
import heddle.websocket.Message;
import heddle.websocket.WebSocket;
import io.javalin.Javalin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Both services do the same. */
@Timeout(60)
class NotesTest {
  @TempDir
  private Path site;

  @Test
  void onHeddle() throws Exception {
    writeSite();
    try (HttpServer server = new NotesOnHeddle().start(0, site)) {
      check(server.port());
    }
  }

  @Test
  void onJavalin() throws Exception {
    writeSite();
    Javalin server = new NotesOnJavalin().start(0, site);
    try {
      check(server.port());
    } finally {
      server.stop();
    }
  }

  private void writeSite() throws IOException {
    Files.writeString(site.resolve("about.html"), "<p>Notes</p>");
  }

  private static void check(int port) throws Exception {
    String base = "http://localhost:" + port;
    try (HttpClient client = HttpClient.builder().baseUrl(base).build()) {
      Note first = client
          .send(Request.builder(base + "/notes")
              .method(Method.POST)
              .body(new Note(0, "a"))
              .build())
          .as(Note.class);
      assertEquals(new Note(1, "a"), first);
      assertEquals(first, client.get("/notes/1").as(Note.class));
      assertEquals("[{\"id\":1,\"text\":\"a\"}]", client.get("/notes").string());
      assertEquals(404, client.get("/notes/7").status().code());
      assertTrue(client.get("/notes/x").status().isClientError());
      assertEquals(
          204,
          client
              .send(Request.builder(base + "/notes/1").method(Method.DELETE).build())
              .status()
              .code());
      assertEquals(404, client.get("/notes/1").status().code());

      List<String> counted = new ArrayList<>();
      Request countdown = Request.builder(base + "/countdown?from=2")
          .header("Accept", "text/event-stream")
          .build();
      try (EventStream events = EventStream.of(client.send(countdown))) {
        for (ServerSentEvent event : events) {
          counted.add(event.data());
        }
      }
      assertEquals(List.of("2", "1"), counted);

      try (WebSocket socket = WebSocket.open(client, "ws://localhost:" + port + "/echo")) {
        socket.send("hello");
        assertTrue(socket.receive() instanceof Message.Text text && text.text().equals("hello"));
      }

      assertEquals("<p>Notes</p>", new String(client.get("/about.html").bytes(), UTF_8));
      assertEquals(404, client.get("/none.html").status().code());
    }
  }
}
