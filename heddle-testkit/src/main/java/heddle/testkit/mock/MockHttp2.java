package heddle.testkit.mock;

import heddle.codec.Role;
import heddle.codec.hpack.HpackOutput;
import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Frame;
import heddle.http.HttpVersion;
import heddle.testkit.Http2Head;
import heddle.testkit.Http2Peer;
import heddle.testkit.RawConnection;
import heddle.transport.InsertionOrderedSet;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One HTTP/2 connection of a mock server: its thread reads frames and answers those that need it;
 * each request is answered on a separate thread.
 */
final class MockHttp2 {
  private final MockServer server;
  private final RawConnection connection;
  private final Http2Peer peer;
  private final int number;
  private final ThreadFactory threads;
  private final MockStreams streams = new MockStreams();

  /** Held while frames are written, so that one thread writes at a time. */
  private final ReentrantLock writing = new ReentrantLock();

  private final InsertionOrderedSet<Thread> answering = new InsertionOrderedSet<>();

  /** Used only by the reading thread: requests that have not come whole. */
  private final Map<Integer, Incoming> incoming = new HashMap<>();

  private record Incoming(Http2Head head, ByteArrayOutputStream content) {}

  MockHttp2(MockServer server, RawConnection connection, int number, ThreadFactory threads) {
    this.server = server;
    this.connection = connection;
    this.peer = Http2Peer.of(Role.SERVER, connection);
    this.number = number;
    this.threads = threads;
  }

  void serve() throws IOException {
    try {
      peer.handshake();
      streams.settings(peer.settings());
      for (Frame frame = peer.nextFrame(); frame != null; frame = peer.nextFrame()) {
        receive(frame);
      }
    } finally {
      streams.close();
      answering.inOrder().forEach(Thread::interrupt);
    }
  }

  // ---- reading

  private void receive(Frame frame) throws IOException {
    switch (frame) {
      case Frame.Headers headers -> receiveHead(peer.readHead(headers));
      case Frame.Data data -> receiveData(data);
      case Frame.Settings settings -> {
        if (!settings.ack()) {
          streams.settings(peer.settings());
          write(Frame.Settings.ACKNOWLEDGEMENT);
        }
      }
      case Frame.Ping ping -> {
        if (!ping.ack()) {
          write(new Frame.Ping(true, ping.data()));
        }
      }
      case Frame.WindowUpdate update -> streams.credit(update.streamId(), update.increment());
      case Frame.RstStream reset -> {
        incoming.remove(reset.streamId());
        streams.remove(reset.streamId());
      }
      default -> {
        // Nothing that a server has to answer.
      }
    }
  }

  private void receiveHead(Http2Head head) throws IOException {
    if (!streams.begin(head.streamId())) {
      return;
    }
    Incoming request = incoming.get(head.streamId());
    if (request == null) {
      request = new Incoming(head, new ByteArrayOutputStream());
      incoming.put(head.streamId(), request);
      if ("100-continue".equalsIgnoreCase(head.value("expect"))) {
        write(Http2Peer.headers(head.streamId(), false, ":status: 100"));
      }
    }
    if (head.endStream()) {
      complete(head.streamId());
    }
  }

  private void receiveData(Frame.Data data) throws IOException {
    if (data.flowControlled() > 0) {
      write(new Frame.WindowUpdate(0, data.flowControlled()));
    }
    Incoming request = incoming.get(data.streamId());
    if (request == null) {
      return;
    }
    byte[] bytes = new byte[data.data().remaining()];
    data.data().duplicate().get(bytes);
    request.content().writeBytes(bytes);
    if (data.endStream()) {
      complete(data.streamId());
    } else if (data.flowControlled() > 0) {
      write(new Frame.WindowUpdate(data.streamId(), data.flowControlled()));
    }
  }

  private void complete(int streamId) {
    Incoming request = Objects.requireNonNull(incoming.remove(streamId));
    Http2Head head = request.head();
    List<String> fields =
        head.fields().stream().filter(field -> !field.startsWith(":")).toList();
    RecordedRequest recorded = new RecordedRequest(
        String.valueOf(head.value(":method")),
        String.valueOf(head.value(":path")),
        HttpVersion.HTTP_2,
        fields,
        request.content().toByteArray(),
        number);
    server.record(recorded);
    Thread thread = threads.newThread(() -> {
      try {
        answer(streamId, recorded);
      } finally {
        answering.remove(Thread.currentThread());
      }
    });
    answering.add(thread);
    thread.start();
  }

  // ---- answering

  private void answer(int streamId, RecordedRequest request) {
    try {
      MockResponse response = server.responseTo(request);
      if (response.refuses()) {
        streams.notProcessed(streamId);
      }
      connection.sleep(response.delay());
      if (streams.isOpen(streamId)) {
        answer(streamId, request, response);
      }
    } catch (IOException e) {
      // The connection broke: its reader has noticed.
    } finally {
      streams.remove(streamId);
    }
  }

