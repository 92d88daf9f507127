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
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** One connection, whose exchanges end in the order in which they begin. Confined to its loop. */
final class ExchangeHandler extends SimpleChannelInboundHandler<HttpObject> {

  private final LoopConnections home;
  private final int most;
  private int sent;
  private @Nullable ChannelHandlerContext context;
  private final ArrayDeque<Pending> running = new ArrayDeque<>();
  private int status;
  private long bodyBytes;
  private boolean persistent;

  /**
   * Creates the handler of a connection.
   *
   * @param most after how many exchanges the server is asked to close it; 0 for no limit
   */
  ExchangeHandler(LoopConnections home, int most) {
    this.home = home;
    this.most = most;
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
    running.addLast(pending);
    // With a void promise, a failed write reaches exceptionCaught.
    boolean isLast = ++sent == most;
    var _ = open.writeAndFlush(pending.request().http1(isLast), open.voidPromise());
  }

  /** How many exchanges have not ended. */
  int running() {
    return running.size();
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ignored, HttpObject part) {
    if (part.decoderResult().isFailure()) {
      fail(new IOException("the answer cannot be read", part.decoderResult().cause()));
      return;
    }
    if (part instanceof HttpResponse head) {
      status = head.status().code();
      bodyBytes = 0;
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
    Pending ended = running.pollFirst();
    if (ended == null || context == null) {
      return;
    }
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
    failAll(new IOException("the connection was closed before the answer"));
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ignored, Throwable cause) {
    fail(cause);
  }

  private void fail(Throwable cause) {
    if (context != null) {
      var _ = context.close();
    }
    failAll(cause);
  }

  private void failAll(Throwable cause) {
    for (Pending each = running.pollFirst(); each != null; each = running.pollFirst()) {
      each.completion().failed(cause);
    }
  }
}
