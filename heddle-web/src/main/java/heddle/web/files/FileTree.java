package heddle.web.files;

import heddle.web.conditional.EntityTag;
import heddle.web.conditional.Representation;
import java.io.IOException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Where files are looked up. */
sealed interface FileTree permits DirectoryTree, ResourceTree {
  /**
   * A file that can be served.
   *
   * @param length in octets
   */
  record Item(
      long length,
      @Nullable Instant lastModified,
      @Nullable EntityTag tag,
      Representation.Content content) {}

  /**
   * The regular file with this path; null if there is none that may be served. May block.
   *
   * @throws IOException if it cannot be found out
   */
  @Nullable
  Item find(FilePath path) throws IOException;
}
