package heddle.connection.http2;

import heddle.codec.http2.Http2Event;
import heddle.codec.http2.Http2Stream;
import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Http2Exception;
import heddle.transport.ChannelListener;
import heddle.transport.EventLoop;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The loop's side of a client's connection: turns bytes into events of exchanges. A pass takes all
 * bytes of a read, settles them with the sending half at once, and wakes the callers concerned.
 * Used by the loop only.
 */
final class ResponseReceiver implements ChannelListener {
  private final Http2Connection connection;
  private final ClientStreams streams;
  private final ExchangeTimer timer;

  /** The exchanges that have events in the current pass, each once. */
  private final List<Http2Exchange> touched = new ArrayList<>();

  /** Flow-controlled bytes of the current pass. */
  private long received;

  /** What the server said before it closed the connection. */
  private String farewell = "";

  /** Whether the session can read no further. */
  private boolean broken;

  ResponseReceiver(Http2Connection connection, ClientStreams streams, ExchangeTimer timer) {
    this.connection = connection;
    this.streams = streams;
    this.timer = timer;
  }

  @Override
  public void onBytes(ByteBuffer bytes) {
    if (broken) {
      return;
    }
    long now = streams.now();
    timer.heard(now);
    Http2Exception violation = null;
    try {
      for (Http2Event event = streams.session.next(bytes, now);
          event != null;
          event = streams.session.next(bytes, now)) {
        on(event);
      }
    } catch (Http2Exception e) {
      broken = true;
      violation = e;
    }
    settle(now);
    if (violation != null) {
      connection.closeBroken(ExchangeFailure.violation(violation));
    }
  }

  private void on(Http2Event event) {
    switch (event) {
      case Http2Event.ResponseHead head -> {
        Http2Exchange exchange = touch(head.stream());
        if (exchange != null) {
          exchange.onHead(head);
        }
      }
      case Http2Event.Data data -> onData(data);
      case Http2Event.Trailers trailers -> {
        Http2Exchange exchange = touch(trailers.stream());
        if (exchange != null) {
          exchange.complete(trailers.headers());
        }
      }
      case Http2Event.Interim interim -> {
        Http2Exchange exchange = touch(interim.stream());
        if (exchange != null) {
          exchange.onInterim(interim);
        }
      }
      case Http2Event.Reset reset -> onReset(reset);
      case Http2Event.StreamError error -> {
        if (error.stream() != null) {
          fail(error.stream(), ExchangeFailure.violation(error.code(), error.message()));
        }
      }
      case Http2Event.GoAway goAway -> onGoAway(goAway);
      case Http2Event.SettingsChanged changed -> {
        // Applied when the pass is settled.
      }
      case Http2Event.PingAck answer -> {
        // It only shows that the peer is alive.
      }
      case Http2Event.RequestHead request ->
        throw new IllegalStateException("a client's session read a request: " + request);
    }
  }

  /** The exchange of a stream that has an event. */
  private @Nullable Http2Exchange touch(Http2Stream stream) {
    if (!(stream.attachment() instanceof Http2Exchange exchange)) {
      return null;
    }
    if (!exchange.touched) {
      exchange.touched = true;
      touched.add(exchange);
    }
    return exchange;
  }

  private void onData(Http2Event.Data data) {
    received += data.flowControlled();
    Http2Exchange exchange = touch(data.stream());
    if (exchange != null) {
      exchange.onData(data);
    }
  }

  private void onReset(Http2Event.Reset reset) {
    Http2Exchange exchange = touch(reset.stream());
    if (exchange == null || exchange.isComplete()) {
      // RFC 9113 §8.1: NO_ERROR after a complete response only ends the request.
      return;
    }
    fail(reset.stream(), ExchangeFailure.reset(reset.code()));
  }

  private void fail(Http2Stream stream, ExchangeFailure cause) {
    if (stream.attachment() instanceof Http2Exchange exchange) {
      streams.fail(exchange, cause);
    }
  }

  private void onGoAway(Http2Event.GoAway goAway) {
    farewell = " after it had said GOAWAY with " + goAway.code()
        + (goAway.debug().isEmpty() ? "" : " (" + goAway.debug() + ")");
    if (goAway.code() == ErrorCode.HTTP_1_1_REQUIRED) {
      streams.failAll(ExchangeFailure.reset(goAway.code()));
    }
  }

  private void settle(long now) {
    EventLoop loop = streams.channel.loop();
    for (Http2Exchange exchange : touched) {
      exchange.prepare(now);
    }
    List<Http2Exchange> refused;
    boolean output;
    boolean capacityChanged;
    streams.lock.lock();
    try {
      streams.session.settle();
      refused = takeRefused();
      wakeWriters();
      account();
      output = streams.session.hasOutput();
      capacityChanged = connection.noteCapacity();
    } finally {
      streams.lock.unlock();
    }
    for (Http2Exchange exchange : touched) {
      exchange.publish(loop);
    }
    touched.clear();
    for (Http2Exchange exchange : refused) {
      exchange.fail(
          ExchangeFailure.notProcessed("the server went away before it processed the request"),
          loop);
    }
    if (output) {
      streams.flush.runAtOnce();
    }
    if (capacityChanged) {
      connection.capacityChanged();
    }
  }

  /** Under the lock: streams that a GOAWAY has left out (RFC 9113 §6.8). */
  private List<Http2Exchange> takeRefused() {
    List<Http2Exchange> refused = List.of();
    Http2Stream stream = streams.session.pollRefused();
    while (stream != null) {
      if (stream.attachment() instanceof Http2Exchange exchange) {
        streams.exchanges.remove(exchange);
        refused = refused.isEmpty() ? new ArrayList<>() : refused;
        refused.add(exchange);
      }
      stream = streams.session.pollRefused();
    }
    return refused;
  }

  /** Under the lock. */
  private void wakeWriters() {
    Http2Stream stream = streams.session.pollWritable();
    while (stream != null) {
      connection.onWritable(stream);
      stream = streams.session.pollWritable();
    }
  }

  /**
   * Under the lock: credits bytes that have no reader, removes exchanges whose response is
   * complete.
   */
  private void account() {
    long forReaders = 0;
    int ended = 0;
    for (Http2Exchange exchange : touched) {
      long unwanted = exchange.takeUnwanted();
      if (unwanted > 0 && exchange.stream != null) {
        streams.session.consumed(exchange.stream, unwanted);
      }
      if (exchange.isComplete()) {
        streams.exchanges.remove(exchange);
        ended++;
      }
      forReaders += exchange.takeAppended();
    }
    if (ended > 0) {
      streams.exchanges.endedTogether(ended);
    }
    if (received > 0) {
      long due = received - forReaders + streams.credit.received(forReaders);
      if (due > 0) {
        streams.session.connectionConsumed(due);
      }
      received = 0;
    }
  }

  @Override
  public void onEnd() {
    IOException cause = new IOException("the server closed the connection" + farewell);
    if (!broken) {
      try {
        streams.session.endOfInput();
      } catch (Http2Exception e) {
        cause = new IOException("the server closed the connection: " + e.getMessage(), e);
      }
    }
    connection.closeNow(cause);
  }

  @Override
  public void onClosed(@Nullable IOException cause) {
    connection.closed(cause == null ? new ClosedChannelException() : cause);
  }
}
