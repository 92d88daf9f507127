package heddle.client.step;

import heddle.client.spi.CookieStore;
import heddle.client.spi.Interceptor;
import heddle.http.HeaderName;
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
    if (set.isEmpty()) {
      return response;
    }
    try {
      store.save(request, set);
      return response;
    } catch (IOException | RuntimeException | Error e) {
      // The caller does not get the response: closing it releases its connection.
      try (response) {
        throw e;
      }
    }
  }

  private Request withCookies(Request request) throws IOException {
    String cookies = request.headers().contains(HeaderName.COOKIE) ? "" : store.load(request);
    return cookies.isEmpty()
        ? request
        : request.toBuilder().header(HeaderName.COOKIE, cookies).build();
  }
}
