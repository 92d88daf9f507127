package heddle.adapters.okhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.adapters.okhttp.Stage.Scene;
import heddle.testkit.ScriptedPeer;
import java.io.IOException;
import java.net.ProtocolException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import okhttp3.HttpUrl;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Servers with unusual responses: they are accepted, or not, as by OkHttp itself. */
@Timeout(60)
class PeerComparisonTest {
  /** Responses that are accepted. */
  private static final List<String> UNDERSTOOD = List.of(
      "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nhi",
      "HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\nhi",
      "HTTP/1.1 200 Quite  All Right\r\nContent-Length: 2\r\n\r\nhi",
      "HTTP/1.1 200 OK\r\nContent-Length:2\r\nX-A:  spaces  \r\nX-B:\r\n\r\nhi",
      "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nto the end",
      "HTTP/1.1 200 OK\r\n\r\nto the end",
      "HTTP/1.0 200 OK\r\n\r\nto the end",
      "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\nhi\r\n0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n002\r\nhi\r\n000\r\nX-T: t\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: CHUNKED\r\n\r\nA\r\n0123456789\r\n0\r\n\r\n",
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
      "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Hints\r\nLink: a\r\n\r\n"
          + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi");

  /** Malformed or truncated responses. */
  private static final List<String> NOT_UNDERSTOOD = List.of(
      "",
      "HTTP/1.1",
      "HTTP/1.1 200 OK\r\nContent-Len",
      "HTTP/1.1 OK\r\n\r\n",
      "HTTP/1.1 2x0 OK\r\n\r\n",
      "HTTP/1.1 20 OK\r\n\r\n",
      "HTTP/2.0 200 OK\r\n\r\n",
      "hello\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhi",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nh",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhi\r\n0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-2\r\nhi\r\n0\r\n\r\n");

  static Stream<Arguments> understood() {
    return Stage.overHeddle(scenes(UNDERSTOOD));
  }

  static Stream<Arguments> notUnderstood() {
    return Stage.overHeddle(scenes(NOT_UNDERSTOOD));
  }

  private static ScriptedPeer.Script saying(String said) {
    return connection -> {
      connection.expectHead();
      connection.send(said);
      connection.shutdownOutput();
      connection.hasMore();
    };
  }

  private static List<Scene> scenes(List<String> all) {
    List<Scene> scenes = new ArrayList<>();
    for (String said : all) {
      scenes.add(Scene.of(said.replace("\r\n", "~"), stage -> {
        var url = stage.script(saying(said));
        stage.call(new Request.Builder().url(url));
      }));
    }
    return scenes;
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("understood")
  void acceptedResponsesAreTheSame(Scene scene, Stack stack) throws Exception {
    assertEquals(
        String.join("\n", Stage.play(scene, Stack.STOCK)),
        String.join("\n", Stage.play(scene, stack)));
  }

  /** The failed step is reported alike; its wording, and the number of attempts, are not. */
  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("notUnderstood")
  void malformedResponsesFailTheSameStep(Scene scene, Stack stack) throws Exception {
    assertEquals(essence(Stage.play(scene, Stack.STOCK)), essence(Stage.play(scene, stack)));
  }

  private static List<String> essence(List<String> record) {
    return record.stream()
        .filter(each -> each.startsWith("failed")
            || each.startsWith("requestFailed")
            || each.startsWith("responseFailed")
            || each.startsWith("callFailed"))
        .map(each -> each.split(" ", -1)[0])
        .distinct()
        .toList();
  }

  /** OkHttp accepts the last of them, or reads to the connection's end if there is a list. */
  @ParameterizedTest
  @EnumSource(names = {"FACTORY", "INTERCEPTOR", "GIVEN"})
  void aLengthThatIsGivenTwiceIsRefused(Stack stack) throws Exception {
    for (String lengths : List.of("2\r\nContent-Length: 2", "3\r\nContent-Length: 2", "2, 2")) {
      ScriptedPeer.Script script =
          saying("HTTP/1.1 200 OK\r\nContent-Length: " + lengths + "\r\n\r\nhi");
      ScriptedPeer.visit(script, peer -> {
        try (Stack.Running running = stack.start()) {
          ProtocolException refused =
              assertThrows(ProtocolException.class, () -> running.get(HttpUrl.get(peer.url("/"))));
          assertTrue(refused.getMessage().contains("Content-Length"), refused::toString);
        }
      });
    }
  }

  /** OkHttp waits for content that RFC 9110 section 15.4.5 rules out. */
  @ParameterizedTest
  @EnumSource(names = {"FACTORY", "INTERCEPTOR", "GIVEN"})
  void a304HasNoContentWhateverLengthItAnnounces(Stack stack) throws Exception {
    ScriptedPeer.Script script = connection -> {
      while (connection.hasMore()) {
        connection.expectHead();
        connection.send("HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n");
      }
    };
    ScriptedPeer.visit(script, peer -> {
      try (Stack.Running running = stack.start()) {
        for (int i = 0; i < 2; i++) {
          try (Response response = running.get(HttpUrl.get(peer.url("/")))) {
            assertEquals("9", response.header("Content-Length"));
            assertEquals(0, response.body().contentLength());
            assertEquals("", response.body().string());
          }
        }
      }
      assertEquals(1, peer.connections());
    });
  }

  /** OkHttp waits for 100 as long as for a response, and then fails. */
  @ParameterizedTest
  @EnumSource(names = {"FACTORY", "INTERCEPTOR", "GIVEN"})
  void aServerThatDoesNotSay100GetsTheContentAllTheSame(Stack stack) throws Exception {
    ScriptedPeer.Script script = connection -> {
      connection.expectHead();
      connection.expect("four");
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi");
      connection.hasMore();
    };
    ScriptedPeer.visit(script, peer -> {
      try (Stack.Running running = stack.start()) {
        Request request = new Request.Builder()
            .url(HttpUrl.get(peer.url("/")))
            .header("Expect", "100-continue")
            .post(RequestBody.create("four", null))
            .build();
        try (Response response = running.client().newCall(request).execute()) {
          assertEquals("hi", response.body().string());
        }
      }
    });
  }

  static Stream<Arguments> ends() {
    return Stage.overHeddle(List.of(
        new Scene(
            "nothing is said", client -> client.readTimeout(Duration.ofMillis(300)), stage -> {
              var url = stage.script(connection -> connection.drain());
              stage.call(new Request.Builder().url(url));
            }),
        new Scene(
            "nothing is said in time",
            client -> client.callTimeout(Duration.ofMillis(300)),
            stage -> {
              var url = stage.script(connection -> connection.drain());
              stage.call(new Request.Builder().url(url).post(RequestBody.EMPTY));
            }),
        new Scene(
            "the content does not end in time",
            client -> client.callTimeout(Duration.ofMillis(300)),
            stage -> {
              var url = stage.script(connection -> {
                connection.expectHead();
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhi");
                connection.drain();
              });
              stage.call(new Request.Builder().url(url));
            }),
        Scene.of("more comes than was announced", stage -> {
          var url = stage.script(connection -> {
            connection.expectHead();
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi, there");
            connection.hasMore();
          });
          stage.call(new Request.Builder().url(url));
        }),
        Scene.of("the answer comes before the content was asked for", stage -> {
          var url = stage.script(connection -> {
            connection.expectHead();
            connection.send("HTTP/1.1 413 Too much\r\nContent-Length: 2\r\n\r\nno");
            connection.drain();
          });
          stage.call(new Request.Builder().url(url).post(RequestBody.create(new byte[9], null)));
        }),
        sending("content that throws at once", -1, sink -> {
          throw new IOException("it was not written");
        }),
        sending("content of known length that throws at once", 9, sink -> {
          throw new IOException("it was not written");
        }),
        sending("content that throws on the way", -1, sink -> {
          sink.writeUtf8("four").flush();
          throw new IOException("the rest was not written");
        }),
        Scene.of("the connection is lost on the way", stage -> {
          var url = stage.script(connection -> connection.expectHead());
          stage.call(new Request.Builder().url(url).post(new WrittenBody(-1, sink -> {
            while (true) {
              sink.write(new byte[8192]).flush();
            }
          })));
        }),
        closedEarly()));
  }

  private static Scene closedEarly() {
    return Scene.of("a body is closed before its end", stage -> {
      var url = stage.script(connection -> {
        connection.expectHead();
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhi");
        connection.hasMore();
      });
      Request request = new Request.Builder().url(url).build();
      try (Response response = stage.client().newCall(request).execute()) {
        stage.note(response.body().source().readUtf8(2));
      }
    });
  }

  private static Scene sending(String name, long length, WrittenBody.Writing content) {
    return Scene.of(name, stage -> {
      var url = stage.script(connection -> connection.drain());
      stage.call(new Request.Builder().url(url).post(new WrittenBody(length, content)));
    });
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("ends")
  void theEndIsTheSame(Scene scene, Stack stack) throws Exception {
    assertEquals(told(scene, Stack.STOCK), told(scene, stack));
  }

  /**
   * If a call takes too long, another thread cancels it. That may be reported first or last, and
   * running steps may fail because of the time or because of the cancel.
   */
  private static String told(Scene scene, Stack stack) throws Exception {
    List<String> told = Stage.play(scene, stack);
    boolean tooLong = told.contains("failed InterruptedIOException");
    return told.stream()
        .filter(each -> !each.equals("canceled"))
        .map(each -> each.startsWith("responseFailed") ? "responseFailed" : each)
        .map(each -> tooLong ? each.replaceFirst("retryDecision \\w+", "retryDecision") : each)
        .collect(Collectors.joining("\n"));
  }
}
