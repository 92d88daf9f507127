package heddle.connection;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import heddle.http.Headers;
import heddle.http.MediaType;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class CompleteBodyTest {
  private static MediaType mediaType(String field) {
    return new CompleteBody(new byte[0], Headers.of("Content-Type", field)).mediaType();
  }

  @Test
  void mediaTypesAreToldApart() {
    String longText = "text/plain; a=" + "x".repeat(200);
    for (int i = 0; i < 2; i++) {
      assertEquals(MediaType.parse("text/plain"), mediaType("text/plain"));
      assertEquals(MediaType.parse("text/html1"), mediaType("text/html1")); // of the same length
      assertEquals(MediaType.parse(longText), mediaType(longText));
      assertNull(mediaType("text plain"));
      assertNull(new CompleteBody(new byte[0], Headers.empty()).mediaType());
    }
  }

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
