package heddle.bench.servers.netty;

import heddle.bench.driver.Release;
import heddle.bench.driver.ServerConfig;
import heddle.bench.driver.ServerDriver;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/**
 * Netty's codecs without a framework, the cheapest server on the JVM that there is: requests are
 * answered on its loops, so that their code must not wait. Those that wait run on the threads of
 * the config.
 */
public final class NettyServer implements ServerDriver {
  private static final long QUIET_SECONDS = 0;
  private static final long STOP_SECONDS = 10;

  @Override
  public String name() {
    return "netty";
  }

  @Override
  public String version() {
    return Release.of(Channel.class);
  }

  @Override
  public Running start(ServerConfig config) throws Exception {
    EventLoopGroup loops = new MultiThreadIoEventLoopGroup(NioIoHandler.newFactory());
    try {
      ServerBootstrap bootstrap = new ServerBootstrap()
          .group(loops)
          .channel(NioServerSocketChannel.class)
          .childOption(ChannelOption.TCP_NODELAY, true)
          .childHandler(new Pipelines(config));
      if (config.isTuned()) {
        bootstrap.option(ChannelOption.SO_BACKLOG, ServerConfig.BACKLOG);
      }
      Channel listening = bootstrap.bind(config.address()).sync().channel();
      return Running.of(
          () -> ((InetSocketAddress) listening.localAddress()).getPort(), () -> stop(loops));
    } catch (Exception e) {
      stop(loops);
      throw e;
    }
  }

  private static void stop(EventLoopGroup loops) throws InterruptedException {
    loops.shutdownGracefully(QUIET_SECONDS, STOP_SECONDS, TimeUnit.SECONDS).sync();
  }
}
