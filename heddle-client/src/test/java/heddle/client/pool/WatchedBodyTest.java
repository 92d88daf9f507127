package heddle.client.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.http.Body;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WatchedBodyTest {
  private final List<String> asked = new ArrayList<>();

  private final WatchedBody body = new WatchedBody(new Body() {
    @Override
    public long length() {
      return UNKNOWN;
    }

    @Override
    public boolean isReplayable() {
      return false;
    }

    @Override
    public InputStream stream() {
      asked.add("stream");
      return InputStream.nullInputStream();
    }

    @Override
    public long discard() {
      asked.add("discard");
      return 17;
    }

    @Override
    public void close() {
      asked.add("close");
    }
  });

  @Test
  void whatIsDiscardedIsDroppedByTheConnectionAndNotRead() throws Exception {
    assertEquals(17, body.discard());
    assertEquals(List.of("discard"), asked);
  }

  @Test
  void itsStreamIsTheConnections() throws Exception {
    assertEquals(-1, body.stream().read());
    body.close();
    assertEquals(List.of("stream", "close"), asked);
  }
}
