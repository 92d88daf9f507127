package heddle.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

final class ContentCodingTest {
  /** Makes codings that decode nothing. */
  private abstract static class Named implements ContentCoding {
    private final String name;

    Named(String name) {
      this.name = name;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public Decoder decoder() {
      return new Decoder() {
        @Override
        public boolean decode(ByteBuffer source, ByteBuffer target) {
          return true;
        }

        @Override
        public void close() {}
      };
    }
  }

  public static final class First extends Named {
    public First() {
      super("a");
    }
  }

  public static final class Second extends Named {
    public Second() {
      super("b");
    }
  }

  public static final class OfAnotherPlatform extends Named {
    public OfAnotherPlatform() {
      super("c");
      throw new UnsupportedOperationException("no library for this platform");
    }
  }

  @Test
  void installedOnesAreInOrderAndThoseOfOtherPlatformsAreLeftOutWithAWarning() {
    List<LogRecord> logged = new ArrayList<>();
    Logger log = Logger.getLogger("heddle.http");
    Handler handler = new Handler() {
      @Override
      public void publish(LogRecord entry) {
        logged.add(entry);
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
    log.addHandler(handler);
    try {
      assertEquals(
          List.of("a", "b"),
          ContentCoding.installed().stream().map(ContentCoding::name).toList());
    } finally {
      log.removeHandler(handler);
    }
    assertEquals(1, logged.size());
    assertEquals(Level.WARNING, logged.getFirst().getLevel());
    String message = logged.getFirst().getMessage();
    assertTrue(message.contains(OfAnotherPlatform.class.getName()), message);
    assertEquals("no library for this platform", logged.getFirst().getThrown().getMessage());
  }

  @Test
  void codingThatOnlyDecodesSaysSo() {
    Body body = new First().compress(Body.of("x"));
    assertEquals(
        "this implementation of a only decodes",
        assertThrows(UnsupportedOperationException.class, body::bytes).getMessage());
  }
}
