package heddle.adapters.feign;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import feign.Feign;
import feign.RetryableException;
import feign.Retryer;
import feign.client.AbstractClientTest;
import heddle.http.failure.MalformedMessageException;
import okhttp3.mockwebserver.MockResponse;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Feign's own suite for clients. */
public class FeignSuiteTest extends AbstractClientTest {
  @AutoClose
  private static final HeddleClient CLIENT = HeddleClient.create();

  @Override
  public Feign.Builder newBuilder() {
    return Feign.builder().client(CLIENT);
  }

  /**
   * The server's two different lengths are refused: recipients that accept different ones disagree
   * about where the next response begins (RFC 9112 section 6.3).
   */
  @Test
  @Override
  public void veryLongResponseNullLength() {
    server.enqueue(
        new MockResponse().setBody("AAAAAAAA").addHeader("Content-Length", Long.MAX_VALUE));
    TestInterface api = newBuilder()
        .retryer(Retryer.NEVER_RETRY)
        .target(TestInterface.class, "http://localhost:" + server.getPort());
    RetryableException refused = assertThrows(RetryableException.class, () -> api.post("foo"));
    assertInstanceOf(MalformedMessageException.class, refused.getCause());
  }
}
