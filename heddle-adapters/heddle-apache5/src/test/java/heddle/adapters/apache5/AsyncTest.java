package heddle.adapters.apache5;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.MockServerExtension;
import heddle.testkit.mock.RecordedRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hc.client5.http.async.methods.AbstractBinResponseConsumer;
import org.apache.hc.client5.http.async.methods.SimpleHttpRequest;
import org.apache.hc.client5.http.async.methods.SimpleHttpResponse;
import org.apache.hc.client5.http.async.methods.SimpleRequestBuilder;
import org.apache.hc.client5.http.async.methods.SimpleResponseConsumer;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.nio.AsyncEntityProducer;
import org.apache.hc.core5.http.nio.entity.AsyncEntityProducers;
import org.apache.hc.core5.http.nio.support.BasicRequestProducer;
import org.apache.hc.core5.http.support.BasicRequestBuilder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The asynchronous client does the same over both. */
@Timeout(60)
@ExtendWith(MockServerExtension.class)
class AsyncTest {
  private static final byte[] LARGE = new byte[700_000];

  static {
    new Random(5).nextBytes(LARGE);
  }

  @ParameterizedTest
  @EnumSource
  void aResponseHasItsHeadAndContent(Stack stack, MockServer server) throws Exception {
    try (AsyncStack.Running running = AsyncStack.start(stack)) {
      server.answer("/a//b", MockResponse.of(203).header("X-A", "1").body("content"));
      for (int i = 0; i < 3; i++) {
        SimpleHttpResponse response = running.get(server.url("/a//b"));
        assertEquals(203, response.getCode());
        assertEquals("content", response.getBodyText());
        assertEquals("1", response.getFirstHeader("x-a").getValue());
        AsyncStack.assertNothingIsLeased(running);
      }
      assertEquals(1, server.connections());
    }
  }

  @ParameterizedTest
  @EnumSource
  void headAndStatusesWithoutContentHaveNoBody(Stack stack, MockServer server) throws Exception {
    try (AsyncStack.Running running = AsyncStack.start(stack)) {
      server.answer("/", MockResponse.ok("content"));
      server.answer("/204", MockResponse.of(204));
      SimpleHttpRequest head = SimpleRequestBuilder.head(server.url("/")).build();
      SimpleHttpResponse response = running.send(head).get();
      assertNull(response.getBodyText());
      assertEquals("7", response.getFirstHeader("content-length").getValue());
      assertNull(running.get(server.url("/204")).getBodyText());
      AsyncStack.assertNothingIsLeased(running);
    }
  }

  @ParameterizedTest
  @EnumSource
  void entitiesArriveWholeWhicheverWayTheyAreFramed(Stack stack, MockServer server)
      throws Exception {
    try (AsyncStack.Running running = AsyncStack.start(stack)) {
      server.handler(request -> MockResponse.ok(request.body()).chunked());
      for (boolean chunked : new boolean[] {false, true}) {
        SimpleHttpResponse response = running
            .client()
            .execute(
                new BasicRequestProducer(
                    BasicRequestBuilder.post(server.url("/")).build(), producer(chunked)),
                SimpleResponseConsumer.create(),
                null)
            .get();
        assertArrayEquals(LARGE, response.getBodyBytes());
        RecordedRequest sent = server.takeRequest();
        assertEquals(chunked ? "chunked" : null, sent.header("transfer-encoding"));
      }
      SimpleHttpRequest small = SimpleRequestBuilder.post(server.url("/"))
          .setBody("small", ContentType.TEXT_PLAIN)
          .build();
      assertEquals("small", running.send(small).get().getBodyText());
      assertEquals("5", server.takeRequest().header("content-length"));
    }
  }

  private static AsyncEntityProducer producer(boolean chunked) {
    ByteBuffer all = ByteBuffer.wrap(LARGE);
    return chunked
        ? AsyncEntityProducers.createBinary(
            sink -> {
              try {
                sink.write(all);
                if (!all.hasRemaining()) {
                  sink.endStream();
                }
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            },
            ContentType.APPLICATION_OCTET_STREAM)
        : AsyncEntityProducers.create(LARGE, ContentType.APPLICATION_OCTET_STREAM);
  }

  @ParameterizedTest
  @EnumSource
  void redirectsAndInterceptorsAreApaches(Stack stack, MockServer server) throws Exception {
    List<String> seen = new ArrayList<>();
    try (AsyncStack.Running running = AsyncStack.start(
        stack,
        20,
        b -> b.addRequestInterceptorLast((request, entity, c) -> seen.add(request.getPath())))) {
      server.answer("/from", MockResponse.of(302).header("Location", "/to"));
      server.answer("/to", MockResponse.ok("there"));
      assertEquals("there", running.get(server.url("/from")).getBodyText());
      assertEquals(List.of("/from", "/to"), seen);
    }
  }

  /** Has so little capacity that it must be asked repeatedly. */
  private static final class SmallBites extends AbstractBinResponseConsumer<Integer> {
    private int total;

    @Override
    protected void start(HttpResponse response, ContentType type) {}

    @Override
    protected int capacityIncrement() {
      return 1000;
    }

    @Override
    protected void data(ByteBuffer source, boolean endOfStream) {
      total += source.remaining();
      source.position(source.limit());
    }

    @Override
    protected Integer buildResult() {
      return total;
    }

    @Override
    public void releaseResources() {}
  }

  @ParameterizedTest
  @EnumSource
  void aConsumerWithLittleRoomGetsAll(Stack stack, MockServer server) throws Exception {
    try (AsyncStack.Running running = AsyncStack.start(stack)) {
      server.answer("/", MockResponse.ok(LARGE));
      Integer total = running
          .client()
          .execute(
              new BasicRequestProducer(BasicRequestBuilder.get(server.url("/")).build(), null),
              new SmallBites(),
              null)
          .get();
      assertEquals(LARGE.length, total);
    }
  }
}
