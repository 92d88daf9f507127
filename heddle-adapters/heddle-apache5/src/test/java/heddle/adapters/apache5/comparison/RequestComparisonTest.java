package heddle.adapters.apache5.comparison;

import static heddle.adapters.apache5.comparison.Comparison.same;
import static heddle.adapters.apache5.comparison.Comparison.with;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.entity.UrlEncodedFormEntity;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.Method;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.io.entity.EntityTemplate;
import org.apache.hc.core5.http.io.entity.HttpEntities;
import org.apache.hc.core5.http.io.entity.InputStreamEntity;
import org.apache.hc.core5.http.io.entity.StringEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.apache.hc.core5.http.message.BasicHeader;
import org.apache.hc.core5.http.message.BasicNameValuePair;
import org.apache.hc.core5.net.URIAuthority;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a server hears of requests is the same over Apache's own connections and Heddle's. */
@Timeout(60)
class RequestComparisonTest {
  private static final RawServer.Answers OK =
      request -> "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

  private static BasicClassicHttpRequest request(
      Method method, String path, @Nullable HttpEntity entity) {
    BasicClassicHttpRequest request = new BasicClassicHttpRequest(method, path);
    request.setEntity(entity);
    return request;
  }

  @ParameterizedTest
  @EnumSource(
      names = {"CONNECT", "HEAD", "QUERY"},
      mode = EnumSource.Mode.EXCLUDE)
  void anyMethodWithoutContent(Method method) throws Exception {
    same("content ok", OK, visitor -> visitor.sendToHost(request(method, "/a", null)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "POST", "PUT", "PATCH", "DELETE", "QUERY", "mine"})
  void anyMethodWithContent(String method) throws Exception {
    same("content ok", OK, visitor -> {
      BasicClassicHttpRequest request = new BasicClassicHttpRequest(method, "/a");
      request.setEntity(new StringEntity("content"));
      return visitor.sendToHost(request);
    });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/a//b/../c/./d",
        "/a?x=%2F&y=a+b&z",
        "/?",
        "/a;p=1,2",
        "/%41%c3%a4",
        "/*",
        "/a|b",
        "/{a}",
        "/a\"b",
        "/a^b`c",
        "//double",
        "/a?x=[1]",
        "/a?b?c",
        "/:8080/@"
      })
  void targetsAsTheyAre(String target) throws Exception {
    same("content ok", OK, visitor -> visitor.sendToHost(request(Method.GET, target, null)));
  }

  @Test
  void theTargetOfAllOfAServer() throws Exception {
    same("content ok", OK, visitor -> visitor.sendToHost(request(Method.OPTIONS, "*", null)));
  }

  @Test
  void urisThatLeaveThingsOut() throws Exception {
    same(
        "content ok",
        OK,
        visitor -> List.of(
            visitor.send(new HttpGet(visitor.host().toURI())),
            visitor.send(new HttpGet(visitor.host().toURI() + "?q=1")),
            visitor.send(new HttpGet(visitor.url("/a#fragment"))),
            visitor.send(
                new HttpGet("http://user:secret@localhost:" + visitor.host().getPort()))));
  }

  // ---- content

  private static List<HttpEntity> entities() {
    byte[] bytes = "some content".getBytes(US_ASCII);
    ContentType text = ContentType.TEXT_PLAIN;
    return List.of(
        new ByteArrayEntity(bytes, null),
        new ByteArrayEntity(bytes, 5, 3, text),
        new ByteArrayEntity(bytes, 5, 3, text, true),
        new ByteArrayEntity(new byte[0], text),
        new ByteArrayEntity(new byte[0], text, true),
        new ByteArrayEntity(new byte[300_000], text, "identity"),
        new StringEntity("text", text),
        new StringEntity("text", text, "mine", true),
        new UrlEncodedFormEntity(List.of(new BasicNameValuePair("a", "b c"))),
        HttpEntities.gzip(new StringEntity("packed")),
        HttpEntities.create("told later", text, new BasicHeader("X-Sum", "9")),
        new InputStreamEntity(new ByteArrayInputStream(bytes), text),
        new InputStreamEntity(new ByteArrayInputStream(bytes), 4, text),
        new InputStreamEntity(new ByteArrayInputStream(new byte[500_000]), 400_000, text),
        new EntityTemplate(4, text, null, sink -> sink.write(bytes, 0, 4)),
        new EntityTemplate(-1, text, null, sink -> {
          for (byte each : bytes) {
            sink.write(each);
            sink.flush();
          }
        }));
  }

  @Test
  void contentOfAnyKind() throws Exception {
    same("content ok", OK, visitor -> {
      List<String> told = new ArrayList<>();
      for (HttpEntity entity : entities()) {
        HttpPost post = new HttpPost(visitor.url("/"));
        post.setEntity(entity);
        told.add(visitor.send(post));
      }
      return told;
    });
  }

  /** A writer may reuse its array once it is written. */
  @Test
  void contentFromAnArrayThatIsUsedAgain() throws Exception {
    byte[] bytes = "the same array".getBytes(US_ASCII);
    same("content ok", OK, visitor -> {
      HttpPost post = new HttpPost(visitor.url("/"));
      post.setEntity(new EntityTemplate(2L * bytes.length, null, null, sink -> {
        byte[] once = bytes.clone();
        sink.write(once);
        once[0] = 'T';
        sink.write(once);
        once[0] = 'X';
      }));
      return visitor.send(post);
    });
  }

