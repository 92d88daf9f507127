package heddle.bench.servers.netty;

import heddle.bench.driver.Reply;
import heddle.bench.driver.Routes;
import heddle.bench.driver.ServerConfig;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.ByteBufOutputStream;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ExecutorService;

/**
 * Answers the requests of a connection, or of a stream of HTTP/2, in their order. Confined to its
 * loop, apart from the routes that wait.
 */
final class Answering extends ChannelInboundHandlerAdapter {
  /** The routes whose code waits. */
  private static final List<String> WAITING = List.of("/delay/", "/ping/", "/locked", "/hold/");

  private final Routes routes;
  private final ExecutorService handlers;
  private final Queue<FullHttpRequest> next = new ArrayDeque<>();
  private boolean waits;

  Answering(ServerConfig config) {
    this.routes = config.routes();
    this.handlers = config.handlers();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
    FullHttpRequest request = (FullHttpRequest) message;
    if (waits) {
      next.add(request);
    } else {
      begin(context, request);
    }
  }

  private void begin(ChannelHandlerContext context, FullHttpRequest request) throws Exception {
    if (!isWaiting(request.uri())) {
      var _ = write(context, request, response(context, request));
      return;
    }
    waits = true;
    handlers.execute(() -> {
      try {
        FullHttpResponse response = response(context, request);
        context.executor().execute(() -> end(context, request, response));
      } catch (Exception e) {
        exceptionCaught(context, e);
      }
    });
  }

  /** Without a stream, since each request comes here. */
  private static boolean isWaiting(String target) {
    for (String route : WAITING) {
      if (target.startsWith(route)) {
        return true;
      }
    }
    return false;
  }

  private void end(
      ChannelHandlerContext context, FullHttpRequest request, FullHttpResponse response) {
    waits = false;
    var _ = write(context, request, response);
    try {
      while (!waits && !next.isEmpty()) {
        begin(context, next.remove());
      }
    } catch (Exception e) {
      exceptionCaught(context, e);
    }
    context.flush();
  }

  /** Releases the request's content. */
  private FullHttpResponse response(ChannelHandlerContext context, FullHttpRequest request)
      throws IOException, InterruptedException {
    try (ByteBufInputStream content = new ByteBufInputStream(request.content(), true)) {
      Reply reply = routes.answer(request.method().name(), request.uri(), content);
      FullHttpResponse response = new DefaultFullHttpResponse(
          HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(reply.status()), bytes(context, reply));
      reply.fields().forEach(response.headers()::set);
      response.headers().set(HttpHeaderNames.CONTENT_LENGTH, reply.length());
      return response;
    }
  }

  private static ByteBuf bytes(ChannelHandlerContext context, Reply reply) throws IOException {
    byte[] inMemory = reply.bytes();
    if (inMemory != null) {
      return Unpooled.wrappedBuffer(inMemory);
    }
    ByteBuf bytes = context.alloc().ioBuffer(Math.toIntExact(reply.length()));
    try (ByteBufOutputStream out = new ByteBufOutputStream(bytes)) {
      reply.writeTo(out);
      return bytes;
    } catch (IOException | RuntimeException e) {
      bytes.release();
      throw e;
    }
  }

  /** Leaves the flush to the end of what was read, which sends the answers of a batch together. */
  private static ChannelFuture write(
      ChannelHandlerContext context, FullHttpRequest request, FullHttpResponse response) {
    boolean isLast = !HttpUtil.isKeepAlive(request);
    if (isLast) {
      HttpUtil.setKeepAlive(response, false);
    }
    ChannelFuture written = context.write(response);
    return isLast ? written.addListener(ChannelFutureListener.CLOSE) : written;
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    context.flush();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    next.forEach(ReferenceCountUtil::release);
    next.clear();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (!(cause instanceof IOException)) {
      System.err.println("the connection is closed: " + cause);
    }
    var _ = context.close();
  }
}
