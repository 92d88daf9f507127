package heddle.sse;

import heddle.http.HttpException;

/** An event, or a line of a stream of events, has more bytes than the limit allows. */
public final class EventTooLargeException extends HttpException {
  private static final long serialVersionUID = 1L;

  EventTooLargeException(int limit) {
    super("an event has more than the " + limit + " bytes that are allowed", null, null);
  }
}
