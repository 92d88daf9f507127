package heddle.connection;

import heddle.codec.Event;
import heddle.connection.http1.HeadParsers;
import heddle.connection.http1.Http1Resources;
import heddle.connection.http1.Http1ServerConnection;
import heddle.transport.Channel;
import org.jspecify.annotations.Nullable;

/** The owner of one connection over HTTP/1.1 that answers no request. */
public abstract class OneOwner implements Http1ServerConnection.Owner {
  private final Channel channel;
  private final Http1Resources resources = new Http1Resources(
      ServerLimits.DEFAULTS,
      true,
      new MemoryBudget(1 << 20),
      new HeadParsers(),
      new RecentOrigins());

  /** Of a connection over this channel. */
  protected OneOwner(Channel channel) {
    this.channel = channel;
  }

  @Override
  public long id() {
    return 1;
  }

  @Override
  public Channel channel() {
    return channel;
  }

  @Override
  public Http1Resources resources() {
    return resources;
  }

  @Override
  public @Nullable Runnable successor(Event.RequestHead head) {
    return null;
  }

  @Override
  public void onRequest(ServerExchange exchange) {}
}
