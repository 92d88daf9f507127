package heddle.examples.service;

import heddle.http.Response;
import heddle.http.Status;
import heddle.server.HttpServer;
import heddle.sse.EventSender;
import heddle.web.Router;
import heddle.web.files.StaticFiles;
import heddle.websocket.Message;
import heddle.websocket.WebSocketHandler;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;

// doc: service
/** Notes as JSON, a countdown as events, an echo over WebSocket, and the files of a directory. */
final class NotesOnHeddle {
  private final Map<Integer, Note> notes = new ConcurrentSkipListMap<>();
  private final AtomicInteger ids = new AtomicInteger();

  HttpServer start(int port, Path site) throws IOException {
    Router router = Router.builder()
        .get("/notes", exchange -> exchange.respond(notes.values()))
        .post("/notes", exchange -> {
          Note note =
              new Note(ids.incrementAndGet(), exchange.bodyAs(Note.class).text());
          notes.put(note.id(), note);
          return exchange.respond(201, note);
        })
        .get("/notes/{id}", exchange -> {
          Note note = notes.get(exchange.path("id").asInt());
          return note == null ? Response.of(Status.NOT_FOUND) : exchange.respond(note);
        })
        .delete("/notes/{id}", exchange -> {
          notes.remove(exchange.path("id").asInt());
          return Response.of(Status.NO_CONTENT);
        })
        .get("/countdown", exchange -> {
          try (EventSender events = EventSender.open(exchange)) {
            for (int i = exchange.query("from").asInt(3); i > 0; i--) {
              events.send("" + i);
            }
          }
          return null;
        })
        .get("/echo", WebSocketHandler.of((socket, exchange) -> {
          for (Message message : socket) {
            if (message instanceof Message.Text text) {
              socket.send(text.text());
            }
          }
        })::handle)
        .any("/{file...}", StaticFiles.directory(site).build()::handle)
        .build();
    return HttpServer.builder().port(port).exchangeHandler(router).start();
  }
}
// doc: end
