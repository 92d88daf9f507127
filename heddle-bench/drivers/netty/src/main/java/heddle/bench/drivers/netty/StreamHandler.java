package heddle.bench.drivers.netty;

import heddle.bench.driver.Answer;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2ChannelDuplexHandler;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2FrameStreamException;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One connection over HTTP/2, on the bare frames. Confined to its event loop. */
final class StreamHandler extends Http2ChannelDuplexHandler {

  private final StreamLane home;
  private final Map<Http2FrameStream, Running> running = new HashMap<>();
  private final List<Running> ended = new ArrayList<>();
  private @Nullable ChannelHandlerContext context;
  private boolean reading;

  StreamHandler(StreamLane home) {
    this.home = home;
  }

  /** An exchange on its stream. */
  private static final class Running {
    private final Pending pending;
    private int status;
    private long bodyBytes;

    Running(Pending pending) {
      this.pending = pending;
    }
  }

  @Override
  protected void handlerAdded0(ChannelHandlerContext added) {
    context = added;
  }

  int running() {
    return running.size() + ended.size();
  }

  /** Enlarges the connection window beyond the initial 64 KiB. */
  void widen(int bytes) {
    ChannelHandlerContext open = opened();
    var _ = open.writeAndFlush(new DefaultHttp2WindowUpdateFrame(bytes));
  }

  void send(Pending pending) {
    ChannelHandlerContext open = opened();
    Http2FrameStream stream = newStream();
    Outgoing request = pending.request();
    running.put(stream, new Running(pending));
    boolean alone = !request.hasContent();
    var written = open.write(new DefaultHttp2HeadersFrame(request.http2(), alone).stream(stream));
    written.addListener(done -> {
      if (!done.isSuccess()) {
        fail(stream, done.cause());
      }
    });
    if (!alone) {
      var _ = open.write(new DefaultHttp2DataFrame(request.content(), true).stream(stream));
    }
    // Frames that are sent while a read is handled are flushed together at its end.
    if (!reading) {
      open.flush();
    }
  }

  private ChannelHandlerContext opened() {
    ChannelHandlerContext open = context;
    if (open == null) {
      throw new IllegalStateException("the handler is in no pipeline");
    }
    return open;
  }

  @Override
  public void channelRead(ChannelHandlerContext current, Object frame) {
    reading = true;
    try {
      switch (frame) {
        case Http2HeadersFrame head -> received(head);
        case Http2DataFrame data -> received(current, data);
        case Http2ResetFrame reset ->
          fail(reset.stream(), new IOException("the stream was reset: " + reset.errorCode()));
        default -> {
          // The codec handles SETTINGS, PING and GOAWAY; after GOAWAY the connection ends.
        }
      }
    } finally {
      ReferenceCountUtil.release(frame);
    }
  }

  private void received(Http2HeadersFrame frame) {
    Running exchange = running.get(frame.stream());
    if (exchange == null) {
      return;
    }
    CharSequence status = frame.headers().status();
    if (status != null) {
      exchange.status = Integer.parseInt(status, 0, status.length(), 10);
    }
    if (frame.isEndStream()) {
      end(frame.stream(), exchange);
    }
  }

  private void received(ChannelHandlerContext current, Http2DataFrame frame) {
    Running exchange = running.get(frame.stream());
    int credit = frame.initialFlowControlledBytes();
    if (credit > 0) {
      // The codec sends it when half a window has accumulated.
      var _ = current.write(new DefaultHttp2WindowUpdateFrame(credit).stream(frame.stream()));
    }
    if (exchange == null) {
      return;
    }
    exchange.bodyBytes += frame.content().readableBytes();
    if (frame.isEndStream()) {
      end(frame.stream(), exchange);
    }
  }

  /** The codec closes the stream only after this: until then it counts towards the peer's limit. */
  private void end(Http2FrameStream stream, Running exchange) {
    running.remove(stream);
    ended.add(exchange);
  }

  private void fail(Http2FrameStream stream, Throwable cause) {
    Running failed = running.remove(stream);
    if (failed != null) {
      failed.pending.completion().failed(cause);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext current) {
    List<Running> answered = List.copyOf(ended);
    ended.clear();
    for (Running each : answered) {
      each.pending.completion().answered(new Answer(each.status, each.bodyBytes));
    }
    home.drain();
    reading = false;
    current.flush();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ignored) {
    IOException cause = new IOException("the connection was closed before the answer");
    home.lost(this, cause);
    List<Running> left = new ArrayList<>(running.values());
    running.clear();
    left.forEach(each -> each.pending.completion().failed(cause));
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext current, Throwable cause) {
    if (cause instanceof Http2FrameStreamException failure) {
      fail(failure.stream(), failure);
    } else {
      var _ = current.close();
    }
  }
}
