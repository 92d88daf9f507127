package heddle.client.step;

import heddle.client.spi.CookieStore;
import heddle.client.spi.Interceptor;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Request;
import heddle.http.Response;
import java.io.IOException;
import java.util.List;

/**
 * Sends the cookies of a store with each request, and stores those that responses set. A request in
 * which the caller has set Cookie is sent unchanged. Safe for use by many threads if the store is.
 */
public final class Cookies implements Interceptor {
  private final CookieStore store;

  public Cookies(CookieStore store) {
    this.store = store;
  }

  @Override
  public Response intercept(Request request, Chain chain) throws IOException {
    Response response = chain.proceed(withCookies(request));
    List<String> set = response.headers().all(HeaderName.SET_COOKIE);
    if (!set.isEmpty()) {
      save(request, set, response);
    }
    return response;
  }

  private Request withCookies(Request request) throws IOException {
    Headers headers = request.headers();
    if (headers.contains(HeaderName.COOKIE)) {
      return request;
    }
    String cookies = store.load(request);
    return cookies.isEmpty()
        ? request
        : request.toBuilder().header(HeaderName.COOKIE, cookies).build();
  }

  private void save(Request request, List<String> set, Response response) throws IOException {
    try {
      store.save(request, set);
    } catch (IOException | RuntimeException | Error e) {
      // The caller does not get the response, so it has to be closed here to release its
      // connection.
      try {
        response.close();
      } catch (IOException also) {
        e.addSuppressed(also);
      }
      throw e;
    }
  }
}
