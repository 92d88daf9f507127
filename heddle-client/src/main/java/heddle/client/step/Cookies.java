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
 * Sends the cookies of a store with each request and keeps what each response sets there. A Cookie
 * field that the user has set is sent alone. Safe for use by many threads if the store is.
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
      // Nobody will read it: its connection must not be lost with it.
      try {
        response.close();
      } catch (IOException also) {
        e.addSuppressed(also);
      }
      throw e;
    }
  }
}
