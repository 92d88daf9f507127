package heddle.bench.routes;

import heddle.bench.driver.Reply;
import heddle.bench.driver.Routes;
import heddle.http.Body;
import heddle.http.MediaType;
import heddle.http.Method;
import heddle.http.Origin;
import heddle.http.Request;
import heddle.http.Response;
import heddle.server.spi.Handler;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The routes of a handler for servers that are not Heddle's, so that all answer with the same code.
 * A response that the handler gives twice in a row is converted once.
 */
public final class HandlerRoutes implements Routes {

  /** Up to this length an answer is in memory before it is sent. */
  private static final long MOST_IN_MEMORY = 64 << 10;

  private static final int INTERNAL_SERVER_ERROR = 500;

  /** Routes do not depend on where the server listens. */
  private static final Origin SELF = new Origin("http", "localhost", 80);

  private final Handler handler;

  /** The last answer that may be given again. */
  private volatile @Nullable Converted last;

  private record Converted(Response response, Reply reply) {}

  /** Creates the routes of a handler. */
  public HandlerRoutes(Handler handler) {
    this.handler = handler;
  }

  @Override
  public Reply answer(String method, String target, InputStream content)
      throws IOException, InterruptedException {
    Request request =
        Request.builder(SELF, Method.of(method), target).body(Body.of(content)).build();
    Response response;
    try {
      response = handler.handle(request);
    } catch (IOException | InterruptedException e) {
      throw e;
    } catch (Exception e) {
      System.err.println("cannot answer " + target + ": " + e);
      return new Reply(INTERNAL_SERVER_ERROR, Map.of(), new byte[0]);
    }
    Converted known = last;
    if (known != null && known.response == response) {
      return known.reply;
    }
    Reply reply = reply(response);
    last = new Converted(response, reply);
    return reply;
  }

  private static Reply reply(Response response) throws IOException {
    Map<String, String> fields = new LinkedHashMap<>();
    response.headers().forEach(field -> fields.put(field.name().toString(), field.value()));
    Body body = response.body();
    MediaType type = body.mediaType();
    if (type != null) {
      fields.put("Content-Type", type.toString());
    }
    int status = response.status().code();
    if (body.length() > MOST_IN_MEMORY) {
      return new Reply(status, fields, body.length(), body::transferTo);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    body.transferTo(bytes);
    return new Reply(status, fields, bytes.toByteArray());
  }
}
