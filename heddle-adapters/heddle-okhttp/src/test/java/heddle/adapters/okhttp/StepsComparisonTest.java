package heddle.adapters.okhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.adapters.okhttp.Stage.Scene;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import mockwebserver3.MockResponse;
import okhttp3.Cache;
import okhttp3.CacheControl;
import okhttp3.Call;
import okhttp3.Cookie;
import okhttp3.CookieJar;
import okhttp3.EventListener;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.ResponseBody;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Interceptors, cookies, caches and cancelling, which do the same over Heddle. */
@Timeout(60)
class StepsComparisonTest {
  private static void assertSameSeen(Scene scene, Stack stack) throws Exception {
    assertEquals(
        String.join("\n", Stage.play(scene, Stack.STOCK)),
        String.join("\n", Stage.play(scene, stack)));
  }

  private static Scene intercepted(String name, Interceptor application) {
    return new Scene(name, client -> client.addInterceptor(application), stage -> {
      stage.answer(200, "one", "X-Number", "1");
      stage.answer(200, "two", "X-Number", "2");
      stage.call(stage.request("/a").post(RequestBody.create("four", null)));
    });
  }

  private static Scene leavingItsResponseOpen() {
    AtomicReference<Response> left = new AtomicReference<>();
    Scene leaving = intercepted("one that leaves the response open and throws", chain -> {
      left.set(chain.proceed(chain.request()));
      throw new IOException("open");
    });
    return new Scene(leaving.name(), leaving.settings(), stage -> {
      leaving.play().on(stage);
      stage.closeAtLast(left.get());
    });
  }

  private static Scene onNetwork(String name, Interceptor network) {
    return new Scene(name, client -> client.addNetworkInterceptor(network), stage -> {
      stage.answer(302, "", "Location", "/c");
      stage.answer(200, "one", "X-Number", "1");
      stage.get("/a");
    });
  }

  static Stream<Arguments> interceptors() {
    return Stage.overBoth(List.of(
        intercepted("one that changes everything", chain -> {
          Request changed = chain
              .request()
              .newBuilder()
              .url(chain.request().url().newBuilder().encodedPath("/b").build())
              .put(RequestBody.create("other", null))
              .header("X-Added", "1")
              .build();
          Response response = chain.proceed(changed);
          return response.newBuilder().code(299).header("X-Back", "1").build();
        }),
        intercepted("one that asks twice", chain -> {
          chain.proceed(chain.request()).close();
          return chain.proceed(chain.request());
        }),
        intercepted("one that asks twice without closing", chain -> {
          Response first = chain.proceed(chain.request());
          try {
            return chain.proceed(chain.request());
          } finally {
            first.close();
          }
        }),
        intercepted("one that reads the body and gives another", chain -> {
          Response response = chain.proceed(chain.request());
          String said = response.body().string();
          return response
              .newBuilder()
              .body(ResponseBody.create(said + "!", response.body().contentType()))
              .build();
        }),
        intercepted("one that throws before", chain -> {
          throw new IOException("before");
        }),
        intercepted("one that throws after", chain -> {
          chain.proceed(chain.request()).close();
          throw new IOException("after");
        }),
        leavingItsResponseOpen(),
        intercepted("one that fails", chain -> {
          chain.proceed(chain.request()).close();
          throw new IllegalStateException("failed");
        }),
        intercepted("one that catches", chain -> {
          try (Response unused = chain.proceed(
              chain.request().newBuilder().url("http://no-such-host.invalid/").build())) {
            throw new IOException("this host should not be looked up");
          } catch (IOException e) {
            return chain.proceed(chain.request());
          }
        })));
  }