  @Test
  void contentThatWaitsForContinue() throws Exception {
    same("content ok", OK, visitor -> {
      HttpPost post = new HttpPost(visitor.url("/"));
      post.setConfig(RequestConfig.custom().setExpectContinueEnabled(true).build());
      post.setEntity(new StringEntity("content"));
      return visitor.send(post);
    });
  }

  @Test
  void contentThatIsRefusedBeforeItIsSent() throws Exception {
    RawServer.Answers refusing = request -> "HTTP/1.1 413 Too much\r\nContent-Length: 0\r\n"
        + "Connection: close\r\n\r\n" + RawServer.CLOSE;
    same("413", refusing, visitor -> {
      HttpPost post = new HttpPost(visitor.url("/"));
      post.setConfig(RequestConfig.custom().setExpectContinueEnabled(true).build());
      post.setEntity(new ByteArrayEntity(new byte[5000], null));
      return visitor.send(post);
    });
  }

  /** It may be a part of what was sent, or say how that goes. */
  @ParameterizedTest
  @ValueSource(ints = {1_000, 200_000, 1_000_000})
  void contentGoesOnThoughTheAnswerHasBegun(int length) throws Exception {
    RawServer.Answers answers = new RawServer.Answers() {
      @Override
      public String early(RawServer.Heard request) {
        return "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nearly\r\n";
      }

      @Override
      public String to(RawServer.Heard request) {
        return "4\r\n, ok\r\n0\r\n\r\n";
      }
    };
    ContentType type = ContentType.TEXT_PLAIN;
    byte[] bytes = new byte[length];
    same("content early, ok", answers, visitor -> {
      List<String> told = new ArrayList<>();
      for (HttpEntity entity : List.of(
          new ByteArrayEntity(bytes, type),
          new InputStreamEntity(new ByteArrayInputStream(bytes), length, type),
          new InputStreamEntity(new ByteArrayInputStream(bytes), type))) {
        HttpPost post = new HttpPost(visitor.url("/"));
        post.setEntity(entity);
        told.add(visitor.send(post));
      }
      return told;
    });
  }

  // ---- fields

  @Test
  void fieldsAsTheyAre() throws Exception {
    same("content ok", OK, visitor -> {
      HttpGet get = new HttpGet(visitor.url("/"));
      get.addHeader("X-Twice", "1");
      get.addHeader("x-twice", "2");
      get.addHeader("X-EMPTY", "");
      get.addHeader("X-Inner", "a  b\tc");
      get.addHeader("X-Latin", "\u00e4\u00ff");
      get.addHeader("Accept-Encoding", "identity");
      get.addHeader("User-Agent", "mine");
      get.addHeader("Authorization", "Own token");
      get.addHeader("Keep-Alive", "timeout=5");
      get.addHeader("TE", "trailers");
      return visitor.send(get);
    });
  }

  @ParameterizedTest
  @ValueSource(strings = {"other.test", "other.test:8080", "OTHER.test"})
  void aCustomHostField(String host) throws Exception {
    same("content ok", OK, visitor -> {
      HttpGet get = new HttpGet(visitor.url("/"));
      get.setHeader("Host", host);
      return visitor.send(get);
    });
  }

  @Test
  void aVirtualHost() throws Exception {
    same("content ok", OK, visitor -> {
      BasicClassicHttpRequest request = request(Method.GET, "/a", null);
      request.setAuthority(new URIAuthority("virtual.test", 8080));
      return visitor.sendToHost(request);
    });
  }

  @ParameterizedTest
  @ValueSource(strings = {"close", "keep-alive", "close, X-Mine"})
  void aCustomConnectionField(String value) throws Exception {
    same("content ok", OK, visitor -> {
      List<String> told = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        HttpGet get = new HttpGet(visitor.url("/" + i));
        get.setHeader("Connection", value);
        told.add(visitor.send(get));
      }
      return told;
    });
  }

  @Test
  void defaultFieldsOfAClient() throws Exception {
    same(
        "content ok",
        with(builder -> builder
            .setUserAgent("agent/1")
            .setDefaultHeaders(List.of(new BasicHeader("X-A", "1"), new BasicHeader("X-A", "2")))
            .disableContentCompression()),
        OK,
        visitor -> visitor.send(new HttpGet(visitor.url("/"))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"Content-Length", "Transfer-Encoding"})
  void framingIsNotForUsersToSay(String field) throws Exception {
    same("threw org.apache.hc.client5.http.ClientProtocolException", OK, visitor -> {
      HttpPost post = new HttpPost(visitor.url("/"));
      post.addHeader(field, "3");
      post.setEntity(new StringEntity("content"));
      return visitor.send(post);
    });
  }

  @Test
  void aClientWithoutInterceptors() throws Exception {
    same("content ok", HttpClients::createMinimal, OK, visitor -> {
      HttpPost post = new HttpPost(visitor.url("/a?b"));
      post.setEntity(new StringEntity("content"));
      return List.of(visitor.send(post), visitor.send(new HttpGet(visitor.url("/"))));
    });
  }
}
