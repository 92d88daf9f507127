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

  public static final class WithoutItsLibrary extends Named {
    public WithoutItsLibrary() {
      super("d");
      throw new NoClassDefFoundError("com/example/Encoder");
    }
  }

  @Test
  void installedOnesAreInOrderAndThoseThatCannotWorkAreLeftOutWithAWarning() {
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
    assertEquals(2, logged.size());
    assertWarnsOf(OfAnotherPlatform.class, "no library for this platform", logged.get(0));
    assertWarnsOf(WithoutItsLibrary.class, "com/example/Encoder", logged.get(1));
  }

  private static void assertWarnsOf(Class<?> coding, String reason, LogRecord logged) {
    assertEquals(Level.WARNING, logged.getLevel());
    assertTrue(logged.getMessage().contains(coding.getName()), logged.getMessage());
    assertEquals(reason, logged.getThrown().getMessage());
  }

  @Test
  void codingThatOnlyDecodesSaysSo() {
    Body body = new First().compress(Body.of("x"));
    assertEquals(
        "this implementation of a only decodes",
        assertThrows(UnsupportedOperationException.class, body::bytes).getMessage());
  }
}
