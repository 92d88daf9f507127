package heddle.load.cluster.remote;

import heddle.load.cluster.crew.Answer;
import heddle.load.cluster.crew.LineChannel;
import heddle.load.cluster.crew.Order;
import heddle.load.cluster.crew.ProcessPeer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Waits for coordinators, one after the other, and makes the shares of their loads in processes of
 * this machine. A coordinator that does not have the secret gets nothing but a challenge. If it
 * vanishes, its process ends, and the server waits for the next.
 */
public final class WorkerServer implements AutoCloseable {

  /** A coordinator that is not heard of within this time is dropped. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final int BACKLOG = 8;

  private final ServerSocket listening;
  private final Secret secret;
  private final Function<List<String>, List<String>> command;
  private final Consumer<String> log;

  private WorkerServer(
      ServerSocket listening,
      Secret secret,
      Function<List<String>, List<String>> command,
      Consumer<String> log) {
    this.listening = listening;
    this.secret = secret;
    this.command = command;
    this.log = log;
  }

  /**
   * Listens.
   *
   * @param command makes the command of a process from the arguments of a load; throws {@link
   *     IllegalArgumentException} for arguments that are refused
   * @param log receives a line for each coordinator
   * @throws IOException if the address cannot be used
   * @throws IllegalArgumentException if there is no secret and the address is not of the loopback
   */
  public static WorkerServer listen(
      InetSocketAddress address,
      Secret secret,
      Function<List<String>, List<String>> command,
      Consumer<String> log)
      throws IOException {
    if (address.isUnresolved()) {
      throw new IOException("cannot listen on " + address.getHostString() + ": no such address");
    }
    secret.requireFor(address.getAddress());
    return new WorkerServer(
        new ServerSocket(address.getPort(), BACKLOG, address.getAddress()), secret, command, log);
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return (InetSocketAddress) listening.getLocalSocketAddress();
  }

  /** Serves coordinators until it is closed. */
  public void serve() throws IOException, InterruptedException {
    while (!listening.isClosed()) {
      try (Socket socket = listening.accept()) {
        String who = String.valueOf(socket.getRemoteSocketAddress());
        try {
          LineChannel channel = Handshake.accept(socket, secret, PATIENCE);
          log.accept("coordinator " + who + " has connected");
          attend(channel);
          log.accept("coordinator " + who + " has left");
        } catch (IOException e) {
          log.accept("coordinator " + who + " was dropped: " + e.getMessage());
        }
      } catch (IOException e) {
        if (!listening.isClosed()) {
          throw e;
        }
      }
    }
  }

  private void attend(LineChannel coordinator) throws IOException, InterruptedException {
    Order order = coordinator.receive(Order.class);
    while (order != null) {
      switch (order) {
        case Order.Clock _ -> coordinator.send(new Answer.Clock(Instant.now()));
        case Order.Load(List<String> arguments) -> {
          run(coordinator, arguments);
          return;
        }
        case Order.Start _, Order.Stop _ ->
          coordinator.send(new Answer.Failure("no load was ordered"));
      }
      order = coordinator.receive(Order.class);
    }
  }

  private void run(LineChannel coordinator, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> words;
    try {
      words = command.apply(arguments);
    } catch (IllegalArgumentException e) {
      coordinator.send(new Answer.Failure(String.valueOf(e.getMessage())));
      return;
    }
    try (ProcessPeer process = ProcessPeer.start(words, true)) {
      Thread.ofVirtual().name("worker-orders").start(() -> passOrders(coordinator, process));
      boolean isReported = false;
      @Nullable Answer answer = process.channel().receive(Answer.class);
      while (answer != null) {
        coordinator.send(answer);
        isReported |= answer instanceof Answer.Result;
        answer = process.channel().receive(Answer.class);
      }
      if (!isReported) {
        coordinator.send(new Answer.Failure(process.lastWords()));
      }
    }
  }

  /** Ends the process when the coordinator has gone. */
  private void passOrders(LineChannel coordinator, ProcessPeer process) {
    try {
      Order order = coordinator.receive(Order.class);
      while (order != null) {
        process.channel().send(order);
        order = coordinator.receive(Order.class);
      }
    } catch (IOException e) {
      // One of the connections has ended: the load is over, or the coordinator is gone.
    } finally {
      process.close();
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
  }
}
