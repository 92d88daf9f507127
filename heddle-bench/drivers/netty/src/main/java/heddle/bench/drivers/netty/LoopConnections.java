package heddle.bench.drivers.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpClientCodec;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop over HTTP/1.1. All state is confined to that loop. The
 * connection used last is used first; at the limit, exchanges wait in their order.
 */
final class LoopConnections implements Lane {

  private final EventLoop loop;
  private final Bootstrap bootstrap;
  private final int limit;
  private final ArrayDeque<ExchangeHandler> idle = new ArrayDeque<>();
  private final ArrayDeque<Pending> waiting = new ArrayDeque<>();
  private int open;

  LoopConnections(EventLoop loop, Bootstrap template, int limit, @Nullable Encryption encryption) {
    this.loop = loop;
    this.limit = limit;
    this.bootstrap = template.clone(loop);
    bootstrap.handler(new ChannelInitializer<Channel>() {
      @Override
      protected void initChannel(Channel channel) {
        if (encryption != null) {
          channel.pipeline().addLast(encryption.handler(channel));
        }
        channel
            .pipeline()
            .addLast(new HttpClientCodec(), new ExchangeHandler(LoopConnections.this));
      }
    });
  }

  @Override
  public EventLoop loop() {
    return loop;
  }

  @Override
  public void place(Pending pending) {
    ExchangeHandler free = idle.pollFirst();
    if (free != null) {
      free.send(pending);
    } else if (open < limit) {
      open++;
      connect(pending);
    } else {
      waiting.addLast(pending);
    }
  }

  private void connect(Pending pending) {
    ChannelFuture connecting = bootstrap.connect();
    connecting.addListener(done -> {
      if (done.isSuccess()) {
        connecting.channel().pipeline().get(ExchangeHandler.class).send(pending);
      } else {
        closed(null);
        pending.completion().failed(done.cause());
      }
    });
  }

  /** Called when the connection is free for another exchange. */
  void free(ExchangeHandler connection) {
    Pending next = waiting.pollFirst();
    if (next == null) {
      idle.addFirst(connection);
    } else {
      connection.send(next);
    }
  }

  /**
   * Called when a connection has closed or could not be opened; a waiting exchange may open
   * another.
   */
  void closed(@Nullable ExchangeHandler connection) {
    open--;
    if (connection != null) {
      idle.remove(connection);
    }
    Pending next = waiting.pollFirst();
    if (next != null) {
      place(next);
    }
  }
}
