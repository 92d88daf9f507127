package heddle.adapters.okhttp;

import heddle.testkit.ScriptedPeer;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import okhttp3.Headers;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.provider.Arguments;

/**
 * The setting of a scene: a server, a client, and a record of everything that happens. A scene over
 * Heddle must leave the same record as over OkHttp itself.
 */
final class Stage implements AutoCloseable {
  private static final Pattern PORT = Pattern.compile("(localhost|127\\.0\\.0\\.1):\\d+");

  final MockWebServer server = PromptServer.create();
  final Diary diary = new Diary();

  private final List<String> notes = new CopyOnWriteArrayList<>();
  private final Stack.Running running;
  private @Nullable ScriptedPeer peer;
  private @Nullable Response open;

  /** What is done, and noted. */
  @FunctionalInterface
  interface Play {
    void on(Stage stage) throws Exception;
  }

  /** A play with a name, and what its client is set to. */
  record Scene(String name, Consumer<OkHttpClient.Builder> settings, Play play) {
    static Scene of(String name, Play play) {
      return new Scene(name, settings -> {}, play);
    }

    /** The same over HTTP/2. */
    Scene overHttp2() {
      return new Scene(
          name + " over HTTP/2",
          settings.andThen(client -> client.protocols(List.of(Protocol.H2_PRIOR_KNOWLEDGE))),
          play);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private Stage(Stack stack, Scene scene) throws IOException {
    OkHttpClient.Builder builder = new OkHttpClient.Builder().eventListener(diary);
    scene.settings().accept(builder);
    running = stack.over(builder);
    if (client().protocols().contains(Protocol.H2_PRIOR_KNOWLEDGE)) {
      server.setProtocols(client().protocols());
    }
    server.start();
  }

  /** Each scene over each way to Heddle. */
  static Stream<Arguments> overHeddle(List<Scene> scenes) {
    return scenes.stream().flatMap(scene -> Stream.of(Stack.FACTORY, Stack.INTERCEPTOR)
        .map(stack -> Arguments.of(scene, stack)));
  }

  /** The same over HTTP/1.1 and over HTTP/2. */
  static Stream<Arguments> overBoth(List<Scene> scenes) {
    return Stream.concat(
        overHeddle(scenes), overHeddle(scenes.stream().map(Scene::overHttp2).toList()));
  }

  /** Plays a scene, and answers what was seen. */
  static List<String> play(Scene scene, Stack stack) throws Exception {
    try (Stage stage = new Stage(stack, scene)) {
      try {
        scene.play().on(stage);
      } catch (IOException | RuntimeException e) {
        stage.note("threw " + e.getClass().getSimpleName());
      }
      return stage.written();
    }
  }

  private List<String> written() throws InterruptedException {
    List<String> record = new ArrayList<>(notes);
    record.addAll(diary.entries);
    for (RecordedRequest each = taken(); each != null; each = taken()) {
      record.add("seen " + each.getRequestLine() + " on " + each.getConnectionIndex() + "/"
          + each.getExchangeIndex());
      record.add("     " + text(each.getHeaders()));
      record.add("     "
          + each.getBodySize()
          + (each.getBody() == null ? "" : " " + each.getBody().md5().hex()));
    }
    return record.stream()
        .map(each -> PORT.matcher(each).replaceAll("$1:PORT"))
        // A cancelled call reports that, also where OkHttp reports a closed socket.
        .map(each -> each.replace("SocketException", "IOException"))
        .toList();
  }

  private @Nullable RecordedRequest taken() throws InterruptedException {
    return server.takeRequest(0, TimeUnit.MILLISECONDS);
  }

  /** Fields with different names may come in any order, and names in any case. */
  private static String text(Headers headers) {
    return new TreeMap<>(headers.toMultimap()).toString();
  }

  // ---- for plays

  OkHttpClient client() {
    return running.client();
  }

  void note(String text) {
    notes.add(text);
  }

  void answer(MockResponse.Builder response) {
    server.enqueue(response.build());
  }

  void answer(int code, String body, String... fields) {
    MockResponse.Builder response = new MockResponse.Builder().code(code).body(body);
    for (int i = 0; i < fields.length; i += 2) {
      response.addHeader(fields[i], fields[i + 1]);
    }
    answer(response);
  }

  HttpUrl url(String path) {
    return server.url(path);
  }

  /** A server that follows the script on each of its connections. */
  HttpUrl script(ScriptedPeer.Script script) throws IOException {
    ScriptedPeer started = ScriptedPeer.each(TcpNetwork.shared(), script);
    peer = started;
    return HttpUrl.get(started.url("/"));
  }

  Request.Builder request(String path) {
    return new Request.Builder().url(url(path));
  }

  /** Makes a call and records its result. */
  void call(Request.Builder request) {
    try (Response response = running.client().newCall(request.build()).execute()) {
      head(response);
      note("content " + response.body().string());
    } catch (IOException | RuntimeException e) {
      failed(e);
    }
  }

  void get(String path) {
    call(request(path));
  }

  /** Closes a response when all has been recorded, so that closing the client does not wait. */
  void closeAtLast(Response response) {
    open = response;
  }

  void failed(Exception e) {
    note("failed " + e.getClass().getSimpleName());
  }

  void head(Response response) {
    note("head " + response.protocol() + " " + response.code() + " " + response.message());
    note("fields " + text(response.headers()));
    note("type " + response.body().contentType() + " " + response.body().contentLength());
    note("of " + response.request().method() + " " + response.request().url());
    note("after " + code(response.priorResponse()) + ", network " + code(response.networkResponse())
        + ", cache " + code(response.cacheResponse()));
  }

  private static String code(@Nullable Response response) {
    return response == null
        ? "-"
        : response.code() + " of " + text(response.request().headers());
  }

  @Override
  public void close() {
    if (open != null) {
      open.close();
    }
    running.close();
    server.close();
    if (peer != null) {
      peer.close();
    }
  }
}
