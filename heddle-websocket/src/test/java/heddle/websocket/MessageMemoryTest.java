package heddle.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MessageMemoryTest {
  private final List<Integer> counted = new ArrayList<>();

  static MessageMemory uncounted() {
    return new MessageMemory(MessageMemory.Account.NONE);
  }

  @Test
  void smallMessagesAreNotCounted() throws IOException {
    MessageMemory memory = new MessageMemory(counted::add);
    memory.reserve(16 * 1024);
    memory.reserve(0);
    assertEquals(List.of(), counted);
  }

  @Test
  void largeMessageIsCountedUntilItIsNoLongerNeeded() throws IOException {
    MessageMemory memory = new MessageMemory(counted::add);
    memory.reserve(20_000);
    memory.reserve(30_000);
    memory.reserve(30_000);
    memory.reserve(3L << 30);
    memory.reserve(0);
    memory.reserve(0);
    assertEquals(List.of(20_000, 30_000, Integer.MAX_VALUE, 0), counted);
  }

  @Test
  void whatIsRefusedIsNotCounted() throws IOException {
    MessageMemory memory = new MessageMemory(bytes -> {
      if (bytes > 30_000) {
        throw new IOException("no room");
      }
      counted.add(bytes);
    });
    memory.reserve(20_000);
    assertThrows(IOException.class, () -> memory.reserve(50_000));
    memory.reserve(0);
    assertEquals(List.of(20_000, 0), counted);
  }
}
