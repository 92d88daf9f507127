package heddle.cache;

import heddle.http.Body;
import heddle.http.MediaType;
import heddle.http.io.FileStreams;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A store in a directory. A resource has a file {@code KEY.head} with its responses ({@link
 * HeadFormat}) and a file {@code KEY-ID.body} with the content of each, where KEY is a digest of
 * the URL. A head replaces the one before it by renaming, once its contents are written, so that a
 * crash leaves the old or the new one. Nothing is forced to the disk: what a power failure has
 * damaged is found by its checksum. Content without a head is deleted when the store is opened.
 *
 * <p>Files are read and written by the few threads of {@link FileStreams}.
 */
final class DiskStore extends CacheStore {
  private static final String LOCK_FILE = "lock";
  private static final Pattern OWN_FILE =
      Pattern.compile("([0-9a-f]{32})(?:[.](head|new)|-([0-9a-f]{16})[.]body)");

  /** Content up to this size is read at once; larger content is read twice, to verify it first. */
  private static final int SMALL = 256 << 10;

  /** Content is written in pieces of this size. */
  private static final int PIECE = 64 << 10;

  private static final int FIRST_BUFFER = 1 << 10; // grows with what has arrived
  private static final int STRIPES = 32;

  private final Path directory;
  private final FileChannel directoryLock;

  /** The ids of the contents of each resource, by KEY. */
  private final Index<Set<Long>> index;

  /** One is held while the files of a resource change; taken before the lock of the index. */
  private final ReentrantLock[] stripes = new ReentrantLock[STRIPES];

  private DiskStore(Path directory, FileChannel directoryLock, Index<Set<Long>> index) {
    super(index);
    this.directory = directory;
    this.directoryLock = directoryLock;
    this.index = index;
    Arrays.setAll(stripes, i -> new ReentrantLock());
  }

  static DiskStore open(Path directory, Index<Set<Long>> index) throws IOException {
    DiskStore store = FileStreams.call(() -> {
      create(directory);
      FileChannel lock = lock(directory);
      boolean done = false;
      try {
        DiskStore opened = new DiskStore(directory, lock, index);
        opened.readDirectory();
        done = true;
        return opened;
      } finally {
        if (!done) {
          lock.close();
        }
      }
    });
    store.makeRoom();
    return store;
  }

