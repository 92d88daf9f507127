package heddle.testkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import heddle.codec.Role;
import heddle.codec.hpack.HpackOutput;
import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Frame;
import heddle.codec.http2.frame.Settings;
import heddle.transport.Network;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One end of an HTTP/2 connection that follows a script of frames: it sends what the script says,
 * right or wrong, and an unexpected frame is an {@link AssertionError} that shows the frames before
 * it. Works on any {@link Network}. For one thread at a time, never the loop.
 *
 * <pre>{@code
 * ScriptedPeer.inOrder(network, Http2Peer.server(h2 -> {
 *   h2.handshake();
 *   Http2Head request = h2.expectHeaders();
 *   h2.sendResponse(request.streamId(), 200, "hello");
 *   h2.sendGoAway(request.streamId(), ErrorCode.NO_ERROR);
 *   h2.expectEnd();
 * }));
 * }</pre>
 *
 * <p>Some frames may come at any time. Expectations of others skip WINDOW_UPDATE, acknowledgements
 * of SETTINGS, priority signals, and PING, which is answered unless {@link #answersPings} says
 * otherwise. {@link #expectWindowUpdate}, {@link #expectSettingsAck} and {@link #expectPing} find
 * skipped frames too. Each step may take as long as {@link #patience} says.
 */
public final class Http2Peer implements AutoCloseable {
  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

  /** What a peer does. */
  @FunctionalInterface
  public interface Script {
    /** Plays the script; what it throws fails the test. */
    void run(Http2Peer peer) throws Exception;
  }

  private final Role role;
  private final RawConnection connection;
  private final Http2Input input;

  private Http2Peer(Role role, RawConnection connection) {
    this.role = role;
    this.connection = connection;
    this.input = new Http2Input(role, connection, ping -> sendPingAck(ping.data()));
  }

  /** Plays this role on a connection on which nothing was sent yet. */
  public static Http2Peer of(Role role, RawConnection connection) {
    return new Http2Peer(role, connection);
  }

  /** A script for a {@link ScriptedPeer} that speaks HTTP/2 as a server. */
  public static ScriptedPeer.Script server(Script script) {
    return connection -> script.run(new Http2Peer(Role.SERVER, connection));
  }

  /** Connects to a server, as a client that has sent nothing yet. */
  public static Http2Peer connect(Network network, SocketAddress address) throws IOException {
    return new Http2Peer(Role.CLIENT, RawConnection.connect(network, address));
  }

  /** How long each of the following steps may take; 10 s, or an hour of virtual time. */
  public Http2Peer patience(Duration limit) {
    connection.patience(limit);
    return this;
  }

  /** Whether a skipped PING is answered; it is by default. */
  public Http2Peer answersPings(boolean answers) {
    input.answersPings(answers);
    return this;
  }

  /** The connection below: to send what is not a frame, to pause, to sleep, to close. */
  public RawConnection connection() {
    return connection;
  }

  /** The settings that the other side has sent so far. */
  public Settings settings() {
    return input.settings();
  }

  // ---- sending

  /** A client's connection preface (RFC 9113 §3.4), to be followed by SETTINGS. */
  public void sendPreface() throws IOException {
    connection.send(PREFACE);
  }

  /**
   * Begins the connection as each side must: sends and reads the preface and SETTINGS, and
   * acknowledges.
   *
   * @param idsAndValues the settings of this side, such as {@code
   *     Settings.MAX_CONCURRENT_STREAMS, 1}
   */
  public void handshake(long... idsAndValues) throws IOException {
    if (role == Role.CLIENT) {
      sendPreface();
      sendSettings(idsAndValues);
      expectSettings();
      sendSettingsAck();
      expectSettingsAck();
    } else {
      connection.expect(PREFACE);
      expectSettings();
      sendSettings(idsAndValues);
      sendSettingsAck();
    }
  }

  /** Sends frames in one write. */
  public void send(Frame... frames) throws IOException {
    HpackOutput out = new HpackOutput(256);
    for (Frame frame : frames) {
      frame.encode(out);
      input.sent(frame);
    }
    connection.send(Arrays.copyOf(out.array(), out.length()));
  }

  /** Sends a frame that may be malformed in any way. */
  public void sendFrame(int type, int flags, int streamId, byte... payload) throws IOException {
    HpackOutput out = new HpackOutput(256);
    new Frame.Unknown(type, flags, streamId, ByteBuffer.wrap(payload)).encode(out);
    input.note("-> type " + type + ", flags " + flags + ", on " + streamId + ", " + payload.length
        + " bytes");
    connection.send(Arrays.copyOf(out.array(), out.length()));
  }

  /** A HEADERS frame with these fields, each {@code name: value}, pseudo-header fields too. */
  public void sendHeaders(int streamId, boolean endStream, String... fields) throws IOException {
    send(headers(streamId, endStream, fields));
  }

  /** A HEADERS frame with these fields, to be sent with others in one write. */
  public static Frame headers(int streamId, boolean endStream, String... fields) {
    return new Frame.Headers(streamId, endStream, true, block(fields));
  }

  /** An encoded field block with these fields, each {@code name: value}. */
  public static ByteBuffer block(String... fields) {
    return ByteBuffer.wrap(PlainHpack.encode(fields));
  }

  /** The head of a GET without content, of the origin {@code http://a}. */
  public void sendGet(int streamId, String path) throws IOException {
    sendRequest(streamId, "GET", path, true);
  }

  /** The head of a request to the origin {@code http://a}, with further fields. */
  public void sendRequest(
      int streamId, String method, String path, boolean endStream, String... fields)
      throws IOException {
    var all = new ArrayList<>(
        List.of(":method: " + method, ":scheme: http", ":authority: a", ":path: " + path));
    all.addAll(List.of(fields));
    sendHeaders(streamId, endStream, all.toArray(String[]::new));
  }

  /** A whole response in one write. */
  public void sendResponse(int streamId, int status, String content) throws IOException {
    send(headers(streamId, false, ":status: " + status), data(streamId, true, content));
  }

  /** A DATA frame. The script must respect the windows. */
  public void sendData(int streamId, boolean endStream, String content) throws IOException {
    send(data(streamId, endStream, content));
  }

  /** A DATA frame, to be sent with others in one write. */
  public static Frame data(int streamId, boolean endStream, String content) {
    return new Frame.Data(streamId, endStream, ByteBuffer.wrap(content.getBytes(ISO_8859_1)));
  }

  /** Content of any length, as the other side gives credit; it may send nothing else meanwhile. */
  public void sendContent(int streamId, boolean endStream, byte[] content) throws IOException {
    int at = 0;
    do {
      int length = Math.min(content.length - at, input.awaitCredit(streamId, content.length - at));
      boolean last = at + length == content.length;
      send(new Frame.Data(streamId, last && endStream, ByteBuffer.wrap(content, at, length)));
      at += length;
    } while (at < content.length);
  }

  /** Resets a stream. */
  public void sendRst(int streamId, ErrorCode error) throws IOException {
    send(new Frame.RstStream(streamId, error));
  }

  /** Sends GOAWAY: streams above this one were not and will not be processed. */
  public void sendGoAway(int lastStreamId, ErrorCode error) throws IOException {
    send(new Frame.GoAway(lastStreamId, error, ""));
  }

  /** Gives credit; on stream 0 to the connection. */
  public void sendWindowUpdate(int streamId, int increment) throws IOException {
    send(new Frame.WindowUpdate(streamId, increment));
  }

  /** Sends a PING frame with this data. */
  public void sendPing(long data) throws IOException {
    send(new Frame.Ping(false, data));
  }

  /** Sends a PING frame with ACK and this data. */
  public void sendPingAck(long data) throws IOException {
    send(new Frame.Ping(true, data));
  }

  /** SETTINGS, such as {@code Settings.MAX_CONCURRENT_STREAMS, 1}. */
  public void sendSettings(long... idsAndValues) throws IOException {
    var parameters = new ArrayList<Frame.Settings.Parameter>();
    for (int i = 0; i < idsAndValues.length; i += 2) {
      parameters.add(new Frame.Settings.Parameter((int) idsAndValues[i], idsAndValues[i + 1]));
    }
    send(new Frame.Settings(false, parameters));
  }

  /** Sends a SETTINGS frame with ACK. */
  public void sendSettingsAck() throws IOException {
    send(Frame.Settings.ACKNOWLEDGEMENT);
  }

  // ---- receiving

  /** The next frame of any type that is not skipped. */
  public Frame expectFrame() throws IOException {
    return input.next("a frame", Frame.class);
  }

  /** The next frame, whatever it is; null at the end. Others may send meanwhile, one at a time. */
  public @Nullable Frame nextFrame() throws IOException {
    return input.receiveOrEnd("a frame");
  }

  /** A head, or trailers, on any stream. */
  public Http2Head expectHeaders() throws IOException {
    return readHead(input.next("HEADERS", Frame.Headers.class));
  }

  /** The head that begins with this frame, which is the last that came. */
  public Http2Head readHead(Frame.Headers first) throws IOException {
    var block = new ByteArrayOutputStream();
    add(block, first.fragment());
    boolean complete = first.endHeaders();
    while (!complete) {
      Frame.Continuation more = input.next("CONTINUATION", Frame.Continuation.class);
      add(block, more.fragment());
      complete = more.endHeaders();
    }
    return input.head(first, block.toByteArray());
  }

  private static void add(ByteArrayOutputStream block, ByteBuffer fragment) {
    byte[] bytes = new byte[fragment.remaining()];
    fragment.get(bytes);
    block.writeBytes(bytes);
  }

  /** A head, or trailers, on this stream. */
  public Http2Head expectHeaders(int streamId) throws IOException {
    Http2Head head = expectHeaders();
    input.check(head.streamId() == streamId, "HEADERS on " + streamId, head);
    return head;
  }

  /** The head of a response with this status. */
  public Http2Head expectResponse(int streamId, int status) throws IOException {
    Http2Head head = expectHeaders(streamId);
    input.check(
        Integer.toString(status).equals(head.value(":status")), "the status " + status, head);
    return head;
  }

  /** One DATA frame on this stream. */
  public Frame.Data expectData(int streamId) throws IOException {
    Frame.Data data = input.next("DATA", Frame.Data.class);
    input.check(data.streamId() == streamId, "DATA on " + streamId, data);
    return data;
  }

  /**
   * All DATA of this stream up to the end of the stream, with credit given back for each frame so
   * that content of any length comes.
   */
  public byte[] expectContent(int streamId) throws IOException {
    var content = new ByteArrayOutputStream();
    Frame.Data data;
    do {
      data = expectData(streamId);
      add(content, data.data().duplicate());
      if (data.flowControlled() > 0 && !data.endStream()) {
        send(
            new Frame.WindowUpdate(0, data.flowControlled()),
            new Frame.WindowUpdate(streamId, data.flowControlled()));
      } else if (data.flowControlled() > 0) {
        sendWindowUpdate(0, data.flowControlled());
      }
    } while (!data.endStream());
    return content.toByteArray();
  }

  /** RST_STREAM of this stream with this code. */
  public void expectRst(int streamId, ErrorCode error) throws IOException {
    Frame.RstStream reset = input.next("RST_STREAM", Frame.RstStream.class);
    input.check(
        reset.streamId() == streamId && reset.code() == error.code(),
        "RST_STREAM on " + streamId + " " + error,
        reset);
  }

  /** GOAWAY with this code. */
  public Frame.GoAway expectGoAway(ErrorCode error) throws IOException {
    Frame.GoAway goAway = input.next("GOAWAY " + error, Frame.GoAway.class);
    input.check(goAway.code() == error.code(), "GOAWAY " + error, goAway);
    return goAway;
  }

  /** SETTINGS, not an acknowledgement; {@link #settings} has them then too. */
  public Frame.Settings expectSettings() throws IOException {
    return input.next("SETTINGS", Frame.Settings.class);
  }

  /** Expects a SETTINGS frame with ACK. */
  public void expectSettingsAck() throws IOException {
    input.find("SETTINGS ACK", frame -> frame instanceof Frame.Settings settings && settings.ack());
  }

  /** A PING, which is not answered; one that was skipped was. */
  public Frame.Ping expectPing() throws IOException {
    return (Frame.Ping)
        input.find("PING", frame -> frame instanceof Frame.Ping ping && !ping.ack());
  }

  /** Expects a PING frame with ACK and this data. */
  public void expectPingAck(long data) throws IOException {
    Frame.Ping ack = input.next("PING ACK", Frame.Ping.class);
    input.check(ack.data() == data, "PING ACK 0x" + Long.toHexString(data), ack);
  }

  /** WINDOW_UPDATE on this stream, 0 for the connection; returns the increment. */
  public int expectWindowUpdate(int streamId) throws IOException {
    Frame found = input.find(
        "WINDOW_UPDATE on " + streamId,
        frame -> frame instanceof Frame.WindowUpdate update && update.streamId() == streamId);
    return ((Frame.WindowUpdate) found).increment();
  }

  /** WINDOW_UPDATEs on this stream that add up to {@code atLeast} or more; returns the sum. */
  public long expectCredit(int streamId, long atLeast) throws IOException {
    long credit = 0;
    while (credit < atLeast) {
      credit += expectWindowUpdate(streamId);
    }
    return credit;
  }

  /** Sends a PING and expects its answer before anything but frames that may come at any time. */
  public void expectQuiet() throws IOException {
    long data = 0x71756965742eL;
    sendPing(data);
    expectPingAck(data);
  }

  /** The connection ends or breaks; before that come only frames that may come at any time. */
  public void expectEnd() throws IOException {
    input.expectEnd();
  }

  /** The connection ends or breaks, whatever comes before. */
  public void expectClosed() throws IOException {
    input.expectClosed();
  }

  @Override
  public void close() {
    connection.close();
  }
}
