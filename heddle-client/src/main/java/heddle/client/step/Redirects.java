package heddle.client.step;

import heddle.client.settings.RedirectPolicy;
import heddle.client.spi.Interceptor;
import heddle.http.HeaderName;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.failure.TooManyRedirectsException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Follows the redirects that a {@link RedirectPolicy} allows. Safe for use by many threads. */
public final class Redirects implements Interceptor {
  private final RedirectPolicy policy;

  public Redirects(RedirectPolicy policy) {
    this.policy = policy;
  }

  /**
   * Makes a call and follows redirects.
   *
   * @throws TooManyRedirectsException if there are more redirects than the policy allows, or they
   *     lead back to an earlier request
   */
  @Override
  public Response intercept(Request request, Chain chain) throws IOException {
    Response response = chain.proceed(request);
    Request next = policy.most() == 0 ? null : RedirectTarget.of(request, response, policy);
    return next == null ? response : follow(request, response, next, chain);
  }

  private Response follow(Request first, Response redirect, Request second, Chain chain)
      throws IOException {
    History history = new History();
    List<Request> asked = new ArrayList<>();
    Request request = first;
    Response response = redirect;
    Request next = second;
    int followed = 0;
    while (next != null) {
      if (response.headers().contains(HeaderName.SET_COOKIE)) {
        asked.clear(); // With a cookie the server may answer the same request differently.
      } else {
        asked.add(request);
      }
      history.add(response, request);
      if (followed == policy.most()) {
        throw new TooManyRedirectsException(
            "the servers redirect more often than the %d times that RedirectPolicy.most allows,"
                    .formatted(policy.most())
                + " most recently to " + describe(next),
            false,
            chain.point());
      }
      Request again = next;
      if (asked.stream().anyMatch(each -> isSame(each, again))) {
        throw new TooManyRedirectsException(
            "the servers redirect in a circle, back to " + describe(next), true, chain.point());
      }
      followed++;
      request = next;
      response = chain.proceed(request);
      next = RedirectTarget.of(request, response, policy);
    }
    return history.precede(response, request);
  }

  private static boolean isSame(Request one, Request other) {
    return one.method().equals(other.method())
        && one.origin().equals(other.origin())
        && one.target().equals(other.target())
        && one.headers().equals(other.headers());
  }

  /** Without the query, which may hold private data. */
  private static String describe(Request request) {
    return request.method() + " " + request.origin() + request.path();
  }
}
