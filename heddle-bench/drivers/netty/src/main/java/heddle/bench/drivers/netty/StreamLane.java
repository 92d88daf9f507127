package heddle.bench.drivers.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.ssl.SslHandler;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop over HTTP/2. All state is confined to that loop. The connection
 * with the fewest streams comes first; if all are full, exchanges wait in their order.
 */
final class StreamLane implements Lane {

  /** Large enough that no answer of a race waits for window credit. */
  private static final int STREAM_WINDOW = 1 << 20;

  private final EventLoop loop;
  private final Bootstrap bootstrap;
  private final int connections;
  private final int streams;
  private final List<StreamHandler> ready = new ArrayList<>();
  private final ArrayDeque<Pending> waiting = new ArrayDeque<>();
  private int open;

  StreamLane(
      EventLoop loop,
      Bootstrap template,
      int connections,
      int streams,
      @Nullable Encryption encryption) {
    this.loop = loop;
    this.connections = connections;
    this.streams = streams;
    this.bootstrap = template.clone(loop);
    bootstrap.handler(new ChannelInitializer<Channel>() {
      @Override
      protected void initChannel(Channel channel) {
        if (encryption != null) {
          channel.pipeline().addLast(encryption.handler(channel));
        }
        channel.pipeline().addLast(codec(), new StreamHandler(StreamLane.this));
      }
    });
  }

  private static Http2FrameCodec codec() {
    return Http2FrameCodecBuilder.forClient()
        .initialSettings(
            Http2Settings.defaultSettings().pushEnabled(false).initialWindowSize(STREAM_WINDOW))
        .build();
  }

  @Override
  public EventLoop loop() {
    return loop;
  }

  @Override
  public void place(Pending pending) {
    if (open < connections) {
      open++;
      waiting.addLast(pending);
      connect();
      return;
    }
    StreamHandler free = leastUsed();
    if (free == null) {
      waiting.addLast(pending);
    } else {
      free.send(pending);
    }
  }

  private @Nullable StreamHandler leastUsed() {
    StreamHandler best = null;
    for (StreamHandler each : ready) {
      if (each.running() < streams && (best == null || each.running() < best.running())) {
        best = each;
      }
    }
    return best;
  }

  private void connect() {
    ChannelFuture connecting = bootstrap.connect();
    connecting.addListener(done -> {
      SslHandler tls = connecting.channel().pipeline().get(SslHandler.class);
      if (!done.isSuccess()) {
        lost(null, done.cause());
      } else if (tls == null) {
        ready(connecting.channel());
      } else {
        tls.handshakeFuture().addListener(shaken -> {
          if (shaken.isSuccess()) {
            ready(connecting.channel());
          } else {
            lost(null, shaken.cause());
          }
        });
      }
    });
  }

  private void ready(Channel channel) {
    StreamHandler handler = channel.pipeline().get(StreamHandler.class);
    ready.add(handler);
    handler.widen(streams * STREAM_WINDOW);
    drain();
  }

  /** Called when a connection has a free stream again. */
  void drain() {
    while (!waiting.isEmpty()) {
      StreamHandler free = leastUsed();
      if (free == null) {
        return;
      }
      free.send(waiting.removeFirst());
    }
  }

  /**
   * Called when a connection has closed or could not be opened; a waiting exchange may open
   * another.
   */
  void lost(@Nullable StreamHandler connection, Throwable cause) {
    open--;
    ready.remove(connection);
    Pending next = waiting.pollFirst();
    if (next == null) {
      return;
    }
    if (connection == null) {
      next.completion().failed(cause);
    } else {
      place(next);
    }
  }
}
