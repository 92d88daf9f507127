package heddle.adapters.apache5;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Settings;
import heddle.testkit.Http2Head;
import heddle.testkit.Http2Peer;
import heddle.testkit.ScriptedPeer;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.async.methods.SimpleHttpRequest;
import org.apache.hc.client5.http.async.methods.SimpleHttpResponse;
import org.apache.hc.client5.http.async.methods.SimpleRequestBuilder;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http2.H2Error;
import org.apache.hc.core5.http2.H2StreamResetException;
import org.apache.hc.core5.http2.HttpVersionPolicy;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What asynchronous requests are on the wire of HTTP/2, and what its frames do to them. */
@Timeout(60)
class Http2FramesTest {
  /** What is done with a server that follows a script. */
  private interface Visit {
    void to(AsyncStack.Running running, String url) throws Exception;
  }

  private static void visit(Stack stack, Http2Peer.Script script, Visit visit) throws Exception {
    try (TcpNetwork network = TcpNetwork.create();
        ScriptedPeer peer = ScriptedPeer.inOrder(network, Http2Peer.server(script))) {
      try (AsyncStack.Running running =
          AsyncStack.start(stack, null, HttpVersionPolicy.FORCE_HTTP_2)) {
        visit.to(running, peer.url("/"));
        AsyncStack.assertNothingIsLeased(running);
        running.client().close(org.apache.hc.core5.io.CloseMode.IMMEDIATE);
      }
      peer.awaitScripts();
    }
  }

  private static Future<SimpleHttpResponse> get(AsyncStack.Running running, String url) {
    return running.send(SimpleRequestBuilder.get(url).build());
  }

  private static <X extends Throwable> X failure(Class<X> kind, Future<?> call) {
    return assertInstanceOf(
        kind, assertThrows(ExecutionException.class, call::get).getCause());
  }

  @ParameterizedTest
  @EnumSource
  void aHeadHasTheFieldsOfHttp2AndNoneOfConnections(Stack stack) throws Exception {
    visit(
        stack,
        h2 -> {
          h2.handshake();
          Http2Head head = h2.expectHeaders();
          assertEquals("POST", head.value(":method"));
          assertEquals("http", head.value(":scheme"));
          assertEquals("/a//b?c=%2f", head.value(":path"));
          assertTrue(String.valueOf(head.value(":authority")).startsWith("127.0.0.1:"));
          assertEquals("1", head.value("x-own"));
          if (stack == Stack.HEDDLE) {
            assertEquals("5", head.value("content-length"));
          }
          for (String name : List.of("host", "connection", "transfer-encoding", "keep-alive")) {
            assertNull(head.value(name), name);
          }
          assertArrayEquals("hello".getBytes(US_ASCII), h2.expectContent(head.streamId()));
          h2.sendResponse(head.streamId(), 200, "ok");
        },
        (running, url) -> {
          SimpleHttpRequest post = SimpleRequestBuilder.post(url + "a//b?c=%2f")
              .setHeader("X-Own", "1")
              .setBody("hello", ContentType.TEXT_PLAIN)
              .build();
          assertEquals("ok", running.send(post).get().getBodyText());
        });
  }

