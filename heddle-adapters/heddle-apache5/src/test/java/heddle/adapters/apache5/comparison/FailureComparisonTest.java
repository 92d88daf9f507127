package heddle.adapters.apache5.comparison;

import static heddle.adapters.apache5.comparison.Comparison.with;
import static heddle.adapters.apache5.comparison.RawServer.CLOSE;

import org.apache.hc.client5.http.HttpRequestRetryStrategy;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.impl.DefaultHttpRequestRetryStrategy;
import org.apache.hc.core5.http.nio.entity.AsyncEntityProducers;
import org.apache.hc.core5.util.TimeValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Truncated responses are reported by exceptions of the same class over Apache's connections and
 * over Heddle's, and its retry strategy repeats the same requests after them.
 */
@Timeout(60)
class FailureComparisonTest {
  private static final String CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

  /** Apache's own, without its wait. */
  private static final HttpRequestRetryStrategy ONCE =
      new DefaultHttpRequestRetryStrategy(1, TimeValue.ZERO_MILLISECONDS);

  /** Lines end with a bar here; a tilde is half of such an end. */
  private static String lines(String text) {
    return text.replace("|", "\r\n").replace("~", "\r");
  }

  private static void classic(String told, String answer) throws Exception {
    Comparison.same(
        told,
        with(builder -> builder.setRetryStrategy(ONCE)),
        request -> answer + CLOSE,
        visitor -> visitor.send(new HttpGet(visitor.url("/"))));
  }

  private static void asynchronous(String told, String answer) throws Exception {
    AsyncComparison.same(
        told,
        builder -> builder.setRetryStrategy(ONCE),
        request -> answer + CLOSE,
        visitor -> visitor.get("/"));
  }

  // ---- no answer

  @ParameterizedTest
  @ValueSource(strings = {"", "HTTP/1.1 100 Continue||", "HTTP/1.1 103 Early|Link: a||"})
  void aConnectionThatIsClosedInsteadOfAnAnswer(String answer) throws Exception {
    classic("threw org.apache.hc.core5.http.NoHttpResponseException", lines(answer));
    asynchronous("threw org.apache.hc.core5.http.ConnectionClosedException", lines(answer));
  }

  @Test
  void contentThatIsNotAnswered() throws Exception {
    AsyncComparison.same(
        "threw org.apache.hc.core5.http.ConnectionClosedException",
        builder -> builder.setRetryStrategy(ONCE),
        request -> CLOSE,
        visitor -> visitor.send("/", AsyncEntityProducers.create("content")));
  }

  /** Apache's own connections accept it as complete, and miss its content. */
  @ParameterizedTest
  @ValueSource(strings = {"Content-Length: 2|", "Content-Length: 2", "Content-Length: 2|X: 1"})
  void aTruncatedHead(String fields) throws Exception {
    String answer = lines("HTTP/1.1 200 OK|" + fields);
    classic("threw org.apache.hc.core5.http.ConnectionClosedException", answer);
    asynchronous("threw org.apache.hc.core5.http.ConnectionClosedException", answer);
  }

  // ---- content that breaks off

  @ParameterizedTest
  @ValueSource(strings = {"", "2|ab|", "2|ab~"})
  void contentTruncatedBetweenChunks(String chunks) throws Exception {
    String answer = CHUNKED + lines(chunks);
    classic("threw org.apache.hc.core5.http.ConnectionClosedException", answer);
    asynchronous("threw org.apache.hc.core5.http.ConnectionClosedException", answer);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "ab"})
  void truncatedContentOfKnownLength(String content) throws Exception {
    String answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n" + content;
    classic("threw org.apache.hc.core5.http.ConnectionClosedException", answer);
    asynchronous("threw org.apache.hc.core5.http.ConnectionClosedException", answer);
  }
}
