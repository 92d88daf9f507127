package heddle.codec.http2;

import heddle.codec.Role;
import heddle.codec.hpack.HpackOutput;
import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Http2Exception;
import heddle.codec.http2.frame.Settings;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.Status;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One connection's view of HTTP/2 (RFC 9113): bytes in, {@link Http2Event}s out, and messages back
 * into bytes. It knows no socket, thread, lock or clock.
 *
 * <p><b>Two halves.</b> The receiving half ({@link #next}, {@link #endOfInput}) belongs to one
 * thread, the connection's loop, and takes no lock. The sending half, which is all the rest,
 * belongs to the thread that holds the driver's ordering lock; so does {@link #settle}, but only
 * the loop calls it. Both halves may run at once.
 *
 * <pre>{@code
 * // the loop, for each piece of input
 * try {
 *   for (Http2Event event; (event = session.next(in, now)) != null; ) { ... }
 * } catch (Http2Exception e) {
 *   broken = e; // a connection error: its GOAWAY is owed
 * }
 * lock: output = session.settle();
 *       for (Http2Stream s; (s = session.pollRefused()) != null; ) { ... } // may be replayed
 *       for (Http2Stream s; (s = session.pollWritable()) != null; ) { ... } // wake its writer
 * // output: have it flushed; broken: and then close the channel
 *
 * // the thread that flushes
 * lock: ByteBuffer[] out = session.takeOutput(); // null: nothing to write
 *       for (Http2Stream s; (s = session.pollWritable()) != null; ) { ... } // there is room again
 * channel.write(out, deadline);
 * lock: session.recycle(out);
 *
 * // a thread that sends content
 * while (true) {
 *   lock: int taken = session.data(stream, payload, last);
 *   flush();
 *   if (!payload.hasRemaining()) break; // and, if last, its END_STREAM is on its way
 *   if (taken == 0) park until pollWritable() has given the stream, or it has ended
 * }
 * }</pre>
 *
 * <p>An {@link IllegalStateException} or {@link IllegalArgumentException} is a fault of the caller
 * or of the message to be sent; nothing was queued by that call. A stream that has ended
 * meanwhile, because the peer or this side has reset it, is no such fault: {@link #response},
 * {@link #interim} and {@link #trailers} return false then and queue nothing, {@link #data} drops
 * the payload and {@link #reset}, {@link #consumed} do nothing.
 */
public final class Http2Session {
  /** How much content may wait to be taken, unless the driver says otherwise: {@value} bytes. */
  public static final int CONTENT_ROOM_BYTES = DataScheduler.ROOM;

  private static final byte[] NOTHING = {};

  private final SharedState shared;
  private final PendingFrames pending = new PendingFrames();
  private final FrameReceiver receiver;
  private final OutputQueue output = new OutputQueue();
  private final DataScheduler scheduler;
  private final FrameSender sender;

  /**
   * A session at the start of a connection. Its SETTINGS (a client's connection preface before
   * them, RFC 9113 §3.4) and the WINDOW_UPDATE that sets the connection's window are queued.
   */
  public Http2Session(Role role, Http2Limits limits) {
    this(role, limits, role == Role.CLIENT ? FrameReceiver.PREFACE : NOTHING);
  }

  /**
   * A server's session on a connection that a request of HTTP/1.1 upgrades (RFC 7540 §3.2).
   *
   * @param switching the response with status 101, which is queued before SETTINGS
   */
  public Http2Session(Http2Limits limits, byte[] switching) {
    this(Role.SERVER, limits, switching);
  }

  private Http2Session(Role role, Http2Limits limits, byte[] ahead) {
    shared = new SharedState(role, limits);
    receiver = new FrameReceiver(shared, pending);
    scheduler = new DataScheduler(shared.outflow);
    sender = new FrameSender(shared, output, scheduler, ahead);
  }

  // ---- receiving half: the loop alone

  /**
   * Takes the next event out of {@code in}; null once all input was consumed. What the input asks
   * of the sending half is collected and takes effect at {@link #settle}.
   *
   * @param in a heap buffer ({@link ByteBuffer#hasArray}); its position moves over what was
   *     consumed
   * @param nowNanos monotonic time; only differences count
   * @throws Http2Exception when the peer broke a rule that concerns the connection (RFC 9113
   *     §5.4.1), or went over a bound. A GOAWAY with its code is owed: settle, flush, close. The
   *     receiving half is finished
   * @throws IllegalStateException when it was called after such an exception
   */
  public @Nullable Http2Event next(ByteBuffer in, long nowNanos) throws Http2Exception {
    return receiver.next(in, nowNanos);
  }

  /**
   * Server: the connection was upgraded from HTTP/1.1 by this request, which has no content: it is
   * stream 1, and its response is sent there (RFC 7540 §3.2). To be called before all other calls.
   *
   * @param offered the client's settings; they are not acknowledged
   * @param nowNanos as for {@link #next}
   * @return as {@link #next}
   * @throws Http2Exception as by {@link #next}
   * @throws IllegalArgumentException when a part of the request cannot be sent over HTTP/2
   * @throws IllegalStateException when there was a stream before
   */
  public @Nullable Http2Event upgraded(
      Settings offered,
      Method method,
      String authority,
      String path,
      Headers headers,
      long nowNanos)
      throws Http2Exception {
    checkRole(Role.SERVER);
    if (shared.accepted() != 0) {
      throw new IllegalStateException("a connection is upgraded before it has streams");
    }
    HpackOutput head = new HpackOutput(256);
    new HeadSender().request(head, 1, true, method, "http", authority, path, null, headers);
    sender.apply(offered);
    return receiver.upgraded(offered, ByteBuffer.wrap(head.array(), 0, head.length()), nowNanos);
  }

  /**
   * Server: refuses the request that was yielded last, which the client may send again (RFC 9113
   * §8.7). Counts among the streams that the peer makes us reset; RST_STREAM is owed.
   *
   * @throws Http2Exception when these were too many: as by {@link #next}
   */
  public void refuse(Http2Stream stream) throws Http2Exception {
    checkRole(Role.SERVER);
    receiver.refuse(stream, true);
  }

  /**
   * Server: as {@link #refuse}, but not by this peer's doing, such as for lack of memory that other
   * peers use up: does not count among the streams that the peer makes us reset.
   *
   * @throws Http2Exception as by {@link #next}
   */
  public void turnAway(Http2Stream stream) throws Http2Exception {
    checkRole(Role.SERVER);
    receiver.refuse(stream, false);
  }

  /**
   * Server: the driver is done with the head and the trailers of a request, whose bytes make room
   * for others once the stream is closed too (see {@link Http2Limits#maxOpenHeadBytes}). To be
   * called for each request that was yielded and not refused. From any thread, without the lock.
   */
  public void headUnused(Http2Stream stream) {
    stream.headUnused(shared.heads);
  }

  /**
   * The peer will send no more. Streams that have not ended ({@link #streams}) will not: fail them.
   *
   * @throws Http2Exception when the input ended within a frame, or before the connection preface
   *     was complete
   */
  public void endOfInput() throws Http2Exception {
    receiver.endOfInput();
  }

  /**
   * Whether the input so far ends within a field block or the connection preface: nothing else of
   * the connection can come before its end, so a driver bounds its time.
   */
  public boolean isInHead() {
    return receiver.isInHead();
  }

  /** Bytes of memory that an incomplete frame or field block takes. */
  public int heldInput() {
    return receiver.heldBytes();
  }

  /** Drops an incomplete frame or field block: the receiving half is finished. */
  public void abandonInput() {
    receiver.abandon();
  }

  /**
   * Whether the peer has acknowledged our SETTINGS: a driver bounds the time that this takes
   * (SETTINGS_TIMEOUT, RFC 9113 §6.5.3). Any thread may ask.
   */
  public boolean areSettingsAcknowledged() {
    return shared.settingsAcknowledged;
  }

  // ---- between the halves: the loop, under the lock

  /**
   * Applies, in order of arrival, what {@link #next} has collected: settings, windows, streams that
   * ended, and the frames that are owed. To be called once after each batch of {@link #next}, also
   * after it has thrown. Never throws. Returns whether there is output to be flushed.
   */
  public boolean settle() {
    sender.settle(pending);
    return countOutput();
  }

  /**
   * The next stream whose {@link #data} has returned 0 and may now take bytes again, or null. To be
   * called until it returns null after {@link #settle}, and after each other call that may make
   * room: {@link #takeOutput}, {@link #reset}. Each stream comes once for each 0.
   */
  public @Nullable Http2Stream pollWritable() {
    return scheduler.pollWritable();
  }

  /**
   * Client: the next stream that a GOAWAY of the peer has left out (RFC 9113 §6.8), or null. It is
   * closed, was not processed, and may be replayed elsewhere. After {@link #settle}.
   */
  public @Nullable Http2Stream pollRefused() {
    return sender.refused.poll();
  }

  // ---- sending half: under the lock

  /**
   * Client: opens a stream with the head of a request. Connection-specific fields and Host are left
   * out, and TE unless it says trailers (RFC 9113 §8.2.2); a Host field does not change the
   * authority.
   *
   * @param scheme http, https or another
   * @param authority host, or host:port
   * @param path the value of {@code :path}: a path with its query, or * for OPTIONS
   * @param endStream whether the request has neither content nor trailers
   * @param attachment the driver's exchange
   * @throws IllegalStateException when {@link #canOpenStream} is false
   * @throws heddle.codec.HeadTooLargeException when the peer has said that it takes less (RFC 9113
   *     §10.5.1)
   * @throws IllegalArgumentException when scheme, authority or path cannot be sent, or the method
   *     is CONNECT: see {@link #connect}
   */
  public Http2Stream request(
      Method method,
      String scheme,
      String authority,
      String path,
      Headers headers,
      boolean endStream,
      @Nullable Object attachment) {
    checkRole(Role.CLIENT);
    if (method == Method.CONNECT) {
      throw new IllegalArgumentException("request() cannot send CONNECT: use connect()");
    }
    String length = endStream ? headers.first(HeaderName.CONTENT_LENGTH) : null;
    if (length != null && !length.equals("0")) {
      throw new IllegalArgumentException(
          "Content-Length announces content, but the request is to end with its head");
    }
    return sender.request(method, scheme, authority, path, null, headers, endStream, attachment);
  }

  /**
   * Client: the connection was upgraded from HTTP/1.1 by a request, which was sent whole there: its
   * response comes on stream 1 (RFC 7540 §3.2). To be called before any stream is opened.
   *
   * @param attachment the driver's exchange
   * @throws IllegalStateException when a stream was opened before
   */
  public Http2Stream upgraded(Method method, @Nullable Object attachment) {
    checkRole(Role.CLIENT);
    if (shared.nextId != 1) {
      throw new IllegalStateException("a connection is upgraded before it has streams");
    }
    return sender.upgraded(method, attachment);
  }

  /**
   * Client: opens a tunnel to {@code authority} (RFC 9113 §8.5). Its {@link #data} are the tunnel's
   * bytes, once a 2xx has come.
   *
   * @param authority host:port
   * @throws IllegalStateException when {@link #canOpenStream} is false
   * @throws IllegalArgumentException when the authority is not of that form
   */
  public Http2Stream connect(String authority, Headers headers, @Nullable Object attachment) {
    checkRole(Role.CLIENT);
    return sender.request(Method.CONNECT, null, authority, null, null, headers, false, attachment);
  }

  /**
   * Client: an extended CONNECT (RFC 8441 §4), such as for {@code websocket}.
   *
   * @throws IllegalStateException when {@link #canOpenStream} is false, or the peer's settings do
   *     not allow extended CONNECT (RFC 8441 §3)
   * @throws IllegalArgumentException when a part cannot be sent
   */
  public Http2Stream connect(
      String protocol,
      String scheme,
      String authority,
      String path,
      Headers headers,
      @Nullable Object attachment) {
    checkRole(Role.CLIENT);
    if (!sender.peer.enableConnectProtocol()) {
      throw new IllegalStateException(
          "the peer has not said that it knows extended CONNECT (RFC 8441 §3)");
    }
    return sender.request(
        Method.CONNECT, scheme, authority, path, protocol, headers, false, attachment);
  }

  /**
   * Server: the head of the final response. Connection-specific fields are left out.
   *
   * @param endStream whether the response has neither content nor trailers
   * @return false when the stream has ended meanwhile
   * @throws heddle.codec.HeadTooLargeException when the peer has said that it takes less
   * @throws IllegalArgumentException for a status 1xx
   * @throws IllegalStateException when a final response was sent already
   */
  public boolean response(Http2Stream stream, Status status, Headers headers, boolean endStream) {
    checkRole(Role.SERVER);
    if (status.isInformational()) {
      throw new IllegalArgumentException(status + " is no final response: see interim");
    }
    return sender.head(stream, status, headers, endStream);
  }

  /**
   * Server: an interim response.
   *
   * @return false when the stream has ended meanwhile
   * @throws IllegalArgumentException for a status other than 1xx, and for 101, which HTTP/2 has not
   *     (RFC 9113 §8.6)
   * @throws IllegalStateException when the final response was sent already
   */
  public boolean interim(Http2Stream stream, Status status, Headers headers) {
    checkRole(Role.SERVER);
    if (!status.isInformational() || status.code() == 101) {
      throw new IllegalArgumentException(status + " is no interim response of HTTP/2");
    }
    return sender.head(stream, status, headers, false);
  }

  /**
   * Takes as much of {@code payload} as the peer's windows, the room in the output and a fair turn
   * allow, as DATA frames, and moves its position over that. If several streams wait, each takes
   * one frame's worth in turn. Small payloads are copied; larger ones are referenced and must not
   * change until the output that holds them was written.
   *
   * @param endStream whether nothing follows this payload: END_STREAM goes with its last byte. An
   *     empty payload with endStream needs no window and is always taken
   * @return how many bytes were taken. 0 while the payload has bytes: wait until {@link
   *     #pollWritable} gives the stream. More than 0 and bytes left: flush, and call again. All of
   *     them when the stream has ended meanwhile: nothing is sent then
   * @throws IllegalStateException when the head was not sent, or the end was
   */
  public int data(Http2Stream stream, ByteBuffer payload, boolean endStream) {
    return sender.data(stream, payload, endStream);
  }

  /**
   * Sends the trailer section, which ends the message; empty trailers are an empty DATA frame that
   * does. All content must have been taken by {@link #data}.
   *
   * @return false when the stream has ended meanwhile
   * @throws heddle.codec.HeadTooLargeException when the peer has said that it takes less
   * @throws IllegalArgumentException when a trailer would frame or route the message (RFC 9110
   *     §6.5.1)
   * @throws IllegalStateException when the head was not sent, or the end was
   */
  public boolean trailers(Http2Stream stream, Headers headers) {
    return sender.trailers(stream, headers);
  }

  /**
   * Resets the stream, unless it has ended: RST_STREAM with this code, nothing of it is yielded any
   * more (but see {@link Http2Event}).
   */
  public void reset(Http2Stream stream, ErrorCode code) {
    sender.reset(stream, code);
    countOutput();
  }

  /**
   * Sends GOAWAY and takes no stream of the peer's any more: those above the last one that was
   * yielded are ignored. Streams below go on. May be sent again with another code.
   *
   * @param debug for the peer's log; at most 255 ASCII characters of it are sent
   */
  public void goAway(ErrorCode code, String debug) {
    sender.goAway(code, debug);
  }

  /**
   * Server: begins an orderly end (RFC 9113 §6.8): a GOAWAY that names no last stream, and a PING;
   * when that comes back, {@link #settle} queues the GOAWAY with the last stream that was taken,
   * and {@link #isDrained} tells when all have ended. A client's drain is its {@link #goAway}.
   */
  public void drain() {
    checkRole(Role.SERVER);
    sender.drain();
  }

  /** Whether a GOAWAY named a last stream and none is open: flush, and the channel may close. */
  public boolean isDrained() {
    return sender.isDrained();
  }

  /** Sends PING; its answer comes as {@link Http2Event.PingAck} with the same data. */
  public void ping(long data) {
    if (data == SharedState.MEASURE || data == SharedState.DRAIN) {
      throw new IllegalArgumentException("the session sends PINGs of this data itself");
    }
    sender.ping(false, data);
  }

  /**
   * The reader of a stream has taken {@code bytes} of {@link Http2Event.Data#flowControlled}: gives
   * them back to the stream's window, not to the connection's. Sends WINDOW_UPDATE when half of the
   * window was taken, none if the peer has sent its end. Returns whether there is output to be
   * flushed.
   */
  public boolean consumed(Http2Stream stream, long bytes) {
    return sender.consumed(stream, bytes);
  }

  /**
   * Gives {@code bytes} of {@link Http2Event.Data#flowControlled} back to the connection's window.
   * The driver chooses when: on arrival, so that the streams' windows alone bound what is held; or
   * when they are read. Returns whether there is output to be flushed.
   */
  public boolean connectionConsumed(long bytes) {
    shared.inflow.consumed(bytes);
    return sender.credit(0, shared.inflow);
  }

  /** Client: whether a stream may be opened now: below the peer's limit, not {@link #isClosing}. */
  public boolean canOpenStream() {
    return shared.role == Role.CLIENT && sender.canOpen();
  }

  /** Client: whether no stream is opened any more: after a GOAWAY, an error, or the last id. */
  public boolean isClosing() {
    return sender.isClosing();
  }

  /**
   * How many streams of ours the peer takes at once, from 0; 100 before its SETTINGS have come. No
   * limit is {@link Integer#MAX_VALUE}.
   */
  public int maxStreams() {
    return sender.maxStreams;
  }

  /** Number of streams that have not ended; a server's are exact after {@link #settle}. */
  public int openStreams() {
    return shared.open;
  }

  /** A snapshot of the streams that have not ended, for a driver that fails them all. */
  public List<Http2Stream> streams() {
    return shared.table.streams();
  }

  /** Whether SETTINGS of the peer apply: before, it is not known what it allows. */
  public boolean isPeerSettled() {
    return sender.peerSettled;
  }

  /** The peer's settings as they apply now; the protocol's initial values before its SETTINGS. */
  public Settings peerSettings() {
    return sender.peer;
  }

  // ---- output: under the lock

  /** Whether {@link #takeOutput} would return something. */
  public boolean hasOutput() {
    return !output.isEmpty();
  }

  /**
   * Bytes of memory that output takes which was not written, with the content that it references:
   * what is queued, and what was taken and not {@linkplain #recycle recycled}.
   */
  public int heldOutput() {
    return output.heldBytes();
  }

  /**
   * How much content may wait to be taken from now on, for all streams together; {@value
   * #CONTENT_ROOM_BYTES} bytes at first. A writer that finds less room waits its turn.
   *
   * @param bytes at least 16,384, which is one frame
   */
  public void contentRoom(int bytes) {
    scheduler.room(bytes);
  }

  /**
   * Takes everything queued, for one gathering write: control frames first, the rest in order; null
   * when there is nothing. The next may be taken before this was written, but not written before.
   */
  public ByteBuffer @Nullable [] takeOutput() {
    ByteBuffer[] out = output.take();
    if (out != null) {
      scheduler.outputTaken();
    }
    return out;
  }

  /** Gives back what {@link #takeOutput} has returned, once it was written or will not be. */
  public void recycle(ByteBuffer[] written) {
    output.recycle(written, shared.open == 0);
    countOutput();
  }

  /** Tells the receiving half how much the peer has left unread; returns whether there is any. */
  private boolean countOutput() {
    shared.queuedControlFrames = output.controlFrames();
    shared.queuedBytes = output.bytes();
    return hasOutput();
  }

  private void checkRole(Role needed) {
    if (shared.role != needed) {
      throw new IllegalStateException("a session of role " + shared.role + " does not do that");
    }
  }

  /** For tests: sets the next stream id, as after two thousand million requests. */
  void nextStreamId(int id) {
    shared.nextId = id;
  }
}
