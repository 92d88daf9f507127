package heddle.server.accept;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.connection.MemoryBudget;
import heddle.connection.ServerLimits;
import heddle.http.Response;
import heddle.server.dispatch.Dispatcher;
import heddle.testkit.ManualLoop;
import heddle.transport.Channel;
import heddle.transport.ChannelListener;
import heddle.transport.Deadline;
import heddle.transport.EventLoop;
import heddle.transport.WriteProgress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Errors while connections are let in and seen out. */
class AcceptorTest {
  private final ManualLoop loop = new ManualLoop();
  private final MemoryBudget budget = new MemoryBudget(1 << 20);
  private final AdmissionLimit connections = new AdmissionLimit(2);
  private final AdmissionLimit refusals = new AdmissionLimit(2);
  private final Acceptor acceptor = new Acceptor(
      null,
      ServerLimits.DEFAULTS,
      budget,
      connections,
      new AdmissionLimit(1),
      refusals,
      new Dispatcher(request -> Response.ok(""), Runnable::run, () -> {}));

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aConnectionThatCannotBeStartedTakesNoPlaceAndNoMemory(boolean letIn) {
    if (!letIn) {
      assertTrue(connections.tryEnter());
      assertTrue(connections.tryEnter());
    }
    int before = connections.inside();
    FakeChannel channel = new FakeChannel();
    channel.failing = true;
    assertThrows(OutOfMemoryError.class, () -> acceptor.accept(channel));
    assertEquals(before, connections.inside());
    assertEquals(0, refusals.inside());
    assertEquals(0, budget.held());
    assertTrue(acceptor.isEmpty());
  }

  @Test
  void aDrainThatFailsForOneConnectionCutsAllOfThem() {
    List<FakeChannel> channels = List.of(new FakeChannel(), new FakeChannel());
    channels.forEach(acceptor);
    channels.getFirst().failing = true;
    Thread.currentThread().interrupt(); // Ends the patience.
    acceptor.drain().run(Duration.ofHours(1), loop);
    assertTrue(Thread.interrupted());
    for (FakeChannel channel : channels) {
      assertTrue(!channel.isOpen());
    }
  }

  private final class FakeChannel implements Channel {
    /** Whether there is no memory for a task of the loop. */
    private boolean failing;

    private boolean open = true;
    private @Nullable ChannelListener listener;

    private void check() {
      if (failing) {
        throw new OutOfMemoryError("injected");
      }
    }

    @Override
    public void start(ChannelListener hearer) {
      check();
      listener = hearer;
    }

    @Override
    public EventLoop loop() {
      if (listener != null) {
        check();
      }
      return loop;
    }

    @Override
    public void close() {
      ChannelListener hearer = listener;
      if (open && hearer != null) {
        hearer.onClosed(null);
      }
      open = false;
    }

    @Override
    public boolean isOpen() {
      return open;
    }

    @Override
    public void write(ByteBuffer buffer, Deadline deadline) {}

    @Override
    public void write(ByteBuffer[] buffers, Deadline deadline) {}

    @Override
    public WriteProgress writeProgress() {
      return new WriteProgress();
    }

    @Override
    public void pauseReading() {}

    @Override
    public void resumeReading() {}

    @Override
    public void shutdownOutput() {}

    @Override
    public SocketAddress localAddress() {
      return new InetSocketAddress(1);
    }

    @Override
    public SocketAddress remoteAddress() {
      return new InetSocketAddress(2);
    }
  }
}
