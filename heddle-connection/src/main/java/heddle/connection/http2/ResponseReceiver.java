package heddle.connection.http2;

import heddle.codec.http2.Http2Event;
import heddle.codec.http2.Http2Session;
import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Http2Exception;
import heddle.connection.LostConnectionException;
import heddle.http.failure.ConnectionLostException.Side;
import heddle.transport.ChannelListener;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a client's connection: turns bytes into events of exchanges. A pass takes all bytes of a
 * read, has the {@linkplain Http2Connection#settle connection} settle them at once, and wakes the
 * callers concerned. Used by the loop only.
 */
final class ResponseReceiver implements ChannelListener {
  private final Http2Connection connection;
  private final Http2Session session;

  // The exchanges that have events in the current pass, each once, and its flow-controlled bytes.
  private final List<Http2Exchange> touched = new ArrayList<>();
  private long received;

  private String goAwayReason = ""; // for the message when the server closes the connection
  private boolean broken; // the session can read no further

  ResponseReceiver(Http2Connection connection) {
    this.connection = connection;
    this.session = connection.session;
  }

  @Override
  public void onBytes(ByteBuffer bytes) {
    if (broken) {
      return;
    }
    long now = connection.now();
    connection.timer.heard(now);
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
    for (Http2Exchange exchange : touched) {
      exchange.prepare(now);
    }
    long bytesOfPass = received;
    received = 0;
    connection.settle(touched, bytesOfPass);
    if (violation != null) {
      connection.closeBroken(ExchangeFailure.violation(
          violation.code(), violation.kind(), String.valueOf(violation.getMessage())));
    }
  }

  private void on(Http2Event event) {
    switch (event) {
      case Http2Event.ResponseHead head -> {
        if (head.stream().attachment() instanceof Http2Exchange exchange) {
          touch(exchange).onHead(head);
        }
      }
      case Http2Event.Data data -> {
        received += data.flowControlled();
        if (data.stream().attachment() instanceof Http2Exchange exchange) {
          touch(exchange).onData(data);
        }
      }
      case Http2Event.Trailers trailers -> {
        if (trailers.stream().attachment() instanceof Http2Exchange exchange) {
          touch(exchange).response.complete(trailers.headers());
        }
      }
      case Http2Event.Interim interim -> {
        if (interim.stream().attachment() instanceof Http2Exchange exchange) {
          touch(exchange).response.interim(interim.status(), interim.headers());
        }
      }
      case Http2Event.Reset reset -> {
        // RFC 9113 §8.1: NO_ERROR after a complete response only ends the request.
        if (reset.stream().attachment() instanceof Http2Exchange exchange
            && !touch(exchange).isOver()) {
          connection.fail(exchange, ExchangeFailure.reset(reset.code()));
        }
      }
      case Http2Event.StreamError error -> {
        if (error.stream() != null
            && error.stream().attachment() instanceof Http2Exchange exchange) {
          connection.fail(
              exchange, ExchangeFailure.violation(error.code(), error.kind(), error.message()));
        }
      }
      case Http2Event.GoAway goAway -> onGoAway(goAway);
      case Http2Event.SettingsChanged unused -> {} // applied when the pass is settled
      case Http2Event.PingAck unused -> {} // only shows that the peer is alive
      case Http2Event.RequestHead request ->
        throw new IllegalStateException("a client's session read a request: " + request);
    }
  }

  /** Returns an exchange that has an event. */
  private Http2Exchange touch(Http2Exchange exchange) {
    if (!exchange.touched) {
      exchange.touched = true;
      touched.add(exchange);
    }
    return exchange;
  }

  private void onGoAway(Http2Event.GoAway goAway) {
    goAwayReason = " after it had said GOAWAY with " + goAway.code()
        + (goAway.debug().isEmpty() ? "" : " (" + goAway.debug() + ")");
    if (goAway.code() == ErrorCode.HTTP_1_1_REQUIRED) {
      connection.failAll(ExchangeFailure.reset(goAway.code()));
    }
  }

  @Override
  public void onEnd() {
    Http2Exception cut = null;
    String how = goAwayReason;
    if (!broken) {
      try {
        session.endOfInput();
      } catch (Http2Exception e) {
        cut = e;
        how = ": " + e.getMessage();
      }
    }
    connection.closeNow(new LostConnectionException(
        "the connection was lost: the server closed the connection" + how,
        null,
        Side.PEER,
        "",
        cut));
  }

  @Override
  public void onClosed(@Nullable IOException cause) {
    connection.closed(cause == null ? new ClosedChannelException() : cause);
  }
}
