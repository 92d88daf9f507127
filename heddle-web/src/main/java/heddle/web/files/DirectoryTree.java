package heddle.web.files;

import heddle.http.io.FileStreams;
import heddle.web.conditional.EntityTag;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The regular files below a directory, whose symbolic links may not lead out of it. */
final class DirectoryTree implements FileTree {
  private final Path root;

  /** Where the root was last; a deployment may change where its symbolic link leads. */
  private volatile Path realRoot;

  DirectoryTree(Path root) throws IOException {
    this.root = root.toAbsolutePath();
    realRoot = root.toRealPath();
    if (!Files.isDirectory(realRoot)) {
      throw new NotDirectoryException(root.toString());
    }
  }

  @Override
  public @Nullable Item find(FilePath path) throws IOException {
    try {
      Path file = root;
      for (String segment : path.segments()) {
        file = file.resolve(segment);
      }
      Path real = file.toRealPath();
      return isInRoot(real) ? item(real) : null;
    } catch (InvalidPathException | FileSystemException e) {
      return null; // There is no such file, or it may not be read, or no file can have this name.
    }
  }

  private boolean isInRoot(Path real) throws IOException {
    if (!real.startsWith(realRoot)) {
      realRoot = root.toRealPath();
    }
    return real.startsWith(realRoot);
  }

  /** The file, which is none if it is a directory, a device or a pipe. */
  static @Nullable Item item(Path file) throws IOException {
    Instant now = Instant.now();
    BasicFileAttributes read =
        Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    if (!read.isRegularFile() || !Files.isReadable(file)) {
      return null;
    }
    Instant modified = read.lastModifiedTime().toInstant();
    return new Item(
        read.size(),
        modified,
        EntityTag.ofFile(read.size(), modified, now),
        offset -> FileStreams.open(file, offset));
  }
}
