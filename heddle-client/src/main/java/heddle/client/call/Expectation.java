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
   * The request to send: with the expectation if the client's options ask for one and the request
   * has no Expect field; without it if there is no content, since it must not be sent then.
   *
   * @param from from how many bytes on content waits, at least 1, or {@link CallOptions#NEVER}
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
   * What to send instead of a request whose content was withheld: the same without the expectation
   * (RFC 9110 §15.5.18). Null if the server refused the request and not the expectation, or if the
   * request has other expectations too, which it may depend on.
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
