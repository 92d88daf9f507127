package heddle.client.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.spi.CookieStore;
import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class CookiesTest {
  /** Answers the same for all, and notes what it is asked and told. */
  private static class NotingStore implements CookieStore {
    final List<String> noted = new ArrayList<>();
    String cookies = "";

    @Override
    public String load(Request request) throws IOException {
      noted.add("load " + request.target());
      return cookies;
    }

    @Override
    public void save(Request request, List<String> setCookies) throws IOException {
      noted.add("save " + request.target() + " " + setCookies);
    }
  }

  private final NotingStore store = new NotingStore();

  private Request sent(Request request) throws IOException {
    AtomicReference<Request> sent = new AtomicReference<>();
    new Cookies(store).intercept(request, asked -> {
      sent.set(asked);
      return Response.ok("x");
    });
    return sent.get();
  }

  @Test
  void cookiesOfTheStoreAreSentInOneField() throws Exception {
    store.cookies = "a=1; b=2";
    assertEquals(
        List.of("a=1; b=2"), sent(Request.get("http://a/p")).headers().all(HeaderName.COOKIE));
    assertEquals(List.of("load /p"), store.noted);
  }

  @Test
  void requestStaysAsItIsWhereThereAreNone() throws Exception {
    Request request = Request.get("http://a/");
    assertSame(request, sent(request));
  }

  @Test
  void fieldOfTheUsersOwnIsSentAloneAndTheStoreIsNotAsked() throws Exception {
    store.cookies = "a=1";
    Request request = Request.builder("http://a/").header("cookie", "mine=1").build();
    assertSame(request, sent(request));
    assertEquals(List.of(), store.noted);
  }

  @Test
  void allSetCookieFieldsAreKeptInOrderWhateverTheStatus() throws Exception {
    Response response = Response.builder(Status.UNAUTHORIZED)
        .header("Set-Cookie", "a=1")
        .header("X-Other", "1")
        .header("set-cookie", "b=2, c; Path=/")
        .build();
    Request own = Request.builder("http://a/p").header("Cookie", "mine=1").build();
    assertSame(response, new Cookies(store).intercept(own, request -> response));
    assertEquals(List.of("save /p [a=1, b=2, c; Path=/]"), store.noted);
  }

  @Test
  void failureOfTheStoreFailsTheCallAndClosesTheResponse() {
    AtomicBoolean closed = new AtomicBoolean();
    InputStream content = new InputStream() {
      @Override
      public int read() {
        return -1;
      }

      @Override
      public void close() throws IOException {
        closed.set(true);
        throw new IOException("cannot even close");
      }
    };
    IOException full = new IOException("disk full");
    CookieStore failing = new NotingStore() {
      @Override
      public void save(Request request, List<String> setCookies) throws IOException {
        throw full;
      }
    };
    Response response = Response.builder(Status.OK)
        .header("Set-Cookie", "a=1")
        .body(Body.of(content))
        .build();
    IOException failure = assertThrows(IOException.class, () -> new Cookies(failing)
        .intercept(Request.get("http://a/"), request -> response));
    assertSame(full, failure);
    assertTrue(closed.get());
    assertEquals("cannot even close", failure.getSuppressed()[0].getMessage());
  }

  @Test
  void cookieThatCouldSplitTheMessageIsRefused() {
    store.cookies = "a=1\r\nX-Injected: 1";
    assertThrows(IllegalArgumentException.class, () -> sent(Request.get("http://a/")));
  }
}
