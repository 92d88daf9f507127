package heddle.adapters.okhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.adapters.okhttp.Stage.Scene;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import mockwebserver3.MockResponse;
import mockwebserver3.SocketEffect;
import okhttp3.Authenticator;
import okhttp3.FormBody;
import okhttp3.Headers;
import okhttp3.MediaType;
import okhttp3.RequestBody;
import okhttp3.Response;
import okio.Buffer;
import okio.GzipSink;
import okio.Okio;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Calls whose server, caller and listener see the same over Heddle as over OkHttp itself. */
@Timeout(60)
class ComparisonTest {
  private static final MediaType TEXT = MediaType.get("text/plain; charset=utf-8");

  /**
   * Scenes with fields that mean something else over HTTP/2, or that make a response malformed
   * there (RFC 9113 sections 8.1.1 and 8.2.2).
   */
  private static final Set<String> ONLY_HTTP_1 = Set.of(
      "status 205 with a length",
      "fields of one's own",
      "chunks and trailers",
      "the server closes after its answer",
      "the client closes after the answer");

  static Stream<Arguments> scenes() {
    List<Scene> scenes = new ArrayList<>();
    scenes.addAll(statuses());
    scenes.addAll(methods());
    scenes.addAll(contents());
    scenes.addAll(readings());
    scenes.addAll(connections());
    scenes.addAll(followUps());
    scenes.addAll(challenges());
    scenes.addAll(scenes.stream()
        .filter(each -> !ONLY_HTTP_1.contains(each.name()))
        .map(Scene::overHttp2)
        .toList());
    scenes.addAll(lostConnections());
    scenes.addAll(interims());
    return Stage.overHeddle(scenes);
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("scenes")
  void theSameIsSeen(Scene scene, Stack stack) throws Exception {
    assertEquals(
        String.join("\n", Stage.play(scene, Stack.STOCK)),
        String.join("\n", Stage.play(scene, stack)));
  }

  private static List<Scene> statuses() {
    List<Scene> scenes = new ArrayList<>();
    for (int code :
        new int[] {200, 201, 206, 226, 299, 300, 305, 306, 400, 404, 410, 421, 500, 599}) {
      scenes.add(Scene.of("status " + code, stage -> {
        stage.answer(code, "what it says", "X-A", "1", "x-a", "2", "X-Empty", "");
        stage.get("/a?b=c&d");
      }));
    }
    for (int code : new int[] {204, 205, 304}) {
      scenes.add(Scene.of("status " + code, stage -> {
        stage.answer(new MockResponse.Builder().code(code));
        stage.answer(200, "next");
        stage.get("/");
        stage.get("/");
      }));
      // OkHttp reads content of a 304, which has none (RFC 9110 section 15.4.5).
      if (code != 304) {
        scenes.add(Scene.of("status " + code + " with a length", stage -> {
          stage.answer(new MockResponse.Builder().code(code).setHeader("Content-Length", "5"));
          stage.get("/");
        }));
      }
    }
    return scenes;
  }

  private static List<Scene> methods() {
    List<Scene> scenes = new ArrayList<>();
    RequestBody four = RequestBody.create("four", TEXT);
    for (String method : List.of("POST", "PUT", "PATCH", "DELETE", "REPORT", "QUERY", "OPTIONS")) {
      scenes.add(Scene.of(method + " with content", stage -> {
        stage.answer(200, "taken");
        stage.call(stage.request("/").method(method, four));
      }));
    }
    for (String method : List.of("GET", "HEAD", "DELETE", "OPTIONS", "SEARCH")) {
      scenes.add(Scene.of(method + " without content", stage -> {
        stage.answer(new MockResponse.Builder().setHeader("Content-Length", "0"));
        stage.answer(200, "next");
        stage.call(stage.request("/").method(method, null));
        stage.get("/");
      }));
    }
    scenes.add(Scene.of("POST of nothing", stage -> {
      stage.answer(200, "taken");
      stage.call(stage.request("/").post(RequestBody.EMPTY));
    }));
    scenes.add(Scene.of("a form", stage -> {
      stage.answer(200, "taken");
      stage.call(
          stage.request("/").post(new FormBody.Builder().add("a b", "ü&=").build()));
    }));
    scenes.add(Scene.of("fields of one's own", stage -> {
      stage.answer(200, "taken");
      stage.call(stage
          .request("/")
          .header("Host", "other.example")
          .header("User-Agent", "me")
          .header("Accept-Encoding", "identity")
          .header("Connection", "keep-alive")
          .addHeader("X-Two", "1")
          .addHeader("X-Two", "2")
          .header("Content-Type", "text/mine")
          .post(four));
    }));
    return scenes;
  }

  private static Buffer zipped(String text) throws IOException {
    Buffer zipped = new Buffer();
    try (var sink = Okio.buffer(new GzipSink(zipped))) {
      sink.writeUtf8(text);
    }
    return zipped;
  }

  private static List<Scene> contents() {
    return List.of(
        Scene.of("chunks and trailers", stage -> {
          stage.answer(new MockResponse.Builder()
              .chunkedBody("one two three", 4)
              .trailers(Headers.of("X-Sum", "13")));
          try (Response response =
              stage.client().newCall(stage.request("/").build()).execute()) {
            stage.head(response);
            stage.note(response.body().string());
            stage.note("" + response.trailers());
          }
        }),
        Scene.of("gzip that was not requested", stage -> {
          stage.answer(new MockResponse.Builder()
              .body(zipped("squeezed"))
              .addHeader("Content-Encoding", "gzip"));
          stage.call(stage.request("/").header("Range", "bytes=0-"));
        }),
        Scene.of("gzip", stage -> {
          stage.answer(new MockResponse.Builder()
              .body(zipped("squeezed"))
              .addHeader("Content-Encoding", "gzip")
              .addHeader("Content-Type", "text/plain"));
          stage.get("/");
        }),
        Scene.of("gzip of a HEAD", stage -> {
          stage.answer(new MockResponse.Builder()
              .setHeader("Content-Length", "20")
              .addHeader("Content-Encoding", "gzip"));
          stage.call(stage.request("/").head());
        }),
        Scene.of("a large body, a little at a time", stage -> {
          stage.answer(200, "x".repeat(300_000));
          try (Response response =
              stage.client().newCall(stage.request("/").build()).execute()) {
            long sum = 0;
            while (!response.body().source().exhausted()) {
              sum += response.body().source().readByte();
            }
            stage.note("" + sum);
          }
        }));
  }

  private static List<Scene> readings() {
    return List.of(
        Scene.of("a peek", stage -> {
          stage.answer(200, "0123456789");
          try (Response response =
              stage.client().newCall(stage.request("/").build()).execute()) {
            stage.note(response.peekBody(4).string());
            stage.note(response.body().string());
          }
        }),
        Scene.of("a body that is read after it was closed", stage -> {
          stage.answer(200, "0123456789");
          Response response = stage.client().newCall(stage.request("/").build()).execute();
          response.close();
          response.close();
          response.body().string();
        }),
        Scene.of("a body that is read twice", stage -> {
          stage.answer(200, "0123456789");
          Response response = stage.client().newCall(stage.request("/").build()).execute();
          stage.note(response.body().string());
          response.body().string();
        }),
        Scene.of("a call that is executed twice", stage -> {
          stage.answer(200, "once");
          var call = stage.client().newCall(stage.request("/").build());
          stage.note(call.isExecuted() + " " + call.isCanceled());
          stage.note(call.execute().body().string());
          stage.note(call.isExecuted() + " " + call.isCanceled());
          call.execute();
        }),
        Scene.of("a clone", stage -> {
          stage.answer(200, "one");
          stage.answer(200, "two");
          var call = stage.client().newCall(stage.request("/").build());
          stage.note(call.execute().body().string());
          stage.note(call.clone().execute().body().string());
        }));
  }

  private static List<Scene> connections() {
    return List.of(
        Scene.of("the server closes after its answer", stage -> {
          stage.answer(200, "last", "Connection", "close");
          stage.answer(200, "first");
          stage.get("/a");
          stage.get("/b");
        }),
        Scene.of("the client closes after the answer", stage -> {
          stage.answer(200, "last");
          stage.answer(200, "first");
          stage.call(stage.request("/a").header("Connection", "close"));
          stage.get("/b");
        }),
        Scene.of("a connection serves one call after the other", stage -> {
          for (int i = 0; i < 5; i++) {
            stage.answer(200, "number " + i);
            stage.get("/" + i);
          }
        }),
        Scene.of("one body is open while another call is made", stage -> {
          stage.answer(200, "x".repeat(3_000_000));
          stage.answer(200, "second");
          try (Response first =
              stage.client().newCall(stage.request("/1").build()).execute()) {
            stage.note("" + first.code());
            try (Response second =
                stage.client().newCall(stage.request("/2").build()).execute()) {
              stage.note(second.body().string());
            }
            stage.note("" + first.body().bytes().length);
          }
        }));
  }

  private static List<Scene> lostConnections() {
    return List.of(
        Scene.of("the rest of a redirect is slow", stage -> {
          stage.answer(new MockResponse.Builder()
              .code(301)
              .addHeader("Location", "/b")
              .bodyDelay(1, TimeUnit.SECONDS)
              .body("a"));
          stage.answer(200, "b");
          stage.get("/a");
        }),
        Scene.of("the rest of a closed body does not come", stage -> {
          stage.answer(new MockResponse.Builder()
              .body("0123456789")
              .onResponseBody(SocketEffect.Stall.INSTANCE));
          stage.answer(200, "next");
          try (Response response =
              stage.client().newCall(stage.request("/a").build()).execute()) {
            stage.head(response);
          }
          stage.get("/b");
        }),
        Scene.of("the server closes after the content of unknown length", stage -> {
          stage.answer(new MockResponse.Builder()
              .body("to the end")
              .clearHeaders()
              .onResponseEnd(new SocketEffect.CloseSocket(true, false, false)));
          stage.answer(200, "next");
          stage.get("/a");
          stage.get("/b");
        }),
        Scene.of("the server closes after a redirect", stage -> {
          stage.answer(302, "there", "Location", "/b", "Connection", "close");
          stage.answer(503, "soon", "Retry-After", "0", "Connection", "close");
          stage.answer(200, "here");
          stage.get("/a");
        }),
        new Scene(
            "a network interceptor closes the connection after the answer",
            client -> client.addNetworkInterceptor(chain -> chain.proceed(
                chain.request().newBuilder().header("Connection", "close").build())),
            stage -> {
              stage.answer(200, "last");
              stage.answer(200, "first");
              stage.get("/a");
              stage.get("/b");
            }),
        Scene.of("a content that is sent once is lost with its connection", stage -> {
          stage.answer(200, "first");
          stage.answer(new MockResponse.Builder()
              .onResponseStart(new SocketEffect.CloseSocket(true, false, false)));
          stage.get("/a");
          stage.call(stage.request("/b").post(new WrittenBody(4, sink -> sink.writeUtf8("four")) {
            @Override
            public boolean isOneShot() {
              return true;
            }
          }));
        }));
  }

  private static List<Scene> followUps() {
    List<Scene> scenes = new ArrayList<>();
    RequestBody four = RequestBody.create("four", TEXT);
    for (int code : new int[] {300, 301, 302, 303, 307, 308}) {
      scenes.add(Scene.of(code + " after POST", stage -> {
        stage.answer(code, "there", "Location", "/b?c#d");
        stage.answer(200, "here");
        stage.call(stage.request("/a/").post(four));
      }));
      scenes.add(new Scene(
          code + " that is not followed", client -> client.followRedirects(false), stage -> {
            stage.answer(code, "there", "Location", "/b");
            stage.get("/a");
          }));
    }
    for (String location :
        List.of("", "b", "../c", "//", "?q", "ftp://host/x", "http://", "mailto:a@b", "/ü")) {
      scenes.add(Scene.of("a redirect to \"" + location + "\"", stage -> {
        stage.answer(new MockResponse.Builder()
            .code(302)
            .body("there")
            .headers(
                new Headers.Builder().addUnsafeNonAscii("Location", location).build())
            .setHeader("Content-Length", "5"));
        stage.answer(200, "here");
        stage.get("/a/b");
      }));
    }
    scenes.add(Scene.of("a redirect without a Location", stage -> {
      stage.answer(302, "there");
      stage.get("/");
    }));
    for (String[] each : new String[][] {
      {"408"}, {"408", "Retry-After", "0"}, {"408", "Retry-After", "1"},
      {"503"}, {"503", "Retry-After", "0"}, {"503", "Retry-After", "1"},
      {"503", "Retry-After", "soon"}, {"503", "Retry-After", "-1"}, {"503", "Retry-After", "00"}
    }) {
      String[] fields = Arrays.copyOfRange(each, 1, each.length);
      scenes.add(Scene.of(String.join(" ", each), stage -> {
        for (int i = 0; i < 2; i++) {
          stage.answer(Integer.parseInt(each[0]), "later", fields);
        }
        stage.answer(200, "now");
        stage.call(stage.request("/").post(four));
      }));
    }
    scenes.add(new Scene(
        "408 without retries", client -> client.retryOnConnectionFailure(false), stage -> {
          stage.answer(408, "late");
          stage.get("/");
        }));
    return scenes;
  }

  private static List<Scene> challenges() {
    Authenticator once = (route, response) -> response.request().header("Authorization") != null
        ? null
        : response.request().newBuilder().header("Authorization", "Basic x").build();
    Authenticator always = (route, response) ->
        response.request().newBuilder().header("Authorization", "Basic x").build();
    Authenticator broken = (route, response) -> {
      throw new IOException("no password is known");
    };
    RequestBody large = RequestBody.create(new byte[70_000], null);
    return List.of(
        new Scene("a challenge that is answered", client -> client.authenticator(once), stage -> {
          stage.answer(401, "who", "WWW-Authenticate", "Basic realm=\"a\"");
          stage.answer(200, "in");
          stage.call(stage.request("/").post(large));
        }),
        new Scene("a challenge that is given up", client -> client.authenticator(once), stage -> {
          stage.answer(401, "who", "WWW-Authenticate", "Basic realm=\"a\"");
          stage.answer(401, "who else", "WWW-Authenticate", "Basic realm=\"a\"");
          stage.get("/");
        }),
        new Scene("an authenticator that throws", client -> client.authenticator(broken), stage -> {
          stage.answer(401, "who", "WWW-Authenticate", "Basic realm=\"a\"");
          stage.get("/");
        }),
        new Scene("an endless challenge", client -> client.authenticator(always), stage -> {
          for (int i = 0; i < 30; i++) {
            stage.answer(401, "who", "WWW-Authenticate", "Basic realm=\"a\"");
          }
          stage.get("/");
        }));
  }

  private static List<Scene> interims() {
    return List.of(
        Scene.of("trailers over HTTP/2", stage -> {
              stage.answer(
                  new MockResponse.Builder().body("one").trailers(Headers.of("X-Sum", "3")));
              try (Response response =
                  stage.client().newCall(stage.request("/").build()).execute()) {
                stage.head(response);
                stage.note(response.body().string() + response.trailers());
              }
            })
            .overHttp2(),
        Scene.of("early hints", stage -> {
          MockResponse hints =
              new MockResponse.Builder().code(103).addHeader("Link", "</a>").build();
          stage.answer(
              new MockResponse.Builder().addInformationalResponse(hints).body("at last"));
          stage.get("/");
        }),
        Scene.of("content that the server wants", stage -> {
          var url = stage.script(connection -> {
            connection.expectHead();
            connection.send("HTTP/1.1 100 Continue\r\n\r\n");
            connection.expect("four");
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi");
            connection.hasMore();
          });
          stage.call(stage
              .request("/")
              .url(url)
              .header("Expect", "100-Continue")
              .post(RequestBody.create("four", TEXT)));
        }),
        new Scene(
            "a request that is refused instead of 100",
            client -> client.readTimeout(Duration.ofSeconds(5)),
            stage -> {
              var url = stage.script(connection -> {
                connection.expectHead();
                connection.send("HTTP/1.1 403 No\r\nContent-Length: 2\r\n\r\nno");
                connection.hasMore();
              });
              stage.call(stage
                  .request("/")
                  .url(url)
                  .header("Expect", "100-continue")
                  .post(RequestBody.create("four", TEXT)));
            }));
  }
}
