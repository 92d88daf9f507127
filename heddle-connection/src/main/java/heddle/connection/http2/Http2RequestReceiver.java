package heddle.connection.http2;

import heddle.codec.http2.Http2Event;
import heddle.codec.http2.Http2Session;
import heddle.codec.http2.Http2Stream;
import heddle.codec.http2.StreamState;
import heddle.codec.http2.frame.Http2Exception;
import heddle.connection.ContentFields;
import heddle.http.BodyTooLargeException;
import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.failure.ConnectionLostException;
import heddle.http.failure.ConnectionLostException.Progress;
import heddle.http.failure.ConnectionLostException.Side;
import heddle.http.failure.DeadlineExceededException;
import heddle.http.failure.MalformedMessageException;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The receiving half of a server's {@linkplain Http2ServerConnection connection}: makes requests of
 * the input, and announces them. Used by the loop only.
 */
final class Http2RequestReceiver {
  /** Content up to this length that comes in one piece with its head is announced with it. */
  private static final int SMALL_BODY_BYTES = 16 * 1024;

  private final Http2ServerConnection connection;
  private final Http2Session session;
  private final ConnectionCredit credit;

  /** Requests whose content is still to come. */
  private final List<Http2ServerExchange> arriving = new ArrayList<>();

  /** Those of them that came with the current input and are not announced yet. */
  private final List<Http2ServerExchange> collecting = new ArrayList<>();

  /** The request that was admitted and is not announced yet. */
  private @Nullable Http2ServerExchange preparing;

  private long creditDue; // to the connection's window, at the end of the current input

  Http2RequestReceiver(Http2ServerConnection connection) {
    this.connection = connection;
    this.session = connection.session;
    this.credit = connection.credit;
  }

  /**
   * Takes all of {@code in}.
   *
   * @throws Http2Exception a connection error; the input before it has been taken
   */
  void receive(ByteBuffer in, long nowNanos) throws Http2Exception {
    try {
      for (Http2Event event = session.next(in, nowNanos);
          event != null;
          event = session.next(in, nowNanos)) {
        on(event, nowNanos);
      }
    } finally {
      // A handler must not wait longer for its content than the loop does.
      while (!collecting.isEmpty()) {
        Http2ServerExchange exchange = collecting.removeFirst();
        preparing = exchange;
        announceIncomplete(exchange);
      }
    }
  }

  /** Takes the request with which HTTP/1.1 was left. */
  void upgraded(UpgradeOffer offer, long nowNanos) throws Http2Exception {
    Http2Event event = session.upgraded(
        offer.settings(),
        offer.head().method(),
        offer.authority(),
        offer.head().target(),
        offer.fields(),
        nowNanos);
    if (event != null) {
      on(event, nowNanos);
    }
  }

  private void on(Http2Event event, long nowNanos) throws Http2Exception {
    switch (event) {
      case Http2Event.RequestHead head -> onHead(head, nowNanos);
      case Http2Event.Data data -> onData(data, nowNanos);
      case Http2Event.Trailers trailers -> {
        if (trailers.stream().attachment() instanceof Http2ServerExchange exchange) {
          onEnd(exchange, trailers.headers());
        }
      }
      case Http2Event.Reset reset ->
        end(
            reset.stream(),
            new ConnectionLostException(
                "the client has taken its request back: " + reset.code(),
                Progress.CONTENT,
                Side.PEER,
                null,
                null));
      case Http2Event.StreamError error -> onError(error);
      case Http2Event.GoAway unused -> connection.ending = true;
      case Http2Event.SettingsChanged unused -> {}
      case Http2Event.PingAck unused -> {}
      case Http2Event.ResponseHead unused -> throw unexpected(event);
      case Http2Event.Interim unused -> throw unexpected(event);
    }
  }

  private void onError(Http2Event.StreamError error) {
    connection.listener.onFault();
    String requestLine = error.requestLine();
    if (requestLine != null) {
      Status answer = error.isAnswered() ? Status.REQUEST_HEADER_FIELDS_TOO_LARGE : null;
      connection.listener.onRefused(connection.channel, requestLine, Headers.empty(), answer);
    }
    if (error.stream() != null) {
      if (error.stream().attachment() instanceof Http2ServerExchange exchange
          && collecting.contains(exchange)) {
        exchange.reportRefused(null);
      }
      end(
          error.stream(),
          new MalformedMessageException(
              error.kind(), "the request is malformed: " + error.message(), null, null));
    }
  }

  private static IllegalStateException unexpected(Http2Event event) {
    return new IllegalStateException("a server's session said " + event);
  }

