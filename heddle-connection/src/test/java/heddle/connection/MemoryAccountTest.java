package heddle.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.testkit.ManualChannel;
import heddle.transport.SecureChannel;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** What the memory budget says of reads and writes. */
class MemoryAccountTest {
  private static final int KIB = 1024;

  @Test
  void readsBecomeShorterAsTheBudgetIsUsedUp() {
    MemoryBudget large = new MemoryBudget(64L << 20);
    assertEquals(1 << 20, large.readLimit());
    large.hold(48L << 20);
    assertEquals(256 * KIB, large.readLimit());
    large.hold(32L << 20);
    assertEquals(MemoryBudget.LEAST_READ_BYTES, large.readLimit());
  }

  @Test
  void longWriteUnderTlsTakesABufferMore() {
    SecureChannel secure = (SecureChannel) Proxy.newProxyInstance(
        SecureChannel.class.getClassLoader(),
        new Class<?>[] {SecureChannel.class},
        (proxy, method, arguments) -> {
          throw new AssertionError(method + " is called");
        });
    ByteBuffer[] record = {ByteBuffer.allocate(KIB), ByteBuffer.allocate(15 * KIB)};
    ByteBuffer[] more = {ByteBuffer.allocate(KIB), ByteBuffer.allocate(16 * KIB)};
    assertEquals(0, MemoryBudget.bytesToEncrypt(secure, record));
    assertEquals(MemoryBudget.TLS_WRITE_BYTES, MemoryBudget.bytesToEncrypt(secure, more));
    assertEquals(0, MemoryBudget.bytesToEncrypt(new ManualChannel(buffers -> {}), more));
  }
}
