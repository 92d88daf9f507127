package heddle.sse;

import heddle.http.Body;
import heddle.http.HttpException;
import heddle.http.MediaType;
import heddle.http.Request;
import heddle.http.Response;

/** A response of success that is no stream of events: its media type is another one, or none. */
public final class NoEventStreamException extends HttpException {
  private static final long serialVersionUID = 1L;

  private NoEventStreamException(String message) {
    super(message, null, null);
  }

  static NoEventStreamException of(Response response) {
    Body body = response.body();
    MediaType type = body.mediaType();
    Request request = response.request();
    String what = request == null ? "the response" : "the response to " + request;
    return new NoEventStreamException(
        what + " is " + (type == null ? "of no media type" : type) + ", not text/event-stream");
  }
}