  private void onHead(Http2Event.RequestHead received, long nowNanos) throws Http2Exception {
    Http2Event.RequestHead head = ExtendedConnect.shown(received);
    Http2Stream stream = head.stream();
    if (connection.memory.isExhausted()) {
      connection.reportRefused(head, null);
      session.turnAway(stream); // The client is not at fault, so this does not count as a flood.
      return;
    }
    if (!connection.admit()) {
      // Streams that were reset while their handlers still run count too, or a client could make us
      // run any number of handlers (CVE-2023-44487).
      connection.reportRefused(head, null);
      session.refuse(stream);
      return;
    }
    connection.times.watchSilence(nowNanos);
    long length = head.endStream() ? 0 : ContentFields.declaredLength(head.headers());
    Http2ServerExchange exchange = prepare(head, length, nowNanos);
    stream.attach(exchange);
    Status refusal = refusal(head, length);
    if (refusal != null) {
      connection.listener.onFault();
      Response response = Response.of(refusal);
      preparing = null;
      exchange.refuse(response);
    } else if (head.endStream()) {
      exchange.content.receivedWhole(Headers.empty());
      announce(exchange);
    } else {
      await(exchange);
      if (length >= 0 && length <= SMALL_BODY_BYTES && !ReceivedContent.expectsContinue(head)) {
        collecting.add(exchange);
        preparing = null;
      } else {
        announceIncomplete(exchange);
      }
      connection.times.watchBodies();
    }
  }

  private Http2ServerExchange prepare(Http2Event.RequestHead head, long length, long nowNanos) {
    try {
      ReceivedContent content = new ReceivedContent(connection, head, length, nowNanos);
      preparing = new Http2ServerExchange(connection, head, content);
      return preparing;
    } catch (RuntimeException | Error e) {
      connection.onAnswered(); // It was admitted, and no thread will answer it.
      throw e;
    }
  }

  private void announce(Http2ServerExchange exchange) {
    preparing = null;
    connection.listener.onRequest(exchange);
  }

  private void await(Http2ServerExchange exchange) {
    if (arriving.size() >= connection.maxStreams) {
      // Streams that we reset after answering bring no event that would remove them.
      arriving.removeIf(Http2RequestReceiver::isOver);
    }
    arriving.add(exchange);
  }

  private static boolean isOver(Http2ServerExchange exchange) {
    return exchange.finished && exchange.stream.state() == StreamState.CLOSED;
  }

  /**
   * A request was answered before all of its content had arrived. Most often the rest is on its way
   * already, and a reset would only cost both sides: it is discarded if it is short.
   */
  void awaitRest(Http2ServerExchange exchange) {
    if (arriving.contains(exchange)) {
      if (exchange.content.awaitRest(connection.now())) {
        connection.times.watchBodies(exchange.content.restDueAt);
      } else {
        refuseRest(exchange);
      }
    }
  }

  private void refuseRest(Http2ServerExchange exchange) {
    arriving.remove(exchange);
    exchange.refuseRest();
  }

  private @Nullable Status refusal(Http2Event.RequestHead head, long length) {
    if (head.method().equals(Method.CONNECT)) {
      return Status.NOT_IMPLEMENTED;
    }
    if (head.target().length() > connection.limits.codec().maxStartLineBytes()) {
      return Status.URI_TOO_LONG;
    }
    return length > connection.limits.maxBodyBytes() ? Status.CONTENT_TOO_LARGE : null;
  }

  private void announceIncomplete(Http2ServerExchange exchange) {
    ByteBuffer begun = exchange.content.receiveInPieces();
    if (begun.hasRemaining()) {
      creditDue -= begun.remaining(); // credited when collected; now it waits for a reader
      receive(exchange, begun);
    }
    announce(exchange);
  }

  private void onData(Http2Event.Data data, long nowNanos) {
    ByteBuffer bytes = data.bytes();
    int length = bytes.remaining();
    if (!(data.stream().attachment() instanceof Http2ServerExchange exchange)) {
      creditDue += data.flowControlled();
      return;
    }
    ReceivedContent content = exchange.content;
    content.heardAt = nowNanos;
    if (exchange.ending) {
      content.boundRest();
    }
    int padding = data.flowControlled() - length;
    if (padding > 0) {
      creditDue += padding;
      connection.output.consumed(data.stream(), padding, 0);
    }
    if (collecting.contains(exchange)) {
      creditDue += length;
      content.collect(bytes);
    } else if (content.isDeaf()) {
      creditDue += length;
    } else {
      receive(exchange, bytes);
    }
    if (data.endStream()) {
      onEnd(exchange, Headers.empty());
    } else if (exchange.finished && content.isTooMuch()) {
      refuseRest(exchange);
    }
  }