  @ParameterizedTest
  @EnumSource
  void aStreamThatIsResetFailsItsRequestWithItsCode(Stack stack) throws Exception {
    for (ErrorCode error :
        List.of(ErrorCode.INTERNAL_ERROR, ErrorCode.REFUSED_STREAM, ErrorCode.CANCEL)) {
      visit(
          stack,
          h2 -> {
            h2.handshake();
            int stream = h2.expectHeaders().streamId();
            if (error == ErrorCode.CANCEL) {
              h2.sendHeaders(stream, false, ":status: 200");
              h2.sendData(stream, false, "beg");
            }
            h2.sendRst(stream, error);
            h2.connection().drain();
          },
          (running, url) -> {
            H2StreamResetException told = failure(H2StreamResetException.class, get(running, url));
            assertEquals(error.code(), told.getCode());
          });
    }
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE") // Apache's own tells it as a connection that was closed
  void aRequestThatAGoAwayLeavesOutWasNotProcessed(Stack stack) throws Exception {
    visit(
        stack,
        h2 -> {
          h2.handshake();
          Http2Head first = h2.expectHeaders();
          h2.expectHeaders();
          h2.sendGoAway(first.streamId(), ErrorCode.NO_ERROR);
          h2.sendResponse(first.streamId(), 200, "ok");
          h2.expectGoAway(ErrorCode.NO_ERROR);
        },
        (running, url) -> {
          Future<SimpleHttpResponse> first = get(running, url);
          Future<SimpleHttpResponse> second = get(running, url);
          List<Future<SimpleHttpResponse>> all = List.of(first, second);
          int answered = 0;
          for (Future<SimpleHttpResponse> each : all) {
            try {
              assertEquals("ok", each.get().getBodyText());
              answered++;
            } catch (ExecutionException e) {
              assertEquals(
                  H2Error.REFUSED_STREAM.getCode(),
                  assertInstanceOf(H2StreamResetException.class, e.getCause()).getCode());
            }
          }
          assertEquals(1, answered);
        });
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE") // Apache's own closes the connection, which no other request uses
  void cancellingResetsTheStreamAndLeavesItsNeighbours(Stack stack) throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    visit(
        stack,
        h2 -> {
          h2.handshake();
          Http2Head neighbour = h2.expectHeaders();
          asked.countDown();
          Http2Head waiting = h2.expectHeaders();
          begun.countDown();
          h2.expectRst(waiting.streamId(), ErrorCode.CANCEL);
          h2.sendResponse(neighbour.streamId(), 200, "ok");
        },
        (running, url) -> {
          Future<SimpleHttpResponse> neighbour = get(running, url);
          asked.await();
          Future<SimpleHttpResponse> cancelled = get(running, url);
          begun.await();
          assertTrue(cancelled.cancel(true));
          assertEquals("ok", neighbour.get().getBodyText());
        });
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE")
  void cancellingInTheMiddleOfContentResetsTheStreamToo(Stack stack) throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    visit(
        stack,
        h2 -> {
          h2.handshake();
          Http2Head head = h2.expectHeaders();
          h2.sendHeaders(head.streamId(), false, ":status: 200");
          h2.sendData(head.streamId(), false, "beg");
          begun.await();
          h2.expectRst(head.streamId(), ErrorCode.CANCEL);
          h2.sendResponse(h2.expectHeaders().streamId(), 200, "ok");
        },
        (running, url) -> {
          RecordingConsumer consumer = new RecordingConsumer();
          Future<String> call = running
              .client()
              .execute(
                  org.apache.hc.client5.http.async.methods.SimpleRequestProducer.create(
                      SimpleRequestBuilder.get(url).build()),
                  consumer,
                  null);
          consumer.begun.await();
          begun.countDown();
          assertTrue(call.cancel(true));
          AsyncStack.assertNothingIsLeased(running);
          assertEquals("ok", get(running, url).get().getBodyText());
        });
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE") // Apache gives requests over HTTP/2 no timeout of their own
  void aResponseTimeoutEndsOneStream(Stack stack) throws Exception {
    visit(
        stack,
        h2 -> {
          h2.handshake();
          Http2Head late = h2.expectHeaders();
          h2.expectRst(late.streamId(), ErrorCode.CANCEL);
          h2.sendResponse(h2.expectHeaders().streamId(), 200, "ok");
        },
        (running, url) -> {
          SimpleHttpRequest request = SimpleRequestBuilder.get(url).build();
          request.setConfig(RequestConfig.custom()
              .setResponseTimeout(300, TimeUnit.MILLISECONDS)
              .build());
          failure(SocketTimeoutException.class, running.send(request));
          AsyncStack.assertNothingIsLeased(running);
          SimpleHttpRequest again = SimpleRequestBuilder.get(url).build();
          again.setConfig(RequestConfig.custom()
              .setResponseTimeout(300, TimeUnit.MILLISECONDS)
              .build());
          assertEquals("ok", running.send(again).get().getBodyText());
        });
  }

  @ParameterizedTest
  @EnumSource
  void exceptionsOfAProducerEndItsStream(Stack stack) throws Exception {
    IOException own = new IOException("the disk is gone");
    // Before that the call may have failed and its client closed.
    CountDownLatch shaken = new CountDownLatch(1);
    visit(
        stack,
        h2 -> {
          h2.handshake();
          shaken.countDown();
          h2.connection().drain();
        },
        (running, url) -> {
          Future<?> call = running
              .client()
              .execute(
                  new org.apache.hc.core5.http.nio.support.BasicRequestProducer(
                      SimpleRequestBuilder.post(url).build(), new AsyncEndingsTest.Failing(own)),
                  org.apache.hc.client5.http.async.methods.SimpleResponseConsumer.create(),
                  null);
          assertSame(own, assertThrows(ExecutionException.class, call::get).getCause());
          shaken.await();
        });
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE")
  void whatAServerTakesNoMoreOfGoesOverAnotherConnection(Stack stack) throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch both = new CountDownLatch(2);
    ScriptedPeer.Script one = Http2Peer.server(h2 -> {
      h2.handshake(Settings.MAX_CONCURRENT_STREAMS, 1);
      Http2Head head = h2.expectHeaders();
      h2.expectSettingsAck();
      asked.countDown();
      both.countDown();
      both.await();
      h2.sendResponse(head.streamId(), 200, "ok");
    });
    try (TcpNetwork network = TcpNetwork.create();
        ScriptedPeer peer = ScriptedPeer.inOrder(network, one, one);
        AsyncStack.Running running =
            AsyncStack.start(stack, null, HttpVersionPolicy.FORCE_HTTP_2)) {
      Future<SimpleHttpResponse> first = get(running, peer.url("/"));
      asked.await();
      Future<SimpleHttpResponse> second = get(running, peer.url("/"));
      assertEquals("ok", first.get().getBodyText());
      assertEquals("ok", second.get().getBodyText());
      assertEquals(2, peer.connections());
    }
  }
}
