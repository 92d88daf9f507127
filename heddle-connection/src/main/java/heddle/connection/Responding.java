package heddle.connection;

import heddle.http.Response;
import java.io.IOException;

/** What is done around a response in the same way by all protocol versions. */
public final class Responding {
  private Responding() {}

  /** Turns a request away on a thread of its own: {@link ServerExchange#refuse}. */
  public static void refuse(ServerExchange exchange, Response response) {
    Thread.ofVirtual().name("heddle-refusal").start(() -> {
      try {
        exchange.respond(response);
      } catch (ResponseFailedException e) {
        exchange.abandon();
      } finally {
        exchange.leave();
      }
    });
  }

  /**
   * Closes a response that has been sent, or cannot be. What its body holds is the body's own: that
   * it cannot be closed does not concern the peer, and whoever made the body has no caller here to
   * be told.
   */
  public static void closeQuietly(Response response) {
    try {
      response.close();
    } catch (IOException | RuntimeException e) {
      System.getLogger(Responding.class.getName())
          .log(System.Logger.Level.WARNING, "closing a response's body failed", e);
    }
  }
}
