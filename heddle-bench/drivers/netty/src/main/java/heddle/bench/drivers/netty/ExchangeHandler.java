package heddle.bench.drivers.netty;

import heddle.bench.driver.Answer;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** One connection: at most one exchange at a time. Confined to its event loop. */
final class ExchangeHandler extends SimpleChannelInboundHandler<HttpObject> {

  private final LoopConnections home;
  private @Nullable ChannelHandlerContext context;
  private @Nullable Pending current;
  private int status;
  private long bodyBytes;
  private boolean persistent;

  ExchangeHandler(LoopConnections home) {
    this.home = home;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
  }

  void send(Pending pending) {
    ChannelHandlerContext open = context;
    if (open == null) {
      throw new IllegalStateException("the handler is in no pipeline");
    }
    current = pending;
    bodyBytes = 0;
    // With a void promise, a failed write reaches exceptionCaught.
    var _ = open.writeAndFlush(pending.request().http1(), open.voidPromise());
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ignored, HttpObject part) {
    if (part.decoderResult().isFailure()) {
      fail(new IOException("the answer cannot be read", part.decoderResult().cause()));
      return;
    }
    if (part instanceof HttpResponse head) {
      status = head.status().code();
      persistent = HttpUtil.isKeepAlive(head);
    }
    if (part instanceof HttpContent content) {
      bodyBytes += content.content().readableBytes();
    }
    if (part instanceof LastHttpContent) {
      end();
    }
  }

  private void end() {
    Pending ended = current;
    if (ended == null || context == null) {
      return;
    }
    current = null;
    Answer answer = new Answer(status, bodyBytes);
    if (persistent) {
      home.free(this);
    } else {
      var _ = context.close();
    }
    ended.completion().answered(answer);
  }

  @Override
  public void channelInactive(ChannelHandlerContext ignored) {
    home.closed(this);
    Pending lost = current;
    current = null;
    if (lost != null) {
      lost.completion().failed(new IOException("the connection was closed before the answer"));
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ignored, Throwable cause) {
    fail(cause);
  }

  private void fail(Throwable cause) {
    Pending failed = current;
    current = null;
    if (context != null) {
      var _ = context.close();
    }
    if (failed != null) {
      failed.completion().failed(cause);
    }
  }
}
