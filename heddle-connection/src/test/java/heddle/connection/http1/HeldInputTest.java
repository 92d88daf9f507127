package heddle.connection.http1;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.connection.ConnectionMemory;
import heddle.connection.MemoryBudget;
import heddle.transport.Channel;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Input that is held again and again while the requests in it are answered one by one. */
class HeldInputTest {
  private static final int SIZE = 1_000;
  private static final int BOUND = 64 * 1024;

  private final ConnectionMemory memory =
      new ConnectionMemory(new MemoryBudget(1 << 20), unusedChannel());

  @Test
  void whatIsLeftAfterEachOfManyRequestsIsNotCopiedEachTime() {
    HeldInput held = new HeldInput(bytes(0, SIZE), memory, BOUND);
    ByteBuffer rest = held.release(memory);
    int copied = 0;
    for (int i = 0; i < SIZE - 1; i++) {
      assertEquals((byte) i, rest.get());
      if (!held.holdAgain(rest, memory, BOUND)) {
        copied += rest.remaining();
        held = new HeldInput(rest, memory, BOUND);
      }
      rest = held.release(memory);
    }
    assertEquals(1, rest.remaining());
    assertTrue(copied <= SIZE, copied + " bytes were copied");
  }

  @Test
  void bytesThatComeLaterFollowThoseThatAreHeldAgain() {
    HeldInput held = new HeldInput(bytes(0, SIZE), memory, BOUND);
    ByteBuffer rest = held.release(memory);
    rest.position(SIZE / 4);
    assertTrue(held.holdAgain(rest, memory, BOUND));
    held.append(bytes(SIZE, SIZE), memory, BOUND);
    held.append(bytes(2 * SIZE, 1), memory, BOUND);
    ByteBuffer all = held.release(memory);
    byte[] found = new byte[all.remaining()];
    all.get(found);
    assertArrayEquals(bytes(SIZE / 4, 2 * SIZE + 1 - SIZE / 4).array(), found);
  }

  @Test
  void whatIsNotTheRestIsNotTakenForIt() {
    HeldInput held = new HeldInput(bytes(0, SIZE), memory, BOUND);
    held.release(memory);
    assertFalse(held.holdAgain(bytes(0, SIZE), memory, BOUND));
  }

  private static ByteBuffer bytes(int first, int count) {
    byte[] bytes = new byte[count];
    for (int i = 0; i < count; i++) {
      bytes[i] = (byte) (first + i);
    }
    return ByteBuffer.wrap(bytes);
  }

  /** Less than the bound pauses nothing. */
  private static Channel unusedChannel() {
    return (Channel) Proxy.newProxyInstance(
        Channel.class.getClassLoader(),
        new Class<?>[] {Channel.class},
        (proxy, method, arguments) -> {
          throw new UnsupportedOperationException(method.getName());
        });
  }
}
