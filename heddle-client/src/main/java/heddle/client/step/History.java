package heddle.client.step;

import heddle.http.Body;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Trailers;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;

/** The responses of a call that led to other requests. Used by one thread. */
final class History {
  private List<Response> earlier = List.of();

  /**
   * Keeps a response without content and trailers; {@link UnwantedContent} takes the content.
   *
   * @param request that it answers, unless {@link Response#request} says another
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
    UnwantedContent.dispose(response.body());
  }

  /** A response with the earlier ones attached; the response itself if there are none. */
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
}
