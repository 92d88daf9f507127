package heddle.client;

import heddle.http.io.FileStreams;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A file that is being downloaded: its content so far, and beside it, if the download can go on
 * later, what it is a part of. For one thread at a time.
 */
final class PartialFile {
  private final Path file;
  private final Path content;
  private final Path description;
  private boolean begun;

  /**
   * What is there of a resource.
   *
   * @param size in bytes, more than zero
   * @param validator of the resource, for If-Range
   */
  record Known(long size, String validator) {}

  PartialFile(Path file) {
    this.file = file;
    this.content = Path.of(file + ".part");
    this.description = Path.of(file + ".part.validator");
  }

  /** What is there of the resource that this URL names; null if it must be begun anew. */
  @Nullable
  Known known(String url) throws IOException {
    return FileStreams.call(() -> {
      if (!Files.isRegularFile(content) || !Files.isRegularFile(description)) {
        return null;
      }
      List<String> lines = Files.readAllLines(description);
      long size = Files.size(content);
      return lines.size() == 2 && lines.getFirst().equals(url) && size > 0
          ? new Known(size, lines.getLast())
          : null;
    });
  }

  /**
   * Begins anew, with no content.
   *
   * @param validator of the resource; null if it has none by which to go on later
   */
  OutputStream begin(String url, @Nullable String validator) throws IOException {
    OutputStream emptied = goOn(0); // first, so that no content is taken for the new resource's
    FileStreams.call(() -> validator == null
        ? Files.deleteIfExists(description)
        : Files.write(description, List.of(url, validator)));
    return emptied;
  }

  /**
   * To write content from this position on; what is there behind it is cut off.
   *
   * @throws IOException if another download into the same file is under way
   */
  OutputStream goOn(long position) throws IOException {
    OutputStream opened = FileStreams.append(content, position);
    begun = true;
    return opened;
  }

  /** All content is there: it gets its name, in one step. */
  void complete() throws IOException {
    FileStreams.call(() -> {
      try (FileChannel written = FileChannel.open(content, StandardOpenOption.WRITE)) {
        written.force(true);
      }
      Files.move(
          content, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      return Files.deleteIfExists(description);
    });
  }

  /** Deletes what this download has written, and nothing of another. */
  void delete() throws IOException {
    if (begun) {
      FileStreams.call(() -> {
        Files.deleteIfExists(content);
        return Files.deleteIfExists(description);
      });
    }
  }
}
