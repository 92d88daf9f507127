package heddle.adapters.apache5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testkit.ScriptedPeer;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.hc.client5.http.async.methods.SimpleRequestBuilder;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.message.BasicHeader;
import org.apache.hc.core5.http.nio.AsyncEntityProducer;
import org.apache.hc.core5.http.nio.DataStreamChannel;
import org.apache.hc.core5.http.nio.support.BasicRequestProducer;
import org.apache.hc.core5.http.support.BasicRequestBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Trailers, informational responses and the expectation of 100 (Continue) of asynchronous requests,
 * over both versions.
 */
@Timeout(60)
class AsyncMessagesTest {
  /** Both stacks over both versions. */
  record Way(Stack stack, Wire wire) {
    void visit(Wire.Script script, Wire.Visit visit) throws Exception {
      wire.visit(stack, script, visit);
    }

    /** Over HTTP/2 Apache's own sends a trailer with the capitals that it was given. */
    String trailer() {
      return stack == Stack.STOCK && wire == Wire.HTTP_2 ? "x-sum" : "X-Sum";
    }
  }

  static Stream<Way> ways() {
    return Stream.of(Stack.values())
        .flatMap(stack -> Stream.of(Wire.values()).map(wire -> new Way(stack, wire)));
  }

  /** Five octets in chunks, and what may follow them. */
  private static final class Producer implements AsyncEntityProducer {
    final AtomicInteger asked = new AtomicInteger();
    final AtomicInteger released = new AtomicInteger();
    private final String trailer;
    private final Set<String> announced;
    private final ByteBuffer content = ByteBuffer.wrap("hello".getBytes(StandardCharsets.US_ASCII));

    /**
     * @param trailer the name of the field that follows the content
     */
    Producer(String trailer, String... announced) {
      this.trailer = trailer;
      this.announced = Set.of(announced);
    }

    @Override
    public int available() {
      return 5;
    }

    @Override
    public void produce(DataStreamChannel channel) throws IOException {
      asked.incrementAndGet();
      channel.write(content);
      if (!content.hasRemaining()) {
        channel.endStream(List.of(new BasicHeader(trailer, "5")));
      }
    }

    @Override
    public boolean isRepeatable() {
      return false;
    }

    @Override
    public void failed(Exception cause) {}

    @Override
    public long getContentLength() {
      return -1;
    }

    @Override
    public String getContentType() {
      return "text/plain";
    }

    @Override
    public @Nullable String getContentEncoding() {
      return null;
    }

    @Override
    public boolean isChunked() {
      return true;
    }

    @Override
    public Set<String> getTrailerNames() {
      return announced;
    }

    @Override
    public void releaseResources() {
      released.incrementAndGet();
    }
  }

  private static Future<String> post(
      AsyncStack.Running running,
      String url,
      Producer content,
      RecordingConsumer consumer,
      boolean expecting) {
    HttpClientContext context = HttpClientContext.create();
    context.setRequestConfig(
        RequestConfig.custom().setExpectContinueEnabled(expecting).build());
    return running
        .client()
        .execute(
            new BasicRequestProducer(BasicRequestBuilder.post(url).build(), content),
            consumer,
            context,
            null);
  }

  private static Future<String> get(
      AsyncStack.Running running, String url, RecordingConsumer consumer) {
    return running
        .client()
        .execute(
            new BasicRequestProducer(SimpleRequestBuilder.get(url).build(), null), consumer, null);
  }

  @ParameterizedTest
  @MethodSource("ways")
  void trailersGoBothWays(Way way) throws Exception {
    way.visit(
        server -> {
          assertTrue(server.expectHead().contains("trailer: " + way.trailer()));
          assertEquals(
              List.of("x-sum: 5"),
              server.expectContent("hello").stream().map(String::toLowerCase).toList());
          server.sendResponse(200, "ok", "x-check: 1", "x-more: 2");
        },
        (running, url) -> {
          RecordingConsumer consumer = new RecordingConsumer();
          Producer content = new Producer(way.trailer(), way.trailer());
          assertEquals("ok", post(running, url, content, consumer, false).get());
          assertEquals(List.of("x-check: 1", "x-more: 2"), consumer.trailers);
        });
  }

  @ParameterizedTest
  @MethodSource("ways")
  void trailersThatWereNotAnnouncedAreSentToo(Way way) throws Exception {
    way.visit(
        server -> {
          server.expectHead();
          assertEquals(
              List.of("x-sum: 5"),
              server.expectContent("hello").stream().map(String::toLowerCase).toList());
          server.sendResponse(200, "ok");
        },
        (running, url) -> {
          RecordingConsumer consumer = new RecordingConsumer();
          assertEquals(
              "ok",
              post(running, url, new Producer(way.trailer()), consumer, false).get());
          assertEquals(List.of(), consumer.trailers);
        });
  }

