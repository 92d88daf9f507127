package heddle.bench.drivers.netty;

import heddle.bench.driver.AsyncClientDriver;
import heddle.bench.driver.DriverConfig;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.Version;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Netty's codec on pooled connections and nothing more: the floor below which no client on this
 * JVM is expected to get. No redirects, no deadlines, no blocking caller to wake.
 */
public final class NettyDriver implements AsyncClientDriver {

  private final List<LoopConnections> pools = new ArrayList<>();
  private final AtomicInteger turn = new AtomicInteger();
  private @Nullable MultiThreadIoEventLoopGroup group;

  @Override
  public String name() {
    return "netty";
  }

  @Override
  public String version() {
    Version version = Version.identify(getClass().getClassLoader()).get("netty-codec-http");
    return version == null ? "unknown" : version.artifactVersion();
  }

  @Override
  public void start(DriverConfig config) {
    int loops = Math.min(Runtime.getRuntime().availableProcessors(), config.callers());
    MultiThreadIoEventLoopGroup made =
        new MultiThreadIoEventLoopGroup(loops, NioIoHandler.newFactory());
    group = made;
    Bootstrap bootstrap = new Bootstrap()
        .channel(NioSocketChannel.class)
        .option(ChannelOption.TCP_NODELAY, true)
        .remoteAddress(config.target().getHost(), config.port());
    int each = (config.callers() + loops - 1) / loops;
    for (int i = 0; i < loops; i++) {
      pools.add(new LoopConnections(made.next(), bootstrap, each));
    }
  }

  @Override
  public AsyncExchange prepare(URI uri) {
    FullHttpRequest request = request(uri);
    return completion -> {
      LoopConnections pool = poolOfThisThread();
      pool.begin(new Pending(request, completion));
    };
  }

  /**
   * The codec releases each request that it has written; the empty buffer does not mind, so one
   * request serves for all exchanges.
   */
  private static FullHttpRequest request(URI uri) {
    String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
    String target = uri.getRawQuery() == null ? path : path + "?" + uri.getRawQuery();
    DefaultHttpHeaders headers = new DefaultHttpHeaders();
    headers.set(HttpHeaderNames.HOST, uri.getRawAuthority());
    return new DefaultFullHttpRequest(
        HttpVersion.HTTP_1_1,
        HttpMethod.GET,
        target,
        Unpooled.EMPTY_BUFFER,
        headers,
        EmptyHttpHeaders.INSTANCE);
  }

  private LoopConnections poolOfThisThread() {
    for (LoopConnections pool : pools) {
      EventLoop loop = pool.loop();
      if (loop.inEventLoop()) {
        return pool;
      }
    }
    return pools.get(Math.floorMod(turn.getAndIncrement(), pools.size()));
  }

  @Override
  public void close() {
    if (group != null) {
      group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2000);
    }
  }
}
