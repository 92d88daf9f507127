package heddle.client.call;

import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Request;
import heddle.http.Status;
import org.jspecify.annotations.Nullable;

/** Which requests expect 100 (Continue) before their content is sent: RFC 9110 §10.1.1. */
final class Expectation {
  private static final String CONTINUE = "100-continue";

  private Expectation() {}

  /**
   * A request as it is sent: with the expectation that its client wants of it, unless it has an
   * Expect field of its own; without any where it has no content to be waited for, which a client
   * must not send.
   *
   * @param from how many bytes of content are worth waiting, at least 1; {@link CallOptions#NEVER}
   *     where none are
   */
  static Request applied(Request request, long from) {
    long length = request.body().length();
    if (length == 0) {
      return request.headers().containsToken(HeaderName.EXPECT, CONTINUE)
          ? without(request)
          : request;
    }
    boolean wanted = from != CallOptions.NEVER && (length == Body.UNKNOWN || length >= from);
    return wanted && !request.headers().contains(HeaderName.EXPECT)
        ? request.toBuilder().expectContinue().build()
        : request;
  }

  /**
   * What to send in the place of a request whose content was withheld: where the server refused the
   * expectation and not the request (RFC 9110 §15.5.18), the same without it. Null where it refused
   * the request, or this expects something else too, which it may not be able to do without.
   */
  static @Nullable Request refused(Request request, Status status) {
    boolean expectation = status.equals(Status.EXPECTATION_FAILED)
        && request.headers().all(HeaderName.EXPECT).stream().allMatch(CONTINUE::equalsIgnoreCase);
    return expectation ? without(request) : null;
  }

  private static Request without(Request request) {
    Headers others = request.headers().toBuilder().remove(HeaderName.EXPECT).build();
    return request.toBuilder().headers(others).build();
  }
}
