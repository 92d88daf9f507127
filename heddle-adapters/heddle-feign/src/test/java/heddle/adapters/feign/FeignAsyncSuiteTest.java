package heddle.adapters.feign;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import feign.Client;
import feign.Feign;
import feign.Request;
import feign.Response;
import feign.RetryableException;
import feign.Retryer;
import feign.client.AbstractClientTest;
import heddle.http.failure.MalformedMessageException;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import okhttp3.mockwebserver.MockResponse;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Feign's own suite for clients, each of whose calls waits for one of the asynchronous client. */
public class FeignAsyncSuiteTest extends AbstractClientTest {
  @AutoClose
  private static final HeddleAsyncClient<Void> CLIENT = HeddleAsyncClient.create();

  private static final Client WAITING = new Client() {
    @Override
    public Response execute(Request request, Request.Options options) throws IOException {
      try {
        return CLIENT.execute(request, options, Optional.empty()).join();
      } catch (CompletionException e) {
        if (e.getCause() instanceof IOException failure) {
          throw failure;
        }
        throw e;
      }
    }
  };

  @Override
  public Feign.Builder newBuilder() {
    return Feign.builder().client(WAITING);
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
