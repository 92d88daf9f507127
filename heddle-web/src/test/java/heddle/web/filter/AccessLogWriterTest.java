package heddle.web.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.testwatch.Conditions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class AccessLogWriterTest {
  @TempDir
  private Path folder;

  @Test
  void linesAreAppendedToAFileInTheirOrder() throws Exception {
    Path file = folder.resolve("access.log");
    Files.writeString(file, "before\n");
    List<String> lines = IntStream.range(0, 1000).mapToObj(i -> "line " + i).toList();
    AccessLogWriter writer = AccessLogWriter.of(file);
    lines.forEach(writer);
    writer.close();
    writer.close();
    List<String> written = Files.readAllLines(file);
    assertEquals("before", written.getFirst());
    assertEquals(lines, written.subList(1, written.size()));
    assertEquals(0, writer.dropped());
    writer.accept("too late");
    assertEquals(1, writer.dropped());
  }

  @Test
  void linesAreFlushedWhenNoneWaits() throws Exception {
    Path file = folder.resolve("access.log");
    try (AccessLogWriter writer = AccessLogWriter.of(file)) {
      writer.accept("one");
      Conditions.await("the line is in the file", () -> {
        try {
          return Files.readString(file).equals("one\n");
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      });
    }
  }

  /** Blocks in its first write, as a disk may. */
  private static final class Slow extends Writer {
    final CountDownLatch entered = new CountDownLatch(1);
    final CountDownLatch released = new CountDownLatch(1);
    final StringBuffer text = new StringBuffer();

    @Override
    public void write(char[] chars, int offset, int length) throws IOException {
      entered.countDown();
      try {
        released.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      text.append(chars, offset, length);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
      throw new AssertionError("it belongs to the caller");
    }
  }

  @Test
  void linesAboveTheBoundAreDroppedAndNoCallerWaits() throws Exception {
    Slow slow = new Slow();
    AccessLogWriter writer = AccessLogWriter.of(slow, 10);
    writer.accept("12345");
    slow.entered.await();
    writer.accept("67890");
    writer.accept("x");
    writer.accept("y");
    assertEquals(2, writer.dropped());
    slow.released.countDown();
    Conditions.await("the lines are written", () -> slow.text.toString().equals("12345\n67890\n"));
    // There is room again, once the lines are released.
    long before = writer.dropped();
    Conditions.await("a line is taken", () -> {
      long dropped = writer.dropped();
      writer.accept("z");
      return writer.dropped() == dropped;
    });
    writer.close();
    assertEquals("12345\n67890\nz\n", slow.text.toString());
    assertEquals(2, before);
  }

  @Test
  void aFailureToWriteIsCountedAndTheNextLineIsTried() throws Exception {
    StringBuffer text = new StringBuffer();
    Appendable out = new Appendable() {
      @Override
      public Appendable append(CharSequence chars) throws IOException {
        if (chars.equals("bad")) {
          throw new IOException("on purpose");
        }
        text.append(chars);
        return this;
      }

      @Override
      public Appendable append(CharSequence chars, int start, int end) throws IOException {
        return append(chars.subSequence(start, end));
      }

      @Override
      public Appendable append(char c) {
        text.append(c);
        return this;
      }
    };
    try (AccessLogWriter writer = AccessLogWriter.of(out)) {
      writer.accept("bad");
      Conditions.await("it is dropped", () -> writer.dropped() == 1);
      writer.accept("good");
      Conditions.await("the next is written", () -> text.toString().equals("good\n"));
    }
  }

  @Test
  void theBoundIsPositive() {
    assertThrows(IllegalArgumentException.class, () -> AccessLogWriter.of(new StringBuilder(), 0));
  }
}
