package heddle.adapters.apache5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.MockServerExtension;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.apache.hc.client5.http.async.methods.SimpleRequestBuilder;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.EndpointDetails;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a context says about the connection of its request. */
@Timeout(60)
@ExtendWith(MockServerExtension.class)
class DetailsTest {
  private static void check(@Nullable EndpointDetails details, MockServer server) {
    assertNotNull(details);
    InetSocketAddress remote =
        assertInstanceOf(InetSocketAddress.class, details.getRemoteAddress());
    assertEquals(URI.create(server.url("/")).getPort(), remote.getPort());
    assertNotNull(remote.getAddress());
    assertTrue(details.getRequestCount() > 0);
    assertNotNull(details.getSocketTimeout());
  }

  @ParameterizedTest
  @EnumSource
  void detailsStayTheSameAfterTheExchange(Stack stack, MockServer server) throws Exception {
    server.answer("/", MockResponse.ok("here"));
    HttpClientContext context = HttpClientContext.create();
    List<@Nullable EndpointDetails> during = new ArrayList<>();
    try (Stack.Running running = stack.start()) {
      running.client().execute(new HttpGet(server.url("/")), context, response -> {
        during.add(context.getEndpointDetails());
        check(during.getFirst(), server);
        return EntityUtils.toString(response.getEntity());
      });
      assertSame(during.getFirst(), context.getEndpointDetails());
      check(context.getEndpointDetails(), server);
    }
    check(context.getEndpointDetails(), server);
  }

  @ParameterizedTest
  @EnumSource
  void anAsynchronousRequestHasThemToo(Stack stack, MockServer server) throws Exception {
    server.answer("/", MockResponse.ok("here"));
    HttpClientContext context = HttpClientContext.create();
    try (AsyncStack.Running running = AsyncStack.start(stack)) {
      var sent = running
          .client()
          .execute(SimpleRequestBuilder.get(server.url("/")).build(), context, null);
      assertEquals("here", sent.get().getBodyText());
      check(context.getEndpointDetails(), server);
    }
  }
}
