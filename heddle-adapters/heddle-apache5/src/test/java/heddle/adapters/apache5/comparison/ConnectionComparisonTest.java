package heddle.adapters.apache5.comparison;

import static heddle.adapters.apache5.comparison.Comparison.same;
import static heddle.adapters.apache5.comparison.Comparison.with;
import static heddle.adapters.apache5.comparison.RawServer.CLOSE;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hc.client5.http.classic.methods.HttpDelete;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.classic.methods.HttpPut;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.DefaultHttpRequestRetryStrategy;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.io.entity.InputStreamEntity;
import org.apache.hc.core5.http.io.entity.StringEntity;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.pool.ConnPoolControl;
import org.apache.hc.core5.util.TimeValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which connections requests go over, and what is sent again, is the same over both. */
@Timeout(60)
class ConnectionComparisonTest {
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

  private static List<String> get(Comparison.Visitor visitor, int times) {
    List<String> told = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      told.add(visitor.send(new HttpGet(visitor.url("/" + i))));
    }
    return told;
  }

  // ---- reuse

  @Test
  void aConnectionIsUsedAgain() throws Exception {
    same("content ok", request -> OK, visitor -> get(visitor, 5));
  }

  @Test
  void aConnectionThatWasClosedInSilenceIsNot() throws Exception {
    same("content ok", request -> request.number() == 2 ? OK + CLOSE : OK, visitor -> {
      List<String> told = get(visitor, 2);
      // The end of the connection is on its way: a request that comes too soon is still served.
      told.addAll(get(visitor, 2));
      return told;
    });
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 400, 404, 500, 503})
  void aStatusEndsNoConnection(int status) throws Exception {
    String answer = "HTTP/1.1 " + status + " Said\r\nContent-Length: 2\r\n\r\nno";
    same(
        "HTTP/1.1 " + status,
        with(builder -> builder.disableAutomaticRetries()),
        request -> answer,
        visitor -> {
          List<String> told = get(visitor, 2);
          HttpPost post = new HttpPost(visitor.url("/"));
          post.setEntity(new StringEntity("content"));
          told.add(visitor.send(post));
          told.addAll(get(visitor, 1));
          return told;
        });
  }

  @Test
  void idleConnectionsCanBeClosed() throws Exception {
    same("content ok", request -> OK, visitor -> {
      List<String> told = get(visitor, 2);
      ((ConnPoolControl<?>) visitor.manager()).closeIdle(TimeValue.ZERO_MILLISECONDS);
      told.addAll(get(visitor, 1));
      return told;
    });
  }

  @Test
  void hostsHaveConnectionsOfTheirOwn() throws Exception {
    same("content ok", request -> OK, visitor -> {
      List<String> told = get(visitor, 1);
      String other = "http://127.0.0.1:" + visitor.host().getPort() + "/";
      told.add(visitor.send(new HttpGet(other)));
      told.addAll(get(visitor, 1));
      told.add(visitor.send(new HttpGet(other)));
      return told;
    });
  }

  @Test
  void anOpenResponseHoldsItsConnection() throws Exception {
    String answer =
        "HTTP/1.1 200 OK\r\nContent-Length: 300002\r\n\r\n" + " ".repeat(300_000) + "ok";
    same("ok 1", request -> answer, visitor -> {
      try (ClassicHttpResponse open =
          visitor.client().executeOpen(visitor.host(), new HttpGet("/open"), null)) {
        int leased = visitor.leased();
        String content = EntityUtils.toString(open.getEntity()).strip();
        return content + " " + leased + " " + visitor.leased();
      }
    });
  }

  // ---- what is sent again

  /** Records its calls. */
  private static final class Noting extends DefaultHttpRequestRetryStrategy {
    private final List<String> asked;

    Noting(List<String> asked) {
      super(2, TimeValue.ZERO_MILLISECONDS);
      this.asked = asked;
    }

    @Override
    public boolean retryRequest(
        HttpRequest request, IOException failure, int times, HttpContext context) {
      boolean again = super.retryRequest(request, failure, times, context);
      asked.add(times + " " + failure.getClass().getName() + " " + again);
      return again;
    }
  }

  private static HttpUriRequestBase request(String kind, String url) {
    HttpEntity once = new InputStreamEntity(new ByteArrayInputStream(new byte[5]), null);
    HttpEntity again = new StringEntity("again");
    HttpUriRequestBase request =
        switch (kind) {
          case "GET" -> new HttpGet(url);
          case "DELETE" -> new HttpDelete(url);
          case "POST" -> new HttpPost(url);
          default -> new HttpPut(url);
        };
    switch (kind) {
      case "POST", "PUT" -> request.setEntity(again);
      case "PUT once" -> request.setEntity(once);
      default -> {}
    }
    return request;
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "DELETE", "POST", "PUT", "PUT once"})
  void aLostRequestIsSentAgain(String kind) throws Exception {
    List<String> asked = new ArrayList<>();
    same(
        "NoHttpResponseException",
        with(builder -> builder.setRetryStrategy(new Noting(asked))),
        request -> request.number() == 2 ? CLOSE : OK,
        visitor -> {
          asked.clear();
          get(visitor, 1);
          return visitor.send(request(kind, visitor.url("/x"))) + asked;
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "POST", "PUT once"})
  void aRequestLostTwiceFails(String kind) throws Exception {
    List<String> asked = new ArrayList<>();
    same(
        "threw org.apache.hc.core5.http.NoHttpResponseException",
        with(builder -> builder.setRetryStrategy(new Noting(asked))),
        request -> CLOSE,
        visitor -> {
          asked.clear();
          return visitor.send(request(kind, visitor.url("/x"))) + asked;
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "POST", "PUT", "PUT once"})
  void aRequestAnsweredWith503IsSentAgain(String kind) throws Exception {
    same(
        "HTTP/1.1",
        with(builder -> builder.setRetryStrategy(new Noting(new ArrayList<>()))),
        request -> request.number() == 1
            ? "HTTP/1.1 503 Later\r\nRetry-After: 0\r\nContent-Length: 5\r\n\r\nlater"
            : OK,
        visitor -> visitor.send(request(kind, visitor.url("/x"))));
  }

  // ---- proxies

  @Test
  void aProxyIsUsedForHttpTargets() throws Exception {
    same("content ok", request -> OK, visitor -> {
      HttpGet get = new HttpGet("http://target.test:81/a//b?c#d");
      get.setConfig(RequestConfig.custom()
          .setProxy(visitor.host())
          .setProtocolUpgradeEnabled(false)
          .build());
      HttpPost post = new HttpPost("http://target.test:81/");
      post.setConfig(get.getConfig());
      post.setEntity(new StringEntity("content"));
      return List.of(visitor.send(get), visitor.send(post));
    });
  }

  @Test
  void aProxyThatOpensNoTunnelIsTheOneThatAnswers() throws Exception {
    same("502", request -> "HTTP/1.1 502 No\r\nContent-Length: 2\r\n\r\nno", visitor -> {
      HttpGet get = new HttpGet("https://target.test/");
      get.setConfig(RequestConfig.custom().setProxy(visitor.host()).build());
      return visitor.client().execute(get, Comparison::head);
    });
  }

  @Test
  void aRequestMayBeForAnotherHostThanItGoesTo() throws Exception {
    same("content ok", request -> OK, visitor -> {
      HttpGet get = new HttpGet("http://virtual.test/a");
      return visitor
          .client()
          .execute(
              new HttpHost("http", "localhost", visitor.host().getPort()),
              get,
              Comparison::described);
    });
  }
}