  static Stream<Arguments> networkInterceptors() {
    return Stage.overBoth(List.of(
        onNetwork("a network interceptor", chain -> {
          Response response =
              chain.proceed(chain.request().newBuilder().header("X-Added", "1").build());
          return response.newBuilder().header("X-Back", "1").build();
        }),
        onNetwork("a network interceptor that reads the body", chain -> {
          Response response = chain.proceed(chain.request());
          return response
              .newBuilder()
              .body(ResponseBody.create(response.body().string() + "!", null))
              .build();
        }),
        onNetwork("a network interceptor that throws", chain -> {
          chain.proceed(chain.request()).close();
          throw new IOException("after");
        })));
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource({"interceptors", "networkInterceptors"})
  void interceptorsDoTheSame(Scene scene, Stack stack) throws Exception {
    assertSameSeen(scene, stack);
  }

  // ---- cookies

  /** Keeps all cookies, and returns all of them for any URL. */
  private static final class Jar implements CookieJar {
    private final List<Cookie> all = new CopyOnWriteArrayList<>();

    @Override
    public void saveFromResponse(HttpUrl url, List<Cookie> cookies) {
      all.addAll(cookies);
    }

    @Override
    public List<Cookie> loadForRequest(HttpUrl url) {
      return all.stream().filter(each -> each.matches(url)).toList();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FACTORY", "INTERCEPTOR"})
  void cookiesAreKeptTheSame(Stack stack) throws Exception {
    Scene cookies = new Scene("cookies", client -> client.cookieJar(new Jar()), stage -> {
      stage.answer(new MockResponse.Builder()
          .code(302)
          .addHeader("Location", "/in/b")
          .addHeader("Set-Cookie", "a=b; Path=/in")
          .addHeader("Set-Cookie", "c=\"d e\"; HttpOnly")
          .addHeader("Set-Cookie", "old=x; Max-Age=0")
          .addHeader("Set-Cookie", "=nothing")
          .addHeader("Set-Cookie", "far=1; Domain=example.com"));
      stage.answer(200, "in", "Set-Cookie", "a=z; Path=/in");
      stage.answer(200, "again");
      stage.get("/a");
      stage.call(stage.request("/in/c").header("Cookie", "own=1"));
    });
    assertSameSeen(cookies, stack);
    assertSameSeen(cookies.overHttp2(), stack);
  }

  // ---- caches

  private static final List<String[]> CACHED = List.of(
      new String[] {"Cache-Control", "max-age=60"},
      new String[] {"Cache-Control", "max-age=0", "ETag", "v1"},
      new String[] {"Cache-Control", "no-store"},
      new String[] {"Cache-Control", "no-cache", "ETag", "v1"},
      new String[] {"Last-Modified", "Mon, 01 Jan 2024 00:00:00 GMT"},
      new String[] {"Expires", "Mon, 01 Jan 2024 00:00:00 GMT"},
      new String[] {"Cache-Control", "max-age=60", "Vary", "X-Kind"},
      new String[] {"Cache-Control", "max-age=60", "Vary", "*"},
      new String[] {"Cache-Control", "max-age=60, must-revalidate"});

  @ParameterizedTest
  @EnumSource(names = {"FACTORY", "INTERCEPTOR"})
  void cachesDoTheSame(Stack stack, @TempDir Path folder) throws Exception {
    int number = 0;
    for (String[] fields : CACHED) {
      for (String method : List.of("GET", "PUT")) {
        number++;
        Path stock = folder.resolve("stock" + number);
        Path ours = folder.resolve("ours" + number);
        assertEquals(
            String.join("\n", Stage.play(cached(fields, method, stock), Stack.STOCK)),
            String.join("\n", Stage.play(cached(fields, method, ours), stack)));
      }
    }
  }

  /** Makes a request, does something, and makes another request. */
  private static Scene cached(String[] fields, String between, Path folder) {
    return new Scene(
        "cached", client -> client.cache(new Cache(folder.toFile(), 1 << 20)), stage -> {
          stage.answer(200, "first", fields);
          stage.answer(200, "between");
          boolean asksAgain = List.of(fields).contains("v1") || List.of(fields).contains("Expires");
          if (asksAgain) {
            stage.answer(new MockResponse.Builder().code(304).addHeader("X-Fresh", "1"));
          }
          stage.answer(200, "last");
          stage.call(stage.request("/a").header("X-Kind", "1"));
          boolean sends = between.equals("PUT");
          stage.call(
              stage.request("/b").method(between, sends ? RequestBody.create("four", null) : null));
          stage.call(stage.request("/a").header("X-Kind", "1"));
          stage.call(
              stage.request("/a").header("X-Kind", "2").cacheControl(CacheControl.FORCE_CACHE));
          Cache cache = stage.client().cache();
          stage.note(
              cache == null
                  ? "no cache"
                  : cache.requestCount() + " " + cache.hitCount() + " " + cache.networkCount());
        });
  }

  // ---- cancelling

  /** Cancels a call at one of its events. */
  private static final class Cancelling extends Diary {
    private final String at;

    Cancelling(String at) {
      this.at = at;
    }

    @Override
    void noted(Call call, String entry) {
      if (entry.startsWith(at)) {
        call.cancel();
      }
    }
  }

  static Stream<Arguments> events() {
    List<Arguments> all = new ArrayList<>();
    for (String event : List.of(
        "callStart",
        "proxySelectStart",
        "proxySelectEnd",
        "dnsStart",
        "dnsEnd",
        "connectStart",
        "connectEnd",
        "connectionAcquired",
        "requestHeadersStart",
        "requestHeadersEnd",
        "requestBodyStart",
        "requestBodyEnd",
        "responseHeadersStart",
        "responseHeadersEnd",
        "followUpDecision",
        "responseBodyStart",
        "responseBodyEnd",
        "connectionReleased",
        "callEnd")) {
      all.add(Arguments.of(event, false));
      // OkHttp goes on reading content that has arrived over HTTP/2 before it was cancelled.
      if (!event.equals("responseBodyStart")) {
        all.add(Arguments.of(event, true));
      }
    }
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("events")
  void cancellingAtAnEventEndsTheCallAlike(String event, boolean http2) throws Exception {
    List<String> outcomes = new ArrayList<>();
    for (Stack each : List.of(Stack.STOCK, Stack.FACTORY)) {
      Cancelling listener = new Cancelling(event);
      EventListener.Factory listeners = call -> listener;
      Scene scene = new Scene("cancel", client -> client.eventListenerFactory(listeners), stage -> {
        stage.answer(200, "x".repeat(100_000));
        stage.call(stage.request("/").post(RequestBody.create("four", null)));
      });
      List<String> record = Stage.play(http2 ? scene.overHttp2() : scene, each);
      // Before a response, OkHttp reports the closed socket or stream, and the adapter the cancel.
      outcomes.add(record.stream()
              .filter(noted -> noted.startsWith("failed"))
              .map(noted -> noted.replace("StreamResetException", "IOException"))
              .toList()
          + " "
          + listener.entries.stream()
              .filter(noted -> noted.startsWith("cancel") || noted.startsWith("call"))
              .map(noted -> noted.replaceFirst("(Socket|StreamReset)Exception", "IOException"))
              .toList());
    }
    assertEquals(outcomes.getFirst(), outcomes.getLast());
  }
}
