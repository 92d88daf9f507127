package heddle.server.accept;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.connection.MemoryBudget;
import heddle.connection.ServerLimits;
import heddle.connection.ServerVersions;
import heddle.http.Response;
import heddle.server.dispatch.Dispatcher;
import heddle.testkit.ManualChannel;
import heddle.testkit.ManualLoop;
import heddle.transport.Channel;
import heddle.transport.ChannelListener;
import heddle.transport.EventLoop;
import heddle.transport.ForwardingChannel;
import java.time.Duration;
import java.util.List;
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
      false,
      ServerVersions.DEFAULTS,
      ServerLimits.DEFAULTS,
      budget,
      connections,
      new AdmissionLimit(1),
      refusals,
      new Dispatcher(exchange -> Response.ok(""), Runnable::run, null, () -> {}));

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aConnectionThatCannotBeStartedTakesNoPlaceAndNoMemory(boolean letIn) {
    if (!letIn) {
      assertTrue(connections.tryEnter());
      assertTrue(connections.tryEnter());
    }
    int before = connections.inside();
    FailingChannel channel = new FailingChannel();
    channel.failing = true;
    assertThrows(OutOfMemoryError.class, () -> acceptor.accept(channel, null, null));
    assertEquals(before, connections.inside());
    assertEquals(0, refusals.inside());
    assertEquals(0, budget.held());
    assertTrue(acceptor.isEmpty());
  }

  @Test
  void aDrainThatFailsForOneConnectionCutsAllOfThem() {
    List<FailingChannel> channels = List.of(new FailingChannel(), new FailingChannel());
    channels.forEach(each -> acceptor.accept(each, null, null));
    channels.getFirst().failing = true;
    Thread.currentThread().interrupt(); // Ends the patience.
    acceptor.drain(Duration.ofHours(1), loop);
    assertTrue(Thread.interrupted());
    for (FailingChannel channel : channels) {
      assertTrue(!channel.isOpen());
    }
  }

  private final class FailingChannel implements ForwardingChannel {
    private final ManualChannel target = new ManualChannel(loop, buffers -> {});
    private boolean started;

    /** Whether there is no memory for a task of the loop. */
    private boolean failing;

    private void check() {
      if (failing) {
        throw new OutOfMemoryError("injected");
      }
    }

    @Override
    public Channel target() {
      return target;
    }

    @Override
    public void start(ChannelListener listener) {
      check();
      target.start(listener);
      started = true;
    }

    /** The listener hears it at once, because no thread drives the loop. */
    @Override
    public void close() {
      if (started && target.isOpen()) {
        target.breakBy(null);
      } else {
        target.close();
      }
    }

    @Override
    public EventLoop loop() {
      if (started) {
        check();
      }
      return loop;
    }
  }
}
