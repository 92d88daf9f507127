package heddle.load.cluster.crew;

import heddle.load.LoadListener;
import heddle.load.LoadProgress;
import heddle.load.cluster.merge.LoadJson;
import heddle.load.cluster.merge.LoadResult;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

/** The side of a process that makes a share of a load and follows the orders of a coordinator. */
public final class Following implements LoadListener {

  private final LineChannel channel;

  /** Takes orders from this channel. */
  public Following(LineChannel channel) {
    this.channel = channel;
  }

  /**
   * Reports that all connections are open, and waits for the order to start; follows further orders
   * from then on.
   *
   * @param stop called on the order to stop
   * @param gone called when the orders have ended, because the coordinator has
   * @throws IOException if the orders end first, or the first is another one
   */
  public Instant awaitStart(Runnable stop, Runnable gone) throws IOException {
    channel.send(new Answer.Ready());
    Order order = channel.receive(Order.class);
    if (!(order instanceof Order.Start(Instant time))) {
      throw new IOException(
          order == null
              ? "the process that started this member has ended"
              : "expected the order to start, but read " + order);
    }
    Thread.ofPlatform().daemon().name("crew-orders").start(() -> follow(stop, gone));
    return time;
  }

  private void follow(Runnable stop, Runnable gone) {
    try {
      boolean isOver = false;
      while (!isOver) {
        try {
          Order order = channel.receive(Order.class);
          isOver = order == null;
          if (order instanceof Order.Stop) {
            stop.run();
          } else if (order != null) {
            channel.send(new Answer.Failure("the load has begun already: " + order));
          }
        } catch (LineChannel.MalformedLineException e) {
          channel.send(new Answer.Failure(String.valueOf(e.getMessage())));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the orders cannot be read", e);
    } finally {
      gone.run();
    }
  }

  @Override
  public void progress(LoadProgress progress) {
    try {
      channel.send(new Answer.Going(progress));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write to the process that started this one", e);
    }
  }

  /** Reports the result. */
  public void report(LoadResult result) throws IOException {
    var json = new ByteArrayOutputStream();
    LoadJson.writeLine(result, List.of(), json);
    channel.send(new Answer.Result(json.toString(StandardCharsets.UTF_8).strip()));
  }
}
