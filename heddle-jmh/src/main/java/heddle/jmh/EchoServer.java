package heddle.jmh;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Netty's server of WebSockets, which sends each frame back. */
final class EchoServer {
  private static final int BACKLOG = 8_192;
  private static final int MOST_HEAD_BYTES = 64 * 1024;

  private EchoServer() {}

  public static void main(String[] args) throws Exception {
    MultiThreadIoEventLoopGroup loops =
        new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    Channel server = new ServerBootstrap()
        .group(loops)
        .channel(NioServerSocketChannel.class)
        .option(ChannelOption.SO_BACKLOG, BACKLOG)
        .childHandler(new ChannelInitializer<SocketChannel>() {
          @Override
          protected void initChannel(SocketChannel connection) {
            connection
                .pipeline()
                .addLast(new HttpServerCodec())
                .addLast(new HttpObjectAggregator(MOST_HEAD_BYTES))
                .addLast(new WebSocketServerProtocolHandler("/"))
                .addLast(new Echo());
          }
        })
        .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
        .sync()
        .channel();
    ServerProcess.serveUntilParentEnds(((InetSocketAddress) server.localAddress()).getPort());
    loops.shutdownGracefully().syncUninterruptibly();
  }

  private static final class Echo extends SimpleChannelInboundHandler<WebSocketFrame> {
    @Override
    protected void channelRead0(ChannelHandlerContext context, WebSocketFrame frame) {
      var _ = context.writeAndFlush(frame.retain());
    }

    /** A client that ends resets its connections. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
      var _ = context.close();
    }
  }
}
