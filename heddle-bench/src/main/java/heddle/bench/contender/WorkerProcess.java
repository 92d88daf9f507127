package heddle.bench.contender;

import heddle.bench.worker.WorkerAnswer;
import heddle.bench.worker.WorkerOrder;
import heddle.load.cluster.crew.LineChannel;
import heddle.load.cluster.crew.ProcessPeer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The race's handle on a worker: an order goes in, an answer comes out. Used by one thread. */
final class WorkerProcess implements AutoCloseable {

  private static final long TICK_MILLIS = 200;
  private static final Duration START = Duration.ofSeconds(30);

  private final ProcessPeer peer;

  /** Its answers; the last item says why there are no more. */
  private final BlockingQueue<Received> received = new LinkedBlockingQueue<>();

  private WorkerProcess(ProcessPeer peer) {
    this.peer = peer;
  }

  /** An answer, or what is wrong with the worker. */
  private record Received(@Nullable WorkerAnswer answer, String trouble) {}

  /** A worker that has said its hello. */
  record Started(WorkerProcess process, WorkerAnswer.Hello hello) {}

  static Started start(List<String> command, Runnable tick)
      throws IOException, InterruptedException {
    WorkerProcess worker = new WorkerProcess(ProcessPeer.start(command, true));
    boolean isStarted = false;
    try {
      Thread.ofVirtual().start(worker::listen);
      if (worker.awaitAnswer(START, tick) instanceof WorkerAnswer.Hello hello) {
        isStarted = true;
        return new Started(worker, hello);
      }
      throw worker.lost("it did not say which client it has");
    } finally {
      if (!isStarted) {
        worker.close();
      }
    }
  }

  private void listen() {
    String trouble = "it gives no answers any more";
    try {
      WorkerAnswer answer = peer.channel().receive(WorkerAnswer.class);
      while (answer != null) {
        received.add(new Received(answer, ""));
        answer = peer.channel().receive(WorkerAnswer.class);
      }
    } catch (LineChannel.MalformedLineException e) {
      trouble = String.valueOf(e.getMessage());
    } catch (IOException e) {
      trouble = "its answers cannot be read: " + e;
    }
    received.add(new Received(null, trouble));
  }

  /**
   * Sends an order and waits for the answer.
   *
   * @param patience how long to wait
   * @param tick called several times a second
   * @throws WorkerLostException if the worker is dead or does not answer; it is unusable then
   */
  WorkerAnswer ask(WorkerOrder order, Duration patience, Runnable tick)
      throws IOException, InterruptedException {
    try {
      peer.channel().send(order);
    } catch (IOException e) {
      throw lost("it takes no orders");
    }
    return awaitAnswer(patience, tick);
  }

  private WorkerAnswer awaitAnswer(Duration patience, Runnable tick)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      Received next = received.poll(TICK_MILLIS, TimeUnit.MILLISECONDS);
      if (next == null) {
        tick.run();
        if (System.nanoTime() > deadline) {
          throw lost("no answer for " + patience.toSeconds() + " s");
        }
      } else if (next.answer == null) {
        throw lost(next.trouble);
      } else {
        return next.answer;
      }
    }
  }

  /**
   * Lets the worker end by itself.
   *
   * @param patience how long to wait
   * @throws WorkerLostException if it did not end in good order
   */
  void end(Duration patience) throws IOException, InterruptedException {
    ask(new WorkerOrder.End(), patience, () -> {});
    if (!peer.awaitEnd(patience)) {
      throw lost("it did not end as it should");
    }
  }

  private WorkerLostException lost(String how) throws IOException, InterruptedException {
    return new WorkerLostException(how + "; " + peer.lastWords());
  }

  /**
   * Kills the process and waits until it is gone with its connections. It has no state to save, and
   * a JVM that exits by itself waits 0.3 s for threads in native code.
   */
  @Override
  public void close() {
    peer.close();
  }
}
