package heddle.adapters.jersey;

import heddle.client.spi.CookieStore;
import heddle.cookies.Rfc6265CookieStore;
import heddle.http.Request;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Creates the cookie store with the first cookie: most services set none, and the public suffix
 * list takes memory.
 */
final class FirstCookies implements CookieStore {
  private final AtomicReference<@Nullable CookieStore> kept = new AtomicReference<>();

  @Override
  public String load(Request request) throws IOException {
    CookieStore store = kept.get();
    return store == null ? "" : store.load(request);
  }

  @Override
  public void save(Request request, List<String> setCookies) throws IOException {
    CookieStore store = kept.get();
    if (store == null) {
      CookieStore made = Rfc6265CookieStore.create();
      CookieStore other = kept.compareAndExchange(null, made);
      store = other == null ? made : other;
    }
    store.save(request, setCookies);
  }
}