  @ParameterizedTest
  @MethodSource("ways")
  void informationalResponsesAreReportedInOrder(Way way) throws Exception {
    way.visit(
        server -> {
          server.expectHead();
          server.sendInterim(100);
          server.sendInterim(102);
          server.sendInterim(103, "link: </a>", "link: </b>");
          server.sendResponse(200, "ok");
        },
        (running, url) -> {
          RecordingConsumer consumer = new RecordingConsumer();
          assertEquals("ok", get(running, url, consumer).get());
          assertEquals(List.of("102 []", "103 [link: </a>, link: </b>]"), consumer.informational);
        });
  }

  @ParameterizedTest
  @MethodSource("ways")
  void theCallerGetsWhatAConsumerThrowsAtAnInformationalResponse(Way way) throws Exception {
    way.visit(
        server -> {
          server.expectHead();
          server.sendInterim(103, "link: </a>");
          server.drain();
        },
        (running, url) -> {
          RecordingConsumer consumer = new RecordingConsumer();
          HttpException refusal = new HttpException("not so early");
          consumer.refusal = refusal;
          Future<String> call = get(running, url, consumer);
          assertSame(refusal, assertThrows(ExecutionException.class, call::get).getCause());
          AsyncStack.assertNothingIsLeased(running);
          running.client().close(org.apache.hc.core5.io.CloseMode.IMMEDIATE);
        });
  }

  @ParameterizedTest
  @MethodSource("ways")
  void contentThatExpectsContinueWaitsForIt(Way way) throws Exception {
    Producer content = new Producer(way.trailer());
    way.visit(
        server -> {
          List<String> head = server.expectHead();
          assertTrue(head.contains("expect: 100-continue"), head::toString);
          server.expectQuiet();
          assertEquals(0, content.asked.get());
          server.sendInterim(100);
          server.expectContent("hello");
          server.sendResponse(200, "ok");
        },
        (running, url) -> {
          RecordingConsumer consumer = new RecordingConsumer();
          assertEquals("ok", post(running, url, content, consumer, true).get());
          assertEquals(List.of(), consumer.informational);
        });
  }

  @ParameterizedTest
  @MethodSource("ways")
  void unreadContentIsNotRequested(Way way) throws Exception {
    Producer content = new Producer(way.trailer());
    way.visit(
        server -> {
          server.expectHead();
          server.sendResponse(413, "no");
          server.drain();
        },
        (running, url) -> {
          RecordingConsumer consumer = new RecordingConsumer();
          assertEquals("no", post(running, url, content, consumer, true).get());
          AsyncStack.assertNothingIsLeased(running);
          if (way.stack == Stack.HEDDLE || way.wire == Wire.HTTP_1) {
            assertEquals(0, content.asked.get());
          }
          running.client().close(org.apache.hc.core5.io.CloseMode.IMMEDIATE);
        });
  }

  @ParameterizedTest
  @MethodSource("ways")
  void anAnswerBeforeTheContentLeavesTheProducerToItsEnd(Way way) throws Exception {
    Producer content = new Producer(way.trailer());
    way.visit(
        server -> {
          server.expectHead();
          server.sendResponse(200, "early");
          server.drain();
        },
        (running, url) -> {
          RecordingConsumer consumer = new RecordingConsumer();
          assertEquals("early", post(running, url, content, consumer, true).get());
          AsyncStack.assertNothingIsLeased(running);
          assertEquals(1, content.asked.get());
          running.client().close(org.apache.hc.core5.io.CloseMode.IMMEDIATE);
        });
  }

  @ParameterizedTest
  @EnumSource
  void aConsumerWithoutRoomCanBeCancelled(Wire wire) throws Exception {
    wire.visit(
        Stack.HEDDLE,
        server -> {
          server.expectHead();
          server.sendResponse(200, "x".repeat(100_000));
          server.drain();
        },
        (running, url) -> {
          RecordingConsumer consumer = new RecordingConsumer();
          consumer.room = 0;
          Future<String> call = get(running, url, consumer);
          consumer.asked.await();
          assertTrue(call.cancel(true));
          AsyncStack.assertNothingIsLeased(running);
          while (consumer.released.get() == 0) {
            Thread.onSpinWait(); // This happens last, on the thread of the exchange.
          }
          running.client().close(org.apache.hc.core5.io.CloseMode.IMMEDIATE);
        });
  }

  @ParameterizedTest
  @EnumSource
  void contentMayEndWithTheConnection(Stack stack) throws Exception {
    List<String> heads = new ArrayList<>(
        List.of("HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\n"));
    for (String head : heads) {
      ScriptedPeer.Script script = connection -> {
        connection.expectHead();
        connection.send(head + "all of it");
        connection.close();
      };
      try (TcpNetwork network = TcpNetwork.create();
          ScriptedPeer peer = ScriptedPeer.inOrder(network, script, script);
          AsyncStack.Running running = AsyncStack.start(stack)) {
        for (int i = 0; i < 2; i++) {
          RecordingConsumer consumer = new RecordingConsumer();
          assertEquals("all of it", get(running, peer.url("/"), consumer).get());
          AsyncStack.assertNothingIsLeased(running);
        }
        assertEquals(2, peer.connections());
        assertFalse(Thread.currentThread().isInterrupted());
      }
    }
  }
}
