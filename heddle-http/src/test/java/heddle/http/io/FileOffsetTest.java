package heddle.http.io;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileOffsetTest {
  @ParameterizedTest
  @CsvSource({"0, 0123456789", "3, 3456789", "9, 9", "10, ''", "99, ''"})
  void fileIsReadFromTheOffset(long offset, String rest, @TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("digits"), "0123456789");
    try (InputStream in = FileStreams.open(file, offset)) {
      assertEquals(rest, new String(in.readAllBytes(), StandardCharsets.US_ASCII));
    }
  }
}