  private void answer(int streamId, RecordedRequest request, MockResponse response)
      throws IOException {
    switch (response.fault()) {
      case MockFault.Cut cut -> cut(streamId, request, response, cut);
      case MockFault.BlackHole hole -> streams.awaitEnd(streamId);
      case MockFault.SlowBody slow -> {
        sendHead(streamId, request, response);
        sendBody(streamId, request, response, slow);
      }
      case MockFault.GoAway(boolean afterwards) -> {
        if (afterwards) {
          sendAll(streamId, request, response);
        }
        goAway(streamId, afterwards);
      }
      case MockFault.RefusedStream refused ->
        write(new Frame.RstStream(streamId, ErrorCode.REFUSED_STREAM));
      case MockFault.ResetStream reset -> {
        sendHead(streamId, response, false);
        byte[] body = content(request, response);
        send(streamId, body, 0, Math.min(reset.afterBytes(), body.length), false);
        write(new Frame.RstStream(streamId, reset.error()));
      }
      case MockFault.Garbage garbage ->
        // RFC 9113 §6.1: DATA belongs to a stream.
        locked(() -> peer.sendFrame(0, 0, 0, new byte[] {1, 2, 3}));
      case MockFault.Interim(int responses) -> {
        for (int i = 0; i < responses; i++) {
          write(Http2Peer.headers(streamId, false, ":status: 103"));
        }
        sendAll(streamId, request, response);
      }
      case MockFault.NewSettings settings -> {
        long[] all = settings.idsAndValues().stream().mapToLong(Long::longValue).toArray();
        locked(() -> peer.sendSettings(all));
        sendAll(streamId, request, response);
      }
      case MockFault.WrongLength wrong -> sendAll(streamId, request, response);
      case null -> sendAll(streamId, request, response);
    }
  }

  private void goAway(int streamId, boolean processed) throws IOException {
    int last = streams.goAway(streamId, processed);
    locked(() -> peer.sendGoAway(last, ErrorCode.NO_ERROR));
    if (!processed && last >= streamId) {
      // A later stream was processed, so that GOAWAY cannot say it of this one.
      write(new Frame.RstStream(streamId, ErrorCode.REFUSED_STREAM));
    }
  }

  private void cut(int streamId, RecordedRequest request, MockResponse response, MockFault.Cut cut)
      throws IOException {
    if (cut.inHead()) {
      byte[] head = bytes(Http2Peer.headers(streamId, false, head(response)));
      locked(() -> connection.send(Arrays.copyOf(head, Math.min(cut.afterBytes(), head.length))));
    } else {
      sendHead(streamId, response, false);
      byte[] body = content(request, response);
      send(streamId, body, 0, Math.min(cut.afterBytes(), body.length), false);
    }
    if (cut.reset()) {
      connection.reset();
    } else {
      connection.close();
    }
  }

  /** What a frame looks like on the wire. */
  private static byte[] bytes(Frame frame) {
    HpackOutput out = new HpackOutput(256);
    frame.encode(out);
    return Arrays.copyOf(out.array(), out.length());
  }

  private void sendAll(int streamId, RecordedRequest request, MockResponse response)
      throws IOException {
    sendHead(streamId, request, response);
    byte[] body = content(request, response);
    if (body.length > 0) {
      send(streamId, body, 0, body.length, true);
    }
  }

  private void sendHead(int streamId, RecordedRequest request, MockResponse response)
      throws IOException {
    sendHead(streamId, response, content(request, response).length == 0);
  }

  private void sendHead(int streamId, MockResponse response, boolean endStream) throws IOException {
    write(Http2Peer.headers(streamId, endStream, head(response)));
  }

  private static String[] head(MockResponse response) {
    var fields = new ArrayList<String>();
    fields.add(":status: " + response.status());
    response.fields().forEach(field -> {
      int colon = field.indexOf(':');
      fields.add(field.substring(0, colon).toLowerCase(Locale.ROOT) + field.substring(colon));
    });
    if (response.fault() instanceof MockFault.WrongLength(long said)) {
      fields.add("content-length: " + said);
    } else if (!response.isChunked() && response.mayHaveContent("GET")) {
      fields.add("content-length: " + response.content().length);
    }
    return fields.toArray(String[]::new);
  }

  private static byte[] content(RecordedRequest request, MockResponse response) {
    return response.mayHaveContent(request.method()) ? response.content() : new byte[0];
  }

  private void sendBody(
      int streamId, RecordedRequest request, MockResponse response, MockFault.SlowBody slow)
      throws IOException {
    byte[] body = content(request, response);
    for (int from = 0; from < body.length; from += slow.bytes()) {
      connection.sleep(slow.pause());
      int to = Math.min(body.length, from + slow.bytes());
      send(streamId, body, from, to, to == body.length);
    }
  }

  /** Sends a part of the content as fast as the other side gives credit. */
  private void send(int streamId, byte[] body, int from, int to, boolean endStream)
      throws IOException {
    for (int at = from; at < to; ) {
      int count = streams.awaitCredit(streamId, to - at);
      if (count < 0) {
        return;
      }
      boolean last = endStream && at + count == to;
      write(new Frame.Data(streamId, last, ByteBuffer.wrap(body, at, count)));
      at += count;
    }
  }

  // ---- writing

  /** Something that writes. */
  @FunctionalInterface
  private interface Writing {
    void run() throws IOException;
  }

  private void write(Frame frame) throws IOException {
    locked(() -> peer.send(frame));
  }

  private void locked(Writing step) throws IOException {
    writing.lock();
    try {
      step.run();
    } finally {
      writing.unlock();
    }
  }
}
