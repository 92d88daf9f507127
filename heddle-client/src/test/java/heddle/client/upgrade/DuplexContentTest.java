package heddle.client.upgrade;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.ClientWorld;
import heddle.client.HttpCall;
import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Frame;
import heddle.codec.http2.frame.Settings;
import heddle.http.Body;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.duplex.DuplexContent;
import heddle.http.failure.CallCancelledException;
import heddle.http.failure.Http2RequiredException;
import heddle.http.failure.StreamResetException;
import heddle.testkit.Http2Peer;
import heddle.testkit.ScriptedPeer;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Content that callers write to a stream of HTTP/2, also after the response has ended. */
@Timeout(60)
class DuplexContentTest {
  @AutoClose
  private ClientWorld world = ClientWorld.http2();

  /** Content of unknown length whose output is kept. */
  private static final class Written extends DuplexContent {
    private @Nullable Output output;

    @Override
    public long length() {
      return Body.UNKNOWN;
    }

    @Override
    protected void opened(Output stream) throws IOException {
      output = stream;
      stream.write("first".getBytes(US_ASCII));
    }

    Output output() {
      Output opened = output;
      if (opened == null) {
        throw new IllegalStateException("the content was not opened");
      }
      return opened;
    }

    void write(String text) throws IOException {
      output().write(text.getBytes(US_ASCII));
    }
  }

  private static HttpCall call(ClientWorld world, ScriptedPeer peer, Body content)
      throws IOException {
    return world.client.newCall(Request.post(peer.url("/"), content));
  }

  private static void expectData(Http2Peer h2, int stream, String text) throws IOException {
    assertEquals(text, US_ASCII.decode(h2.expectData(stream).data()).toString());
  }

  private static void expectEnd(Http2Peer h2, int stream) throws IOException {
    Frame.Data last = h2.expectData(stream);
    assertEquals(0, last.data().remaining());
    assertTrue(last.endStream());
  }

