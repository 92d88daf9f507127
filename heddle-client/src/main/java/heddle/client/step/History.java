package heddle.client.step;

import heddle.http.Body;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Trailers;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;

/** The responses of a call that led to other requests. Used by one thread. */
final class History {
  /** So much is read to its end; a connection that is closed costs more than that. */
  private static final int SMALL = 32 << 10;

  private List<Response> earlier = List.of();

  /**
   * Keeps a response without its content and trailers, of which it disposes: a little is read to
   * its end, so that the connection can be used again, and more is given up.
   *
   * @param request which it answers, unless it knows better
   * @throws InterruptedIOException when the thread is interrupted meanwhile
   */
  void add(Response response, Request request) throws InterruptedIOException {
    List<Response> more = new ArrayList<>(earlier);
    more.addAll(response.earlier());
    more.add(response.toBuilder()
        .body(Body.empty())
        .trailers(Trailers.none())
        .request(answered(response, request))
        .earlier(List.of())
        .build());
    earlier = more;
    dispose(response.body());
  }

  /** A response with those before it; itself where there are none. */
  Response precede(Response response, Request request) {
    if (earlier.isEmpty()) {
      return response;
    }
    List<Response> all = new ArrayList<>(earlier);
    all.addAll(response.earlier());
    return response.answering(answered(response, request), all);
  }

  private static Request answered(Response response, Request request) {
    Request known = response.request();
    return known == null ? request : known;
  }

  private static void dispose(Body body) throws InterruptedIOException {
    try (body) {
      if (body.length() == Body.UNKNOWN) {
        try (InputStream content = body.stream()) {
          content.readNBytes(SMALL);
        }
      } else if (body.length() <= SMALL) {
        body.discard();
      }
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      // Nobody wants the content: its connection is lost, and the call goes on with another one.
    }
  }
}
