package heddle.bench.drivers.netty;

import heddle.bench.driver.AsyncClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import heddle.bench.driver.Release;
import heddle.bench.driver.Wire;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Netty's codecs on pooled connections and nothing more: a lower bound for the cost of a client on
 * this JVM. No redirects, no deadlines, no blocking caller to wake; content is counted as it
 * arrives and discarded. Over HTTP/2 it works on bare frames, without a channel per stream.
 */
public final class NettyDriver implements AsyncClientDriver {

  private static final long CLOSE_MILLIS = 2000;

  private final List<Lane> lanes = new ArrayList<>();
  private final ChannelGroup channels = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
  private @Nullable MultiThreadIoEventLoopGroup group;

  @Override
  public String name() {
    return "netty";
  }

  @Override
  public String version() {
    return Release.of(HttpClientCodec.class);
  }

  @Override
  public boolean canPipeline() {
    return true;
  }

  @Override
  public boolean canLimitRequests() {
    return true;
  }

  @Override
  public void start(DriverConfig config) throws Exception {
    Wire wire = config.wire();
    int loops = Math.min(Runtime.getRuntime().availableProcessors(), wire.connections());
    MultiThreadIoEventLoopGroup made =
        new MultiThreadIoEventLoopGroup(loops, NioIoHandler.newFactory());
    group = made;
    Bootstrap bootstrap = new Bootstrap()
        .channelFactory(this::newChannel)
        .option(ChannelOption.TCP_NODELAY, true)
        .remoteAddress(config.target().getHost(), config.port());
    Encryption encryption = config.isTls() ? new Encryption(config) : null;
    for (int i = 0; i < loops; i++) {
      // Distributes all connections as evenly as possible.
      int own = wire.connections() / loops + (i < wire.connections() % loops ? 1 : 0);
      lanes.add(
          config.isHttp2()
              ? new StreamLane(made.next(), bootstrap, own, wire.streams(), encryption)
              : new LoopConnections(made.next(), bootstrap, own, wire, encryption));
    }
  }

  private NioSocketChannel newChannel() {
    NioSocketChannel channel = new NioSocketChannel();
    channels.add(channel);
    return channel;
  }

  @Override
  public AsyncExchange prepare(DriverRequest request) {
    Outgoing outgoing = new Outgoing(request);
    // Starts with the first lane, which has one connection more if they do not divide evenly.
    AtomicInteger turn = new AtomicInteger();
    return completion -> {
      Lane lane = laneOfThisThread(turn);
      lane.begin(new Pending(outgoing, completion));
    };
  }

  private Lane laneOfThisThread(AtomicInteger turn) {
    for (Lane lane : lanes) {
      if (lane.loop().inEventLoop()) {
        return lane;
      }
    }
    return lanes.get(Math.floorMod(turn.getAndIncrement(), lanes.size()));
  }

  @Override
  public void close() {
    if (group != null) {
      // A group that ends leaves sockets open now and then.
      channels.close().awaitUninterruptibly(CLOSE_MILLIS);
      group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(CLOSE_MILLIS);
    }
  }
}