  private void receive(Http2ServerExchange exchange, ByteBuffer bytes) {
    int length = bytes.remaining();
    creditDue += credit.received(length);
    connection.memory.arrived(length);
    if (!exchange.content.receive(bytes)) {
      thrownAway(length);
      connection.listener.onFault();
      String message = "the request's body is longer than the server's limit of "
          + connection.limits.maxBodyBytes() + " bytes";
      exchange.content.fail(
          Status.CONTENT_TOO_LARGE, new BodyTooLargeException(message, null, null));
    }
  }

  private void onEnd(Http2ServerExchange exchange, Headers trailers) {
    arriving.remove(exchange);
    if (collecting.remove(exchange)) {
      preparing = exchange;
      exchange.collected(exchange.content.receivedBytes);
      exchange.content.receivedWhole(trailers);
      announce(exchange);
    } else {
      exchange.content.receivedEnd(trailers);
    }
  }

  /** The stream has ended early. */
  private void end(Http2Stream stream, IOException why) {
    if (stream.attachment() instanceof Http2ServerExchange exchange) {
      arriving.remove(exchange);
      exchange.resetByPeer(why);
      if (collecting.remove(exchange)) {
        drop(exchange);
      }
    }
  }

  /** No thread will answer it. */
  private void drop(Http2ServerExchange exchange) {
    exchange.releaseHeld();
    connection.onAnswered();
    session.headUnused(exchange.stream);
  }

  /** Bytes that will not be read have arrived. */
  void thrownAway(int bytes) {
    creditDue += credit.read(bytes);
    connection.memory.taken(bytes);
  }

  /** What to credit to the connection's window since the last call. */
  long takeCredit() {
    long due = creditDue;
    creditDue = 0;
    return due;
  }

  /** The connection has ended: fails all incomplete requests. */
  void endAll(IOException why) {
    for (Http2ServerExchange exchange : arriving) {
      exchange.content.fail(Status.BAD_REQUEST, why);
    }
    arriving.clear();
    // An Error has kept these requests from being announced.
    Http2ServerExchange unannounced = preparing;
    preparing = null;
    if (unannounced != null) {
      drop(unannounced);
    }
    while (!collecting.isEmpty()) {
      drop(collecting.removeLast());
    }
  }

  /**
   * Fails bodies whose client is silent or too slow, and refuses the rest of answered requests that
   * is late.
   *
   * @return when to check again; {@link Deadline#NEVER_NANOS} if no body is awaited
   */
  long checkSilence(long nowNanos) {
    long maxSilence = Deadline.boundedNanos(connection.limits.bodyTimeout());
    long next = Deadline.NEVER_NANOS;
    boolean wasPaused = connection.memory.wasPaused();
    boolean withheld = credit.wasWithheld() || wasPaused;
    for (Http2ServerExchange exchange : List.copyOf(arriving)) {
      ReceivedContent content = exchange.content;
      if (exchange.finished) {
        next = Math.min(next, checkRest(exchange, nowNanos));
        continue;
      }
      if (content.isTunnel()) {
        continue; // the other protocol has its own limits
      }
      boolean waited = content.waitedForContinue();
      if (waited
          || content.isSlowReader()
          || credit.isWithheld()
          || connection.memory.isPausedByBudget()) {
        content.heardAt = nowNanos; // the client waits for us
      }
      long due = content.heardAt + maxSilence;
      long rateDue = content.checkRate(nowNanos, withheld || waited);
      if (due <= nowNanos) {
        tooLate(
            exchange, "nothing of the request's body came for " + connection.limits.bodyTimeout());
      } else if (rateDue <= nowNanos) {
        tooLate(
            exchange, "the request's body came more slowly than " + connection.limits.minRate());
      } else {
        next = Math.min(next, Math.min(due, rateDue));
      }
    }
    return next;
  }

  private void tooLate(Http2ServerExchange exchange, String why) {
    arriving.remove(exchange);
    connection.listener.onFault();
    exchange.content.fail(Status.REQUEST_TIMEOUT, new DeadlineExceededException(why, null, null));
  }

  /** Returns when to check again. */
  private long checkRest(Http2ServerExchange exchange, long nowNanos) {
    if (isOver(exchange)) {
      arriving.remove(exchange);
    } else if (nowNanos < exchange.content.restDueAt) {
      return exchange.content.restDueAt;
    } else {
      refuseRest(exchange);
    }
    return Deadline.NEVER_NANOS;
  }
}
