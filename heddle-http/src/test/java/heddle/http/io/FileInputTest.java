package heddle.http.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileInputTest {
  private Path file;
  private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
  private final WritableByteChannel target = Channels.newChannel(sent);

  @BeforeEach
  void write(@TempDir Path folder) throws IOException {
    file = Files.writeString(folder.resolve("digits"), "0123456789");
  }

  private static String rest(FileInput in) throws IOException {
    return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
  }

  @ParameterizedTest
  @CsvSource({"0, 0123456789", "3, 3456789", "9, 9", "10, ''", "99, ''"})
  void fileIsReadFromTheOffset(long offset, String rest) throws IOException {
    try (FileInput in = FileStreams.open(file, offset)) {
      assertEquals(rest.length(), in.remaining());
      assertEquals(rest, rest(in));
      assertEquals(0, in.remaining());
      assertEquals(rest.length(), in.taken());
    }
  }

  @Test
  void fileIsReadToTheLimit() throws IOException {
    try (FileInput in = FileStreams.open(file, 2).limit(5)) {
      assertEquals(5, in.remaining());
      assertEquals("23456", rest(in));
    }
  }

  @Test
  void fileThatHasGrownIsReadToItsEnd() throws IOException {
    try (FileInput in = FileStreams.open(file)) {
      Files.writeString(file, "0123456789ab");
      assertEquals("0123456789ab", rest(in));
    }
  }

  @Test
  void fileIsSentInStepsToTheLimit() throws IOException {
    try (FileInput in = FileStreams.open(file, 1).limit(6)) {
      assertEquals(4, in.sendTo(target, 4));
      assertEquals(2, in.remaining());
      assertEquals(2, in.sendTo(target, 100));
      assertEquals(0, in.remaining());
      assertEquals(6, in.taken());
      assertEquals("123456", sent.toString(StandardCharsets.US_ASCII));
    }
  }

  @Test
  void endOfAFileThatBecameShorterIsFound() throws IOException {
    try (FileInput in = FileStreams.open(file)) {
      Files.writeString(file, "0123");
      assertEquals(4, in.sendTo(target, 10));
      assertEquals(-1, in.sendTo(target, 10));
      assertEquals(6, in.remaining());
    }
  }

  @Test
  void whatWasReadAheadIsNotSkipped() throws IOException {
    try (FileInput in = FileStreams.open(file)) {
      assertEquals('0', in.read());
      assertEquals(9, in.remaining());
      assertThrows(IllegalStateException.class, () -> in.sendTo(target, 1));
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX) // which shows what is open
  void nothingStaysOpenIfTheOpeningThreadIsInterrupted() throws Exception {
    for (int i = 0; i < 100; i++) {
      FutureTask<Boolean> task = new FutureTask<>(() -> {
        Thread.currentThread().interrupt();
        try (FileInput in = FileStreams.open(file)) {
          return Thread.interrupted();
        }
      });
      Thread.ofVirtual().start(task);
      assertTrue(task.get(), "the thread stays interrupted");
    }
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      assertEquals(0, descriptors.filter(each -> file.equals(target(each))).count());
    }
  }

  private static @Nullable Path target(Path link) {
    try {
      return Files.readSymbolicLink(link);
    } catch (IOException e) {
      return null; // It was closed meanwhile.
    }
  }
}
