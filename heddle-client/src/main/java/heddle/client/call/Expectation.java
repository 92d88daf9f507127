package heddle.client.call;

import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Request;
import heddle.http.Status;
import org.jspecify.annotations.Nullable;

/** Which requests expect 100 (Continue) before their content is sent: RFC 9110 §10.1.1. */
final class Expectation {
  private Expectation() {}

  /**
   * A request with the expectation that its client wants of it. One with an Expect field of its own
   * stays as it is.
   *
   * @param from how many bytes of content are worth waiting, at least 1
   */
  static Request added(Request request, long from) {
    long length = request.body().length();
    boolean much = length == Body.UNKNOWN || length >= from;
    return much && !request.headers().contains(HeaderName.EXPECT)
        ? request.toBuilder().expectContinue().build()
        : request;
  }

  /**
   * What to send in the place of a request whose content was withheld: where the server refused the
   * expectation and not the request (RFC 9110 §15.5.18), the same without it. Null where it refused
   * the request, or this expects something else too, which it may not be able to do without.
   */
  static @Nullable Request refused(Request request, Status status) {
    Headers fields = request.headers();
    boolean without = status.equals(Status.EXPECTATION_FAILED)
        && fields.all(HeaderName.EXPECT).stream().allMatch("100-continue"::equalsIgnoreCase);
    return without
        ? request.toBuilder()
            .headers(fields.toBuilder().remove(HeaderName.EXPECT).build())
            .build()
        : null;
  }
}
