package heddle.adapters.apache5.comparison;

import static heddle.adapters.apache5.comparison.Comparison.same;
import static heddle.adapters.apache5.comparison.Comparison.thrown;
import static heddle.adapters.apache5.comparison.Comparison.with;
import static heddle.adapters.apache5.comparison.RawServer.CLOSE;
import static heddle.adapters.apache5.comparison.RawServer.SILENCE;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.classic.methods.HttpHead;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Callers get the same of a response over Apache's own connections and over Heddle's. */
@Timeout(60)
class ResponseComparisonTest {
  private static final String OK = "HTTP/1.1 200 OK\r\n";

  private static RawServer.Answers always(String answer) {
    return request -> answer;
  }

  private static Comparison.Visit twice() {
    return visitor -> List.of(
        visitor.send(new HttpGet(visitor.url("/1"))), visitor.send(new HttpGet(visitor.url("/2"))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 \r\nContent-Length: 2\r\nContent-Type: a/b\r\n\r\nhi",
        "HTTP/1.1 299 Of my own\r\nContent-Length: 2\r\nX-A: 1\r\nx-a: 2\r\nX-Empty:\r\n\r\nhi",
        "HTTP/1.1 204 No Content\r\nX-A: 1\r\n\r\n",
        "HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\nETag: \"a\"\r\n\r\n",
        "HTTP/1.1 205 Reset\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 500 Broken\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n2\r\nhi\r\n0\r\n"
            + "X: 1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 103 Early\r\nLink: a\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nKeep-Alive: timeout=3\r\n\r\nhi",
        "HTTP/1.0 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\nhi"
      })
  void responsesOfAnyKind(String answer) throws Exception {
    same("HTTP/1.", always(answer), twice());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi",
        "HTTP/1.0 200 OK\r\n\r\nto the end",
        "HTTP/1.1 200 OK\r\nX-A: 1\r\n\r\nto the end",
        "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n",
      })
  void responsesThatEndWithTheirConnection(String answer) throws Exception {
    same("200", always(answer + CLOSE), twice());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Encoding: mine\r\n\r\nhi",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: two\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nab",
        "HTTP/3.0 200 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
      })
  void failuresAreOfTheSameKind(String answer) throws Exception {
    same(
        "threw",
        with(builder -> builder.disableAutomaticRetries()),
        always(answer + CLOSE),
        visitor -> visitor.send(new HttpGet(visitor.url("/"))));
  }

  @ParameterizedTest
  @CsvSource({"HTTP/1.1 200 OK", "HTTP/1.1 404 Not there"})
  void aHeadHasNoContent(String line) throws Exception {
    same(
        "no entity",
        always(line + "\r\nContent-Length: 7\r\nContent-Encoding: gzip\r\n\r\n"),
        visitor -> List.of(
            visitor.send(new HttpHead(visitor.url("/1"))),
            visitor.send(new HttpHead(visitor.url("/2")))));
  }

  // ---- codings

  private interface Coding {
    OutputStream over(OutputStream packed) throws IOException;
  }

  private static String packed(String name, String content, Coding coding) {
    try {
      ByteArrayOutputStream packed = new ByteArrayOutputStream();
      try (OutputStream sink = coding.over(packed)) {
        sink.write(content.getBytes(ISO_8859_1));
      }
      String text = packed.toString(ISO_8859_1);
      return OK + "Content-Encoding: " + name + "\r\nContent-Length: " + text.length() + "\r\n\r\n"
          + text;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "x-gzip", "deflate"})
  void contentIsUnpacked(String name) throws Exception {
    Coding coding = name.equals("deflate") ? DeflaterOutputStream::new : GZIPOutputStream::new;
    same("content unpacked", always(packed(name, "unpacked", coding)), twice());
  }

  @Test
  void contentIsNotDecodedIfDisabled() throws Exception {
    same(
        "encoding gzip",
        with(builder -> builder.disableContentCompression()),
        always(packed("gzip", "unpacked", GZIPOutputStream::new)),
        twice());
  }

  @Test
  void contentThatCannotBeUnpacked() throws Exception {
    same(
        "threw java.util.zip.ZipException",
        always(OK + "Content-Encoding: gzip\r\nContent-Length: 5\r\n\r\nplain"),
        twice());
  }

  // ---- how responses are read

  private static final String LONG = "x".repeat(100_000);

  private static Comparison.Visit readingOnly(int count) {
    return visitor -> {
      List<String> told = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        told.add(visitor.client().execute(new HttpGet(visitor.url("/" + i)), response -> {
          InputStream content = response.getEntity().getContent();
          String read = new String(content.readNBytes(count), ISO_8859_1);
          return response.getEntity().isStreaming() && count > 0 ? read : read + "-";
        }));
      }
      return told;
    };
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5000, 100_000})
  void contentThatIsNotReadToItsEnd(int count) throws Exception {
    String answer = OK + "Content-Length: " + LONG.length() + "\r\n\r\n" + LONG;
    same(count > 0 ? "x" : "-", always(answer), readingOnly(count));
  }

  @Test
  void contentThatIsReadTwice() throws Exception {
    same("once, then ", always(OK + "Content-Length: 4\r\n\r\nonce"), visitor -> {
      return visitor.client().execute(new HttpGet(visitor.url("/")), response -> {
        String first = EntityUtils.toString(response.getEntity());
        try {
          return first + ", then " + EntityUtils.toString(response.getEntity());
        } catch (IOException | org.apache.hc.core5.http.ParseException e) {
          return first + ", then " + thrown(e);
        }
      });
    });
  }

  @Test
  void exceptionsOfAHandlerAreRethrown() throws Exception {
    same("threw java.io.IOException", always(OK + "Content-Length: 4\r\n\r\nonce"), visitor -> {
      List<String> told = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        try {
          visitor.client().execute(new HttpGet(visitor.url("/" + i)), response -> {
            throw new IOException("not what I wanted");
          });
        } catch (IOException e) {
          told.add(thrown(e));
        }
      }
      return told;
    });
  }

  // ---- time

  @Test
  void aSilentServer() throws Exception {
    same("threw java.net.SocketTimeoutException", always(SILENCE), visitor -> {
      HttpGet get = new HttpGet(visitor.url("/"));
      get.setConfig(
          RequestConfig.custom().setResponseTimeout(100, TimeUnit.MILLISECONDS).build());
      return visitor.send(get);
    });
  }

  @Test
  void aServerThatSaysNoMore() throws Exception {
    ConnectionConfig impatient =
        ConnectionConfig.custom().setSocketTimeout(100, TimeUnit.MILLISECONDS).build();
    same(
        "threw java.net.SocketTimeoutException",
        impatient,
        with(builder -> builder),
        always(OK + "Content-Length: 10\r\n\r\nsome" + SILENCE),
        visitor -> visitor.send(new HttpGet(visitor.url("/"))));
  }
}
