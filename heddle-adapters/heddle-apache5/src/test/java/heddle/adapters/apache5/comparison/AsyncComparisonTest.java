package heddle.adapters.apache5.comparison;

import static heddle.adapters.apache5.comparison.AsyncComparison.same;
import static heddle.adapters.apache5.comparison.AsyncComparison.told;
import static heddle.adapters.apache5.comparison.RawServer.CLOSE;
import static heddle.adapters.apache5.comparison.RawServer.SILENCE;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.async.methods.SimpleRequestBuilder;
import org.apache.hc.client5.http.auth.AuthScope;
import org.apache.hc.client5.http.auth.UsernamePasswordCredentials;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.async.HttpAsyncClients;
import org.apache.hc.client5.http.impl.auth.BasicCredentialsProvider;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.io.entity.EntityTemplate;
import org.apache.hc.core5.http.nio.entity.AsyncEntityProducers;
import org.apache.hc.core5.http.nio.support.BasicRequestProducer;
import org.apache.hc.core5.http.support.BasicRequestBuilder;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The asynchronous client sends and gets the same over Apache's connections and Heddle's. */
@org.junit.jupiter.api.Timeout(60)
class AsyncComparisonTest {
  private static final String OK = "HTTP/1.1 200 OK\r\n";
  private static final RawServer.Answers FINE = request -> OK + "Content-Length: 2\r\n\r\nok";

