package heddle.client;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.settings.PoolLimits;
import heddle.client.settings.Timeouts;
import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Settings;
import heddle.http.Body;
import heddle.http.GzipBody;
import heddle.http.HttpException;
import heddle.http.HttpVersion;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.failure.CallCancelledException;
import heddle.http.failure.DeadlineExceededException;
import heddle.http.failure.Http2RequiredException;
import heddle.testkit.Http2Head;
import heddle.testkit.Http2Peer;
import heddle.testkit.SimNetwork;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls whose two directions are independent. */
@Timeout(60)
class DuplexCallTest {
  @AutoClose
  private ClientWorld world = ClientWorld.http2();

  private void replaceWorld(ClientWorld other) {
    world.close();
    world = other;
  }

  private static Request post(String url) throws IOException {
    return Request.post(url, Body.empty());
  }

  private static void write(DuplexCall call, String text) throws IOException {
    call.output().write(text.getBytes(US_ASCII));
  }

  private static void expectData(Http2Peer h2, int stream, String text) throws IOException {
    assertEquals(text, US_ASCII.decode(h2.expectData(stream).data()).toString());
  }

  private static void assertReads(String text, InputStream in) throws IOException {
    assertEquals(text, new String(in.readNBytes(text.length()), US_ASCII));
  }

