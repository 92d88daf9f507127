package heddle.transport.names;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.syntax.Host;
import heddle.transport.Descriptors;
import heddle.transport.tcp.TcpNetwork;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class SystemResolverTest {
  @AutoClose
  private final TcpNetwork network = TcpNetwork.create();

  private final Resolver resolver = Resolver.system(network.loop());

  private Deadline soon() {
    return Deadline.after(Duration.ofSeconds(20), network.clock());
  }

  @Test
  void aLiteralNeedsNoLookUp() throws Exception {
    assertEquals(List.of(Host.address("127.0.0.1")), resolver.resolve("127.0.0.1", soon()));
    assertEquals(List.of(Host.address("::1")), resolver.resolve("::1", soon()));
  }

  @Test
  void localhostIsALoopbackAddress() throws Exception {
    List<InetAddress> addresses = resolver.resolve("localhost", soon());
    assertTrue(addresses.getFirst().isLoopbackAddress(), addresses::toString);
  }

  @Test
  void aNameThatCannotExistIsUnknown() {
    UnknownHostException e =
        assertThrows(UnknownHostException.class, () -> resolver.resolve("nowhere.invalid", soon()));
    assertTrue(e.getMessage().contains("nowhere.invalid"), e::getMessage);
  }

  @Test
  void aNumberThatIsNoAddressIsNotLookedUp() {
    assertThrows(UnknownHostException.class, () -> resolver.resolve("300.1.2.3", soon()));
  }

  @Test
  void anErrorOfTheNameServiceDoesNotSayThatTheHostIsUnknown() {
    Resolver failing = new SystemResolver(network.loop(), host -> {
      throw new OutOfMemoryError("injected");
    });
    IOException e = assertThrows(IOException.class, () -> failing.resolve("name.test", soon()));
    assertFalse(e instanceof UnknownHostException, e::toString);
    assertInstanceOf(OutOfMemoryError.class, e.getCause());
  }

  @Test
  void aNameServiceWithoutDescriptorsDoesNotSayThatTheHostIsUnknown() {
    Resolver failing = new SystemResolver(network.loop(), host -> {
      throw new UnknownHostException(host + ": Too many open files");
    });
    IOException e = assertThrows(IOException.class, () -> failing.resolve("name.test", soon()));
    assertFalse(e instanceof UnknownHostException, e::toString);
    assertTrue(Descriptors.areExhausted(e), e::toString);
  }

  @Test
  void anInterruptedThreadDoesNotWait() {
    CountDownLatch answered = new CountDownLatch(1);
    Resolver slow = new SystemResolver(network.loop(), host -> {
      await(answered);
      return new InetAddress[] {Host.address("127.0.0.1")};
    });
    Thread.currentThread().interrupt();
    assertThrows(InterruptedIOException.class, () -> slow.resolve("slow.test", soon()));
    assertTrue(Thread.interrupted(), "the interrupt flag is kept");
    answered.countDown();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