  private static void create(Path directory) throws IOException {
    if (Files.isDirectory(directory)) {
      return;
    }
    if (directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Files.createDirectories(
          directory,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } else {
      Files.createDirectories(directory);
    }
  }

  private static FileChannel lock(Path directory) throws IOException {
    FileChannel channel = FileChannel.open(
        directory.resolve(LOCK_FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    boolean locked = false;
    try {
      locked = channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      locked = false; // Another store of this process has it.
    } finally {
      if (!locked) {
        channel.close();
      }
    }
    if (!locked) {
      throw new IOException("another store is open in " + directory
          + ": share that one in this process, or give each process its own directory");
    }
    return channel;
  }

  // ---- which files there are

  /** A resource as its files have been found. */
  private static final class Found {
    final Set<Long> contents = new HashSet<>();
    long bytes;
    long modifiedAt;
    boolean hasHead;
  }

  private void readDirectory() throws IOException {
    Map<String, Found> found = new LinkedHashMap<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        Matcher name = OWN_FILE.matcher(String.valueOf(file.getFileName()));
        if (!name.matches()) {
          continue;
        }
        if ("new".equals(name.group(2))) {
          Files.deleteIfExists(file); // A crash came before it replaced the head.
          continue;
        }
        Found resource = found.computeIfAbsent(name.group(1), key -> new Found());
        resource.bytes += Files.size(file);
        if (name.group(3) == null) {
          resource.hasHead = true;
          resource.modifiedAt = Files.getLastModifiedTime(file).toMillis();
        } else {
          resource.contents.add(HexFormat.fromHexDigitsToLong(name.group(3)));
        }
      }
    }
    for (Map.Entry<String, Found> each : found.entrySet()) {
      if (!each.getValue().hasHead) {
        deleteFiles(each.getKey(), each.getValue().contents);
      }
    }
    found.values().removeIf(each -> !each.hasHead);
    found.entrySet().stream()
        .sorted((a, b) -> Long.compare(a.getValue().modifiedAt, b.getValue().modifiedAt))
        .forEach(each -> index.put(each.getKey(), each.getValue().contents, each.getValue().bytes));
  }

  private Path head(String name) {
    return directory.resolve(name + ".head");
  }

  private Path body(String name, long id) {
    return directory.resolve(name + "-" + HexFormat.of().toHexDigits(id) + ".body");
  }

  private ReentrantLock stripe(String name) {
    return stripes[Math.floorMod(name.hashCode(), STRIPES)];
  }

  // ---- responses

  @Override
  List<CachedResponse> find(String key) throws IOException {
    String name = Digests.hex(key);
    if (index.get(name) == null) {
      return List.of();
    }
    List<CachedResponse> found = read(name, key);
    if (found.isEmpty()) {
      remove(name);
    }
    return found;
  }

  /** None if the file is gone or damaged. */
  private List<CachedResponse> read(String name, String key) throws IOException {
    try {
      return FileStreams.call(
          () -> HeadFormat.read(readFile(head(name), HeadFormat.MOST_BYTES), key));
    } catch (NoSuchFileException | HeadFormat.DamagedHeadException e) {
      return List.of();
    }
  }

  /** No more of a file than there may be of it: it may have been replaced by a larger one. */
  private static byte[] readFile(Path file, int most) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] content = in.readNBytes(most);
      return in.read() < 0 ? content : new byte[0];
    }
  }

  @Override
  void update(String key, UnaryOperator<List<CachedResponse>> change) throws IOException {
    String name = Digests.hex(key);
    ReentrantLock stripe = stripe(name);
    stripe.lock();
    try {
      List<CachedResponse> before = index.get(name) == null ? List.of() : read(name, key);
      List<CachedResponse> after = change.apply(before);
      if (after.isEmpty()) {
        remove(name);
      } else if (!after.equals(before)) {
        replace(name, key, after);
      }
    } finally {
      stripe.unlock();
    }
    makeRoom();
  }

  /** With the stripe's lock. */
  private void replace(String name, String key, List<CachedResponse> after) throws IOException {
    if (index.isClosed()) {
      throw new IOException("the store is closed");
    }
    byte[] file = HeadFormat.write(key, after);
    if (file.length > HeadFormat.MOST_BYTES) {
      throw new IOException("the fields of " + after.size() + " responses take " + file.length
          + " bytes, at most " + HeadFormat.MOST_BYTES + " are stored");
    }
    FileStreams.call(() -> {
      Path written = Files.write(directory.resolve(name + ".new"), file);
      return Files.move(
          written, head(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    });
    long size = file.length;
    Set<Long> contents = new HashSet<>();
    for (CachedResponse each : after) {
      Content.InFile content = (Content.InFile) each.content();
      if (contents.add(content.id())) {
        size += content.length();
      }
    }
    Set<Long> before = index.put(name, contents, size);
    if (before != null) {
      Set<Long> unused = new HashSet<>(before);
      unused.removeAll(contents);
      deleteContents(name, unused);
    }
  }

  @Override
  void remove(String name) throws IOException {
    ReentrantLock stripe = stripe(name);
    stripe.lock();
    try {
      Set<Long> contents = index.remove(name);
      if (contents != null) {
        FileStreams.call(() -> deleteFiles(name, contents));
      }
    } finally {
      stripe.unlock();
    }
  }

  /** The head first: without it the contents are garbage. */
  private boolean deleteFiles(String name, Set<Long> contents) throws IOException {
    boolean deleted = Files.deleteIfExists(head(name));
    for (long each : contents) {
      Files.deleteIfExists(body(name, each));
    }
    return deleted;
  }

  private void deleteContents(String name, Set<Long> contents) throws IOException {
    for (long each : contents) {
      FileStreams.call(() -> Files.deleteIfExists(body(name, each)));
    }
  }

  // ---- content

  @Override
  ContentWriter writer(String key, long limit) {
    return new FileContentWriter(Digests.hex(key), limit);
  }

  /** Small content is written once it is complete, larger content in pieces. */
  private final class FileContentWriter extends ContentWriter {
    private final String name;
    private final long id = ThreadLocalRandom.current().nextLong();
    private final CRC32C crc = new CRC32C();
    private byte[] buffer = {};
    private int buffered;
    private long length;
    private @Nullable OutputStream out;

    FileContentWriter(String name, long limit) {
      super(limit);
      this.name = name;
    }

    @Override
    boolean append(byte[] source, int offset, int count) throws IOException {
      if (!reserve(count)) {
        return false;
      }
      length += count;
      crc.update(source, offset, count);
      for (int done = 0; done < count; ) {
        if (buffered == buffer.length) {
          makeRoomInBuffer(count - done);
        }
        int n = Math.min(count - done, buffer.length - buffered);
        System.arraycopy(source, offset + done, buffer, buffered, n);
        buffered += n;
        done += n;
      }
      return true;
    }

    private void makeRoomInBuffer(int wanted) throws IOException {
      if (buffer.length < PIECE) {
        int capacity = Math.max(2 * buffer.length, Math.max(FIRST_BUFFER, buffered + wanted));
        buffer = Arrays.copyOf(buffer, Math.min(PIECE, capacity));
      } else {
        flush();
      }
    }

    private void flush() throws IOException {
      if (out == null) {
        out = FileStreams.create(body(name, id));
      }
      out.write(buffer, 0, buffered);
      buffered = 0;
    }

    @Override
    Content finish() throws IOException {
      if (length > 0) {
        flush();
      }
      if (out != null) {
        out.close();
      }
      index.add(-length); // Counted with the response from now on.
      return new Content.InFile(id, length, (int) crc.getValue());
    }

    @Override
    void drop() throws IOException {
      index.add(-length);
      buffer = new byte[0];
      if (out != null) {
        out.close();
        deleteContents(name, Set.of(id));
      }
    }
  }

  @Override
  void free(String key, Content content) throws IOException {
    deleteContents(Digests.hex(key), Set.of(((Content.InFile) content).id()));
  }

  @Override
  @Nullable
  Body open(String key, CachedResponse response) throws IOException {
    Content.InFile content = (Content.InFile) response.content();
    MediaType mediaType = response.mediaType();
    if (content.length() == 0) {
      return mediaType == null ? Body.empty() : Body.of(new byte[0], mediaType);
    }
    Path file = body(Digests.hex(key), content.id());
    try {
      return content.length() <= SMALL
          ? small(file, content, mediaType)
          : large(file, content, mediaType);
    } catch (InterruptedIOException e) {
      throw e;
    } catch (NoSuchFileException e) {
      return null; // It has made room for others.
    }
  }

  private static @Nullable Body small(
      Path file, Content.InFile content, @Nullable MediaType mediaType) throws IOException {
    byte[] bytes = FileStreams.call(() -> readFile(file, (int) content.length()));
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    if (bytes.length != content.length() || (int) crc.getValue() != content.checksum()) {
      return null;
    }
    return mediaType == null ? Body.of(bytes) : Body.of(bytes, mediaType);
  }

  /** Opened before it is verified, so that it stays readable if it is deleted in between. */
  private static @Nullable Body large(
      Path file, Content.InFile content, @Nullable MediaType mediaType) throws IOException {
    InputStream opened = FileStreams.open(file);
    boolean valid = false;
    try {
      valid = FileStreams.call(() -> isUndamaged(file, content));
      return valid ? new FileBody(opened, content.length(), mediaType) : null;
    } finally {
      if (!valid) {
        opened.close();
      }
    }
  }

  private static boolean isUndamaged(Path file, Content.InFile content) throws IOException {
    CRC32C crc = new CRC32C();
    byte[] piece = new byte[PIECE];
    long length = 0;
    try (InputStream in = Files.newInputStream(file)) {
      for (int n; (n = in.read(piece)) >= 0; length += n) {
        crc.update(piece, 0, n);
      }
    }
    return length == content.length() && (int) crc.getValue() == content.checksum();
  }

  @Override
  public void close() throws IOException {
    index.close();
    directoryLock.close();
  }
}
