package heddle.examples.service;

import io.javalin.Javalin;
import io.javalin.http.Context;
import io.javalin.http.NotFoundResponse;
import io.javalin.http.sse.SseClient;
import io.javalin.http.staticfiles.Location;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;

// doc: service
/** The same on Javalin. */
final class NotesOnJavalin {
  private final Map<Integer, Note> notes = new ConcurrentSkipListMap<>();
  private final AtomicInteger ids = new AtomicInteger();

  Javalin start(int port, Path site) {
    return Javalin.create(config -> {
          config.concurrency.useVirtualThreads = true;
          config.startup.showJavalinBanner = false;
          config.staticFiles.add(site.toString(), Location.EXTERNAL);
          config.routes.get("/notes", ctx -> ctx.json(notes.values()));
          config.routes.post(
              "/notes", ctx -> ctx.status(201).json(add(ctx.bodyAsClass(Note.class))));
          config.routes.get("/notes/{id}", this::get);
          config.routes.delete("/notes/{id}", ctx -> {
            notes.remove(id(ctx));
            ctx.status(204);
          });
          config.routes.sse("/countdown", NotesOnJavalin::countDown);
          config.routes.ws("/echo", ws -> ws.onMessage(ctx -> ctx.send(ctx.message())));
        })
        .start(port);
  }

  private void get(Context ctx) {
    Note note = notes.get(id(ctx));
    if (note == null) {
      throw new NotFoundResponse();
    }
    ctx.json(note);
  }

  private static int id(Context ctx) {
    return ctx.pathParamAsClass("id", Integer.class).get();
  }

  private static void countDown(SseClient client) {
    String from = Objects.requireNonNullElse(client.ctx().queryParam("from"), "3");
    for (int i = Integer.parseInt(from); i > 0; i--) {
      client.sendEvent("" + i);
    }
  }

  private Note add(Note given) {
    Note note = new Note(ids.incrementAndGet(), given.text());
    notes.put(note.id(), note);
    return note;
  }
}
// doc: end