  // ---- requests

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5_000, 65_536, 65_537, 300_000})
  void contentOfAnyLength(int length) throws Exception {
    byte[] content = "0123456789".repeat(30_000).substring(0, length).getBytes(ISO_8859_1);
    same(
        "content ok",
        FINE,
        visitor -> List.of(
            visitor.send("/1", AsyncEntityProducers.create(content, ContentType.TEXT_PLAIN)),
            visitor.send("/2", AsyncEntityProducers.create(new String(content, ISO_8859_1))),
            visitor.get("/3")));
  }

  @Test
  void contentThatWaitsForContinue() throws Exception {
    RequestConfig config = RequestConfig.custom().setExpectContinueEnabled(true).build();
    same(
        "content ok",
        builder -> builder.setDefaultRequestConfig(config),
        FINE,
        visitor ->
            visitor.send("/1", AsyncEntityProducers.create("content", ContentType.TEXT_PLAIN)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/a//b/../c", "/a?x=%2F&y=a+b", "/%41", "/a|b"})
  void targetsAsTheyAre(String target) throws Exception {
    same(
        "content ok",
        FINE,
        visitor -> told(visitor
            .client()
            .execute(
                SimpleRequestBuilder.get()
                    .setHttpHost(visitor.host())
                    .setPath(target)
                    .build(),
                null)));
  }

  // ---- responses

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 299 Of my own\r\nContent-Length: 2\r\nX-A: 1\r\nx-a: 2\r\n\r\nhi",
        "HTTP/1.1 204 No Content\r\nX-A: 1\r\n\r\n",
        "HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n",
        "HTTP/1.1 500 Broken\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nX-S: 1\r\n\r\n",
        "HTTP/1.1 103 Early\r\nLink: a\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi",
        "HTTP/1.0 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\nhi",
        "HTTP/1.0 200 OK\r\n\r\nto the end" + CLOSE,
        "HTTP/1.1 200 OK\r\nX-A: 1\r\n\r\nto the end" + CLOSE,
      })
  void responsesOfAnyKind(String answer) throws Exception {
    same("HTTP/1.", request -> answer, visitor -> List.of(visitor.get("/1"), visitor.get("/2")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: two\r\n\r\nab",
      })
  void failuresAreOfTheSameKind(String answer) throws Exception {
    same(
        "threw",
        builder -> builder.disableAutomaticRetries(),
        request -> answer + CLOSE,
        visitor -> visitor.get("/"));
  }

  @Test
  void aSilentServer() throws Exception {
    RequestConfig config =
        RequestConfig.custom().setResponseTimeout(100, TimeUnit.MILLISECONDS).build();
    same(
        "threw java.net.SocketTimeoutException",
        builder -> builder.setDefaultRequestConfig(config).disableAutomaticRetries(),
        request -> SILENCE,
        visitor -> visitor.get("/"));
  }

  /** A consumer is not always asked for capacity, or reports any, before it gets something. */
  @ParameterizedTest
  @ValueSource(ints = {10, 65_535, 100_000})
  void consumersWithJustEnoughRoom(int length) throws Exception {
    String content = "x".repeat(length);
    same(
        "told " + length,
        request -> OK + "Content-Length: " + length + "\r\n\r\n" + content,
        visitor -> {
          JustEnough consumer = new JustEnough(length);
          String url = visitor.url("/");
          return "told "
              + visitor
                  .client()
                  .execute(
                      new BasicRequestProducer(BasicRequestBuilder.get(url).build(), null),
                      consumer,
                      null)
                  .get();
        });
  }

  // ---- what Apache does between

  @Test
  void redirectsAuthenticationAndCookies() throws Exception {
    BasicCredentialsProvider provider = new BasicCredentialsProvider();
    provider.setCredentials(
        new AuthScope(null, -1), new UsernamePasswordCredentials("user", "secret".toCharArray()));
    RawServer.Answers answers = request -> {
      String empty = "Content-Length: 0\r\n\r\n";
      return switch (request.path()) {
        case "/again" -> "HTTP/1.1 307 Go\r\nSet-Cookie: a=b\r\nLocation: /asks\r\n" + empty;
        case "/moved" -> "HTTP/1.1 302 Go\r\nLocation: /there\r\n" + empty;
        case "/asks" ->
          request.value("Authorization") == null
              ? "HTTP/1.1 401 Who\r\nWWW-Authenticate: Basic realm=\"r\"\r\n" + empty
              : FINE.to(request);
        case "/digest" ->
          request.value("Authorization") == null
              ? "HTTP/1.1 401 Who\r\nWWW-Authenticate: Digest realm=\"r\", nonce=\"abc\","
                  + " qop=\"auth\"\r\n" + empty
              : FINE.to(request);
        default -> FINE.to(request);
      };
    };
    same(
        "content ok",
        builder -> builder.setDefaultCredentialsProvider(provider),
        answers,
        visitor -> {
          List<String> told = new ArrayList<>();
          for (String path : List.of("/again", "/moved", "/digest")) {
            told.add(visitor.get(path));
            told.add(visitor.send(path, AsyncEntityProducers.create("content")));
          }
          return told;
        });
  }

  @Test
  void circlesAreFound() throws Exception {
    same(
        "CircularRedirectException",
        request -> "HTTP/1.1 302 Go\r\nLocation: /circle\r\nContent-Length: 0\r\n\r\n",
        visitor -> visitor.get("/circle"));
  }

  // ---- the classic API over the asynchronous client

  private static List<HttpEntity> entities() {
    return List.of(
        new ByteArrayEntity(new byte[10], ContentType.TEXT_PLAIN),
        new ByteArrayEntity(new byte[50_000], ContentType.TEXT_PLAIN),
        new ByteArrayEntity(new byte[300_000], ContentType.TEXT_PLAIN),
        new EntityTemplate(-1, ContentType.TEXT_PLAIN, null, sink -> {
          for (int i = 0; i < 3_000; i++) {
            sink.write("%04d,".formatted(i).getBytes(ISO_8859_1));
            if (i % 100 == 0) {
              sink.flush();
            }
          }
        }));
  }

  @Test
  void theClassicApiOverTheAsynchronousClient() throws Exception {
    String answer = OK + "Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n";
    same("content ok", request -> answer, visitor -> {
      var classic = HttpAsyncClients.classic(visitor.client(), Timeout.ofSeconds(20));
      List<String> told = new ArrayList<>();
      for (HttpEntity entity : entities()) {
        HttpPost post = new HttpPost(visitor.url("/"));
        post.setEntity(entity);
        told.add(classic.execute(post, Comparison::described));
        visitor.awaitRelease(); // Or the next request comes while the connection is in use.
      }
      return told;
    });
  }

  /** Reports once that it has capacity for everything, and never again. */
  private static final class JustEnough
      extends org.apache.hc.core5.http.nio.support.AbstractAsyncResponseConsumer<Integer, Integer> {
    JustEnough(int length) {
      super(new Counting(length));
    }

    @Override
    protected Integer buildResult(
        org.apache.hc.core5.http.HttpResponse response, Integer entity, ContentType type) {
      return entity;
    }

    @Override
    public void informationResponse(
        org.apache.hc.core5.http.HttpResponse response,
        org.apache.hc.core5.http.protocol.HttpContext context) {}
  }

  private static final class Counting
      extends org.apache.hc.core5.http.nio.entity.AbstractBinAsyncEntityConsumer<Integer> {
    private final int length;
    private int total;

    Counting(int length) {
      this.length = length;
    }

    @Override
    protected void streamStart(@Nullable ContentType type) {}

    @Override
    protected int capacityIncrement() {
      return length <= 65_535 ? 0 : length;
    }

    @Override
    protected void data(ByteBuffer source, boolean last) throws IOException {
      total += source.remaining();
      source.position(source.limit());
    }

    @Override
    protected Integer generateContent() {
      return total;
    }

    @Override
    public void releaseResources() {}
  }
}