  @Test
  void callerWritesAndReadsInTurn() throws Exception {
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake();
      var head = h2.expectHeaders();
      int stream = head.streamId();
      assertNull(head.value("content-length"));
      expectData(h2, stream, "first");
      h2.sendHeaders(stream, false, ":status: 200");
      for (int i = 0; i < 3; i++) {
        expectData(h2, stream, "question " + i);
        h2.sendData(stream, false, "answer " + i);
      }
      expectEnd(h2, stream);
      h2.sendData(stream, true, "goodbye");
    }));
    world.visit(peer -> {
      Written content = new Written();
      try (Response response = call(world, peer, content).execute()) {
        InputStream in = response.body().stream();
        for (int i = 0; i < 3; i++) {
          content.write("question " + i);
          assertEquals("answer " + i, new String(in.readNBytes(8), US_ASCII));
        }
        assertEquals(1, world.inUse());
        content.output().close();
        content.output().close();
        assertEquals("goodbye", new String(in.readAllBytes(), US_ASCII));
        assertEquals(0, world.inUse());
        IOException late = assertThrows(IOException.class, () -> content.write("more"));
        assertTrue(late.getMessage().contains("ended before"), late::toString);
      }
    });
  }

  @Test
  void callerWritesOnAfterTheResponseHasEnded() throws Exception {
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake(Settings.INITIAL_WINDOW_SIZE, 10);
      int stream = h2.expectHeaders().streamId();
      expectData(h2, stream, "first");
      h2.sendResponse(stream, 200, "at once");
      expectData(h2, stream, "01234");
      h2.sendWindowUpdate(stream, 100);
      expectData(h2, stream, "56789");
      expectEnd(h2, stream);
      h2.sendResponse(h2.expectHeaders().streamId(), 200, "another");
    }));
    world.visit(peer -> {
      Written content = new Written();
      try (Response response = call(world, peer, content).execute()) {
        assertEquals("at once", response.string());
      }
      assertEquals(1, world.inUse());
      world.network.sleep(Duration.ofMinutes(2)); // The server owes nothing.
      content.write("0123456789"); // Waits for the window.
      content.output().close();
      assertEquals(0, world.inUse());
      assertEquals("another", world.get(peer).string());
    });
  }

  @Test
  void responseWithoutContentLeavesTheOutputOpen() throws Exception {
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake();
      int stream = h2.expectHeaders().streamId();
      expectData(h2, stream, "first");
      h2.sendHeaders(stream, true, ":status: 204");
      expectData(h2, stream, "more");
      expectEnd(h2, stream);
    }));
    world.visit(peer -> {
      Written content = new Written();
      call(world, peer, content).execute().close();
      content.write("more");
      assertEquals(1, world.inUse());
      content.output().close();
      assertEquals(0, world.inUse());
    });
  }

  @Test
  void responseThatIsClosedEarlyIsGivenUpWhenTheOutputIsClosed() throws Exception {
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake();
      int stream = h2.expectHeaders().streamId();
      expectData(h2, stream, "first");
      h2.sendHeaders(stream, false, ":status: 200");
      h2.sendData(stream, false, "begun");
      expectData(h2, stream, "more");
      expectEnd(h2, stream);
      h2.expectRst(stream, ErrorCode.CANCEL);
    }));
    world.visit(peer -> {
      Written content = new Written();
      call(world, peer, content).execute().close();
      content.write("more");
      assertEquals(1, world.inUse());
      content.output().close();
      assertEquals(0, world.inUse());
    });
  }

  @Test
  void serverThatNeedsNoMoreFailsTheWriter() throws Exception {
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake();
      int stream = h2.expectHeaders().streamId();
      expectData(h2, stream, "first");
      h2.sendResponse(stream, 200, "enough");
      h2.sendRst(stream, ErrorCode.NO_ERROR);
      h2.sendResponse(h2.expectHeaders().streamId(), 200, "another");
    }));
    world.visit(peer -> {
      Written content = new Written();
      assertEquals("enough", call(world, peer, content).execute().string());
      world.until(() -> world.inUse() == 0);
      StreamResetException failure =
          assertThrows(StreamResetException.class, () -> content.write("more"));
      assertEquals(ErrorCode.NO_ERROR.code(), failure.code());
      content.output().close();
      assertEquals("another", world.get(peer).string());
    });
  }

  @Test
  void cancellingResetsTheStreamAfterTheResponseHasEnded() throws Exception {
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake(Settings.INITIAL_WINDOW_SIZE, 5);
      int stream = h2.expectHeaders().streamId();
      expectData(h2, stream, "first");
      h2.sendResponse(stream, 200, "at once");
      h2.expectRst(stream, ErrorCode.CANCEL);
      h2.sendResponse(h2.expectHeaders().streamId(), 200, "another");
    }));
    world.visit(peer -> {
      Written content = new Written();
      HttpCall call = call(world, peer, content);
      Response response = call.execute();
      assertEquals("at once", response.string());
      var writing = world.start(() -> {
        content.write("more");
        return response;
      });
      world.network.sleep(Duration.ofSeconds(1));
      call.cancel();
      world.untilOver(writing.outcome());
      assertTrue(writing.outcome().isCompletedExceptionally());
      assertEquals(0, world.inUse());
      assertEquals("another", world.get(peer).string());
    });
  }

  @Test
  void cancellingEndsAWriterWhoseSocketTakesNothing() throws Exception {
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake(Settings.INITIAL_WINDOW_SIZE, 10_000_000);
      h2.sendWindowUpdate(0, 10_000_000);
      h2.sendResponse(h2.expectHeaders().streamId(), 200, "The windows are known.");
      int stream = h2.expectHeaders().streamId();
      h2.sendHeaders(stream, false, ":status: 200");
      h2.connection().pauseReading();
      h2.connection().sleep(Duration.ofSeconds(10));
      h2.connection().resumeReading();
      h2.connection().drain();
    }));
    world.visit(peer -> {
      world.get(peer).close();
      Written content = new Written();
      HttpCall call = call(world, peer, content);
      Response response = call.execute();
      var writing = world.start(() -> {
        content.output().write(new byte[20_000_000]);
        return response;
      });
      world.network.sleep(Duration.ofSeconds(5));
      assertFalse(writing.outcome().isDone());
      Duration cancelled = world.now();
      call.cancel();
      world.untilOver(writing.outcome());
      assertTrue(writing.outcome().isCompletedExceptionally());
      assertTrue(world.now().minus(cancelled).toMillis() < 200);
    });
  }

  @Test
  void abortingFailsTheReader() throws Exception {
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake();
      int stream = h2.expectHeaders().streamId();
      expectData(h2, stream, "first");
      h2.sendHeaders(stream, false, ":status: 200");
      h2.expectRst(stream, ErrorCode.CANCEL);
      h2.sendResponse(h2.expectHeaders().streamId(), 200, "another");
    }));
    world.visit(peer -> {
      Written content = new Written();
      Response response = call(world, peer, content).execute();
      var reading = world.start(() -> {
        response.body().stream().read();
        return response;
      });
      world.network.sleep(Duration.ofSeconds(1));
      content.output().abort();
      world.untilOver(reading.outcome());
      assertTrue(reading.outcome().isCompletedExceptionally());
      assertThrows(IOException.class, () -> content.write("more"));
      assertEquals(0, world.inUse());
      assertEquals("another", world.get(peer).string());
    });
  }

  @Test
  void lostConnectionEndsACallThatOnlyWrites() throws Exception {
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake();
      int stream = h2.expectHeaders().streamId();
      expectData(h2, stream, "first");
      h2.sendResponse(stream, 200, "at once");
      expectData(h2, stream, "more");
      h2.connection().reset();
    }));
    world.visit(peer -> {
      Written content = new Written();
      assertEquals("at once", call(world, peer, content).execute().string());
      content.write("more");
      world.until(() -> world.inUse() == 0);
      assertThrows(IOException.class, () -> content.write("more"));
      world.assertNothingIsOpen();
    });
  }

  @Test
  void cancellingEndsAWriterThatWaitsBeforeTheResponse() throws Exception {
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake(Settings.INITIAL_WINDOW_SIZE, 3);
      h2.sendResponse(h2.expectHeaders().streamId(), 200, "The window is known.");
      int stream = h2.expectHeaders().streamId();
      expectData(h2, stream, "fir");
      h2.expectRst(stream, ErrorCode.CANCEL);
    }));
    world.visit(peer -> {
      world.get(peer).close();
      HttpCall call = call(world, peer, new Written());
      var waiting = world.start(call::execute);
      world.network.sleep(Duration.ofSeconds(1));
      call.cancel();
      world.untilOver(waiting.outcome());
      assertTrue(
          waiting.outcome().exceptionNow() instanceof CallCancelledException,
          () -> waiting.outcome().exceptionNow().toString());
      assertEquals(0, world.inUse());
    });
  }

  @Test
  void connectionOfHttp11IsRefusedBeforeTheContentIsOpened() throws Exception {
    world.close();
    world = new ClientWorld(client -> client);
    world.serve(c -> c.expectEnd());
    world.visit(peer -> {
      Written content = new Written();
      assertThrows(Http2RequiredException.class, call(world, peer, content)::execute);
      assertNull(content.output);
      assertThrows(IOException.class, content::stream);
    });
  }
}
