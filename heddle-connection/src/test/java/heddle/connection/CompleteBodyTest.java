package heddle.connection;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.http.Headers;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class CompleteBodyTest {
  @Test
  void discardingTellsTheLengthAndLeavesTheContentToBeRead() throws Exception {
    for (int size : new int[] {0, 1, 70_000}) {
      byte[] content = new byte[size];
      Arrays.fill(content, (byte) 'x');
      CompleteBody body = new CompleteBody(content, Headers.empty());
      assertEquals(size, body.discard());
      assertEquals(size, body.discard());
      assertArrayEquals(content, body.bytes());
    }
  }
}