  @Test
  void conversationGoesBackAndForthOnOneStream() throws Exception {
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake();
      Http2Head head = h2.expectHeaders();
      int stream = head.streamId();
      assertFalse(head.endStream());
      assertEquals(null, head.value("content-length"));
      h2.sendHeaders(stream, false, ":status: 200");
      for (int i = 0; i < 3; i++) {
        expectData(h2, stream, "question " + i);
        h2.sendData(stream, false, "answer " + i);
      }
      assertTrue(h2.expectData(stream).endStream());
      h2.sendData(stream, true, "goodbye");
    }));
    world.visit(peer -> {
      try (DuplexCall call = world.client.open(post(peer.url("/")));
          Response response = call.response()) {
        assertTrue(call.isAnswered());
        InputStream in = response.body().stream();
        for (int i = 0; i < 3; i++) {
          write(call, "question " + i);
          assertReads("answer " + i, in);
        }
        call.output().close();
        assertEquals("goodbye", new String(in.readAllBytes(), US_ASCII));
        assertSame(response, call.response());
      }
    });
  }

  /** As servers of gRPC often do. */
  @Test
  void headOfTheResponseMayComeAfterTheFirstContent() throws Exception {
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake();
      int stream = h2.expectHeaders().streamId();
      expectData(h2, stream, "first");
      h2.sendHeaders(stream, false, ":status: 200");
      expectData(h2, stream, "second");
      h2.sendData(stream, true, "end");
    }));
    world.visit(peer -> {
      try (DuplexCall call = world.client.open(post(peer.url("/")))) {
        write(call, "first");
        try (Response response = call.response()) {
          write(call, "second");
          assertEquals("end", response.string());
        }
      }
    });
  }

  @Test
  void requestIsSentToItsEndWhileTheResponseWaitsToBeRead() throws Exception {
    byte[] sent = random(1, 700_001);
    byte[] begun = random(2, 200_001);
    byte[] rest = random(3, 100_001);
    replaceWorld(ClientWorld.http2(
        SimNetwork.builder().seed(3).maxReadBytes(5000).maxWriteBytes(3000),
        Timeouts.DEFAULTS,
        PoolLimits.DEFAULTS));
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake(Settings.INITIAL_WINDOW_SIZE, 10_000);
      int stream = h2.expectHeaders().streamId();
      h2.sendHeaders(stream, false, ":status: 200");
      h2.sendContent(stream, false, begun);
      assertArrayEquals(sent, h2.expectContent(stream));
      h2.sendContent(stream, true, rest);
    }));
    world.visit(peer -> {
      try (DuplexCall call = world.client.open(post(peer.url("/")));
          Response response = call.response()) {
        OutputStream out = call.output();
        out.write(sent);
        out.close();
        InputStream in = response.body().stream();
        assertArrayEquals(begun, in.readNBytes(begun.length));
        assertArrayEquals(rest, in.readAllBytes());
      }
    });
  }

  private static byte[] random(long seed, int length) {
    byte[] content = new byte[length];
    new Random(seed).nextBytes(content);
    return content;
  }

  @Test
  void whatIsCompressedArrivesBeforeMoreIsWritten() throws Exception {
    replaceWorld(new ClientWorld(client -> client
        .version(HttpVersion.HTTP_2)
        .interceptor((request, chain) -> chain.proceed(GzipBody.compress(request)))));
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake();
      int stream = h2.expectHeaders().streamId();
      byte[] data = new byte[1000];
      int count = 0;
      while (count < 10 || !"first".equals(decompressed(data, count))) {
        var came = h2.expectData(stream).data();
        int size = came.remaining();
        came.get(data, count, size);
        count += size;
      }
      h2.sendResponse(stream, 200, "understood");
    }));
    world.visit(peer -> {
      try (DuplexCall call = world.client.open(post(peer.url("/")))) {
        write(call, "first");
        assertEquals("understood", call.response().string());
      }
    });
  }

  /** What can be decompressed of content that goes on. */
  private static String decompressed(byte[] data, int count) throws IOException {
    InputStream in = new GZIPInputStream(new ByteArrayInputStream(data, 0, count));
    StringBuilder text = new StringBuilder();
    try {
      for (int octet = in.read(); octet >= 0; octet = in.read()) {
        text.append((char) octet);
      }
    } catch (EOFException e) {
      return text.toString();
    }
    return text.toString();
  }

  // ---- ends

  @Test
  void serverThatNeedsNoMoreEndsTheWriting() throws Exception {
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake();
      int stream = h2.expectHeaders().streamId();
      h2.sendResponse(stream, 413, "too much");
      h2.expectRst(stream, ErrorCode.CANCEL);
      h2.sendResponse(h2.expectHeaders().streamId(), 200, "fine");
    }));
    world.visit(peer -> {
      try (DuplexCall call = world.client.open(post(peer.url("/")))) {
        assertEquals("too much", call.response().string());
        IOException failure = assertThrows(IOException.class, () -> {
          while (true) {
            write(call, "more");
            world.network.sleep(Duration.ofMillis(1));
          }
        });
        assertTrue(failure.getMessage().contains("no longer read"), failure::toString);
      }
      assertEquals("fine", world.get(peer).string());
    });
  }

  @Test
  void cancellingResetsTheStreamAndEndsReadingAndWriting() throws Exception {
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake();
      int stream = h2.expectHeaders().streamId();
      h2.sendHeaders(stream, false, ":status: 200");
      h2.expectRst(stream, ErrorCode.CANCEL);
      h2.sendResponse(h2.expectHeaders().streamId(), 200, "fine");
    }));
    world.visit(peer -> {
      DuplexCall call = world.client.open(post(peer.url("/")));
      FutureTask<Integer> reading =
          new FutureTask<>(() -> call.response().body().stream().read());
      Thread reader = world.network.threadFactory().newThread(reading);
      reader.start();
      world.until(call::isAnswered);
      call.cancel();
      call.cancel();
      Throwable failure = assertThrows(ExecutionException.class, reading::get).getCause();
      assertTrue(failure instanceof CallCancelledException, failure::toString);
      assertThrows(IOException.class, () -> write(call, "more"));
      assertEquals("fine", world.get(peer).string());
    });
  }

  @Test
  void closingTheCallEndsWhatGoesOn() throws Exception {
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake();
      int stream = h2.expectHeaders().streamId();
      expectData(h2, stream, "begun");
      h2.expectRst(stream, ErrorCode.CANCEL);
    }));
    world.visit(peer -> {
      DuplexCall call = world.client.open(post(peer.url("/")));
      write(call, "begun");
      world.network.sleep(Duration.ofMillis(100));
      call.close();
      assertThrows(CallCancelledException.class, call::response);
      assertThrows(IOException.class, () -> write(call, "more"));
    });
  }

  @Test
  void lostConnectionFailsBothDirections() throws Exception {
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake();
      h2.expectHeaders();
      h2.connection().reset();
    }));
    world.visit(peer -> {
      try (DuplexCall call = world.client.open(post(peer.url("/")))) {
        HttpException failure = assertThrows(HttpException.class, call::response);
        ClientWorld.assertSays(failure, "Connection reset");
        assertThrows(IOException.class, () -> write(call, "more"));
      }
    });
  }

  // ---- what is refused

  @Test
  void connectionOfHttp11IsRefusedBeforeAnythingIsSent() throws Exception {
    replaceWorld(new ClientWorld());
    world.visit(
        peer -> {
          try (DuplexCall call = world.client.open(post(peer.url("/")))) {
            HttpException failure = assertThrows(Http2RequiredException.class, call::response);
            ClientWorld.assertSays(failure, "a full-duplex call needs HTTP/2");
            ClientWorld.assertSays(failure, "HttpClient.Builder.version");
          }
        },
        c -> assertFalse(c.hasMore()));
  }

  @Test
  void requestWithContentIsRefused() throws Exception {
    Request full = Request.post("http://a.test/", Body.of("content"));
    assertThrows(IllegalArgumentException.class, () -> world.client.open(full));
  }

  // ---- time

  @Test
  void timeForTheHeadBeginsWithTheContentThatWasSentLast() throws Exception {
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake();
      int stream = h2.expectHeaders().streamId();
      expectData(h2, stream, "one");
      expectData(h2, stream, "two");
      h2.sendResponse(stream, 200, "late");
    }));
    world.visit(peer -> {
      try (DuplexCall call = world.client.open(post(peer.url("/")))) {
        world.network.sleep(Duration.ofSeconds(50));
        write(call, "one");
        world.network.sleep(Duration.ofSeconds(50));
        write(call, "two");
        assertEquals("late", call.response().string());
      }
    });
  }

  @Test
  void callThatSendsNothingFailsWhenTheHeadDoesNotCome() throws Exception {
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake();
      int stream = h2.expectHeaders().streamId();
      h2.expectRst(stream, ErrorCode.CANCEL);
    }));
    world.visit(peer -> {
      try (DuplexCall call = world.client.open(post(peer.url("/")))) {
        DeadlineExceededException failure =
            assertThrows(DeadlineExceededException.class, call::response);
        assertEquals(Duration.ofSeconds(60), failure.at().elapsed());
        assertThrows(IOException.class, () -> write(call, "more"));
      }
    });
  }

  @Test
  void silenceIsBorneWhileTheRequestGoesOnAndNotAfterItsEnd() throws Exception {
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake();
      int stream = h2.expectHeaders().streamId();
      h2.sendHeaders(stream, false, ":status: 200");
      assertTrue(h2.expectData(stream).endStream());
      h2.expectRst(stream, ErrorCode.CANCEL);
    }));
    world.visit(peer -> {
      try (DuplexCall call = world.client.open(post(peer.url("/")));
          Response response = call.response()) {
        world.network.sleep(Duration.ofMinutes(10));
        call.output().close();
        HttpException failure =
            assertThrows(HttpException.class, () -> response.body().stream().read());
        ClientWorld.assertSays(failure, "the server sent nothing for 30000 ms");
        Duration elapsed = failure.at().elapsed();
        assertEquals(Duration.ofSeconds(630), elapsed);
      }
    });
  }
}
