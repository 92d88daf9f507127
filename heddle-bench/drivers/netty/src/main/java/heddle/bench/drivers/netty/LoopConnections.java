package heddle.bench.drivers.netty;

import heddle.bench.driver.Wire;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.flush.FlushConsolidationHandler;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop over HTTP/1.1. All state is confined to that loop. The
 * connection used last is used first; at the limit, exchanges wait in their order. Pipelined
 * requests that begin in one pass of the loop are written together.
 */
final class LoopConnections implements Lane {

  private final EventLoop loop;
  private final Bootstrap bootstrap;
  private final int limit;
  private final int depth;

  /** Those that take another exchange. */
  private final ArrayDeque<ExchangeHandler> idle = new ArrayDeque<>();

  private final ArrayDeque<Pending> waiting = new ArrayDeque<>();
  private int open;

  /**
   * Creates connections that open when they are needed.
   *
   * @param limit how many
   * @param wire how many exchanges each may have at once and in all
   */
  LoopConnections(
      EventLoop loop, Bootstrap template, int limit, Wire wire, @Nullable Encryption encryption) {
    this.loop = loop;
    this.limit = limit;
    this.depth = wire.streams();
    this.bootstrap = template.clone(loop);
    bootstrap.handler(new ChannelInitializer<Channel>() {
      @Override
      protected void initChannel(Channel channel) {
        if (encryption != null) {
          channel.pipeline().addLast(encryption.handler(channel));
        }
        if (depth > 1) {
          channel.pipeline().addLast(new FlushConsolidationHandler());
        }
        channel
            .pipeline()
            .addLast(
                new HttpClientCodec(), new ExchangeHandler(LoopConnections.this, wire.requests()));
      }
    });
  }

  @Override
  public EventLoop loop() {
    return loop;
  }

  @Override
  public void place(Pending pending) {
    ExchangeHandler free = idle.peekFirst();
    if (free != null) {
      free.send(pending);
      if (free.running() == depth) {
        idle.removeFirst();
      }
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
        ExchangeHandler opened = connecting.channel().pipeline().get(ExchangeHandler.class);
        opened.send(pending);
        for (int more = 1; more < depth; more++) {
          free(opened);
        }
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
      if (idle.peekFirst() != connection && !(depth > 1 && idle.contains(connection))) {
        idle.addFirst(connection);
      }
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
