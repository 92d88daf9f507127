package heddle.connection.http2;

import heddle.codec.http2.Http2Event;
import heddle.codec.http2.Http2Session;
import heddle.codec.http2.Http2Stream;
import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Http2Exception;
import heddle.transport.Channel;
import heddle.transport.ChannelListener;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The loop's side of a client's connection: turns bytes into what exchanges receive. A pass takes
 * all that was read at once, settles it with the sending half in one go, and wakes whom it has news
 * for. All of it belongs to the loop, which never writes: what it owes is flushed elsewhere.
 */
final class ResponseReceiver implements ChannelListener {
  private final Http2Connection connection;
  private final Channel channel;
  private final Http2Session session;
  private final Flush flush;
  private final Liveness liveness;

  /** The exchanges that the present pass has news for, each once. */
  private final List<Http2Exchange> touched = new ArrayList<>();

  /** Flow-controlled bytes of the present pass. */
  private long received;

  /** What the server said before it closed the connection. */
  private String farewell = "";

  /** Whether the session can read no further. */
  private boolean broken;

  ResponseReceiver(
      Http2Connection connection,
      Channel channel,
      Http2Session session,
      Flush flush,
      Liveness liveness) {
    this.connection = connection;
    this.channel = channel;
    this.session = session;
    this.flush = flush;
    this.liveness = liveness;
  }

  @Override
  public void onBytes(ByteBuffer bytes) {
    if (broken) {
      return;
    }
    long now = channel.loop().clock().nanoTime();
    liveness.heard(now);
    Http2Exception violation = null;
    try {
      for (Http2Event event = session.next(bytes, now);
          event != null;
          event = session.next(bytes, now)) {
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
        // Interim responses are for callers that ask for them; nobody can yet.
        touch(interim.stream());
      }
      case Http2Event.Reset reset -> onReset(reset);
      case Http2Event.StreamError error -> {
        if (error.stream() != null) {
          fail(error.stream(), ExchangeFailure.violation(error.code(), error.message()));
        }
      }
      case Http2Event.GoAway goAway -> onGoAway(goAway);
      case Http2Event.SettingsChanged changed -> {
        // What they change for us is told when the pass is settled.
      }
      case Http2Event.PingAck answer -> {
        // That the peer was heard is all it says.
      }
      case Http2Event.RequestHead request ->
        throw new IllegalStateException("a client's session read a request: " + request);
    }
  }

  /** The exchange of a stream, which has news. */
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
      connection.drop(exchange);
      exchange.fail(cause, channel.loop());
    }
  }

  private void onGoAway(Http2Event.GoAway goAway) {
    farewell = " after it had said GOAWAY with " + goAway.code()
        + (goAway.debug().isEmpty() ? "" : " (" + goAway.debug() + ")");
    if (goAway.code() == ErrorCode.HTTP_1_1_REQUIRED) {
      connection.failAll(ExchangeFailure.reset(goAway.code()));
    }
  }

  private void settle(long now) {
    for (Http2Exchange exchange : touched) {
      exchange.prepare(channel.loop(), now);
    }
    Http2Connection.Settled settled = connection.settle(touched, received);
    received = 0;
    for (Http2Exchange exchange : touched) {
      exchange.publish(channel.loop());
    }
    touched.clear();
    for (Http2Exchange exchange : settled.refused()) {
      exchange.fail(
          ExchangeFailure.notProcessed("the server went away before it processed the request"),
          channel.loop());
    }
    if (settled.output()) {
      flush.runElsewhere();
    }
    if (settled.capacityChanged()) {
      connection.capacityChanged();
    }
  }

  @Override
  public void onEnd() {
    IOException cause = new IOException("the server closed the connection" + farewell);
    if (!broken) {
      try {
        session.endOfInput();
      } catch (Http2Exception e) {
        cause = new IOException("the server closed the connection: " + e.getMessage(), e);
      }
    }
    connection.failAll(cause);
    channel.close();
  }

  @Override
  public void onClosed(@Nullable IOException cause) {
    connection.closed(cause == null ? new ClosedChannelException() : cause);
  }
}
