package heddle.cache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.cache.HeadFormat.DamagedHeadException;
import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.Method;
import heddle.http.Response;
import heddle.http.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a store on disk contains after its program has exited or crashed. */
@Timeout(60)
final class DiskStoreTest {
  private static final int ROUNDS = Integer.getInteger("heddle.fuzz.rounds", 300);
  private static final String KEY = "http://example.com:80/../../etc/passwd?a=b&c=%00";

  @TempDir
  private Path folder;

  private Path directory;

  @BeforeEach
  void name() {
    directory = folder.resolve("a/cache");
  }

  private CacheStore open() throws IOException {
    return CacheStore.onDisk(directory, 1 << 20);
  }

  private void store(String key, byte[] content) throws IOException {
    try (CacheStore store = open()) {
      CacheStoreTest.put(store, key, content);
    }
  }

  /** The content that the store has; null if it has none. */
  private static byte[] read(CacheStore store, String key) throws IOException {
    List<CachedResponse> found = store.find(key);
    Body body = found.isEmpty() ? null : store.open(key, found.getFirst());
    return body == null ? null : body.bytes();
  }

  private List<Path> files(String end) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.filter(each -> each.toString().endsWith(end)).sorted().toList();
    }
  }

  @Test
  void responsesOutliveTheStore() throws Exception {
    byte[] large = CacheStoreTest.bytes(400_000, 1);
    store(KEY, large);
    try (CacheStore store = open()) {
      assertTrue(store.bytes() > 400_000);
      assertArrayEquals(large, read(store, KEY));
    }
  }

  @Test
  void allOfAResponseComesBack() throws Exception {
    Variant variant = new Variant(
        List.of(
            new Variant.Selecting(HeaderName.of("X-A"), "1"),
            new Variant.Selecting(HeaderName.ACCEPT, null)),
        null);
    Headers headers = Headers.of("ETag", "\"a\"", "X-B", "", "x-c", "\u00e9 \"", "X-B", "2");
    CachedResponse response = new CachedResponse(
        Status.NOT_FOUND,
        HttpVersion.HTTP_2,
        headers,
        variant,
        Long.MAX_VALUE,
        -1,
        new Content.InFile(-7, 1L << 40, -9));
    byte[] file = HeadFormat.write(KEY, List.of(response, response));
    List<CachedResponse> read = HeadFormat.read(file, KEY);
    assertEquals(List.of(response, response), read);
    assertEquals("x-c", read.getFirst().headers().name(2).toString());
  }

  @Test
  void namesOfFilesTellNothingOfTheUrl() throws Exception {
    store(KEY, new byte[10]);
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.filter(Files::isRegularFile).toList()) {
        assertEquals(directory, each.getParent());
        String name = each.getFileName().toString();
        assertTrue(name.matches("lock|[0-9a-f]{32}[.]head|[0-9a-f]{32}-[0-9a-f]{16}[.]body"), name);
      }
    }
    assertEquals(1, files(".head").size());
    assertEquals(1, files(".body").size());
    if (directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      assertEquals(
          "rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)));
    }
  }

  @Test
  void oneStoreAtATimeUsesADirectory() throws Exception {
    try (CacheStore ignored = open()) {
      IOException failure = assertThrows(IOException.class, this::open);
      assertTrue(failure.getMessage().contains("another store is open in"), failure::getMessage);
    }
    open().close();
  }

  @Test
  void filesOfOthersStay() throws Exception {
    store(KEY, new byte[10]);
    Path other = Files.writeString(directory.resolve("notes.head.txt"), "mine");
    try (CacheStore store = open()) {
      store.clear();
    }
    assertEquals("mine", Files.readString(other));
    assertEquals(List.of(), files(".head"));
    assertEquals(List.of(), files(".body"));
  }

  @Test
  void whatACrashHasLeftUnfinishedIsDeleted() throws Exception {
    store(KEY, new byte[10]);
    String name = Digests.hex("http://example.com:80/never");
    Files.write(directory.resolve(name + "-0123456789abcdef.body"), new byte[5]);
    Files.write(directory.resolve(name + ".new"), new byte[5]);
    try (CacheStore store = open()) {
      assertEquals(1, files(".body").size());
      assertEquals(List.of(), files(".new"));
      assertEquals(10, read(store, KEY).length);
    }
  }

  @Test
  void contentThatACrashHasLeftWithoutAResponseIsDeletedWithTheNextChange() throws Exception {
    store(KEY, new byte[10]);
    Files.write(directory.resolve(Digests.hex(KEY) + "-0123456789abcdef.body"), new byte[5]);
    try (CacheStore store = open()) {
      CacheStoreTest.put(store, KEY, new byte[20]);
      assertEquals(1, files(".body").size());
      assertEquals(20, read(store, KEY).length);
    }
  }

  @Test
  void contentIsNotVisibleBeforeItsResponseIs() throws Exception {
    try (CacheStore store = open()) {
      ContentWriter writer = store.writer(KEY, 200_000);
      writer.write(new byte[200_000], 0, 200_000);
      assertNull(read(store, KEY));
      assertEquals(1, files(".body").size());
      writer.abandon();
      assertEquals(List.of(), files(".body"));
    }
  }

  @Test
  void contentOfAResourceThatWasInvalidatedMeanwhileIsDeleted() throws Exception {
    try (CacheStore store = open()) {
      CacheScene scene = new CacheScene(store, settings -> settings);
      scene.server = request -> CacheScene.response(200, "CC: max-age=60", "")
          .withBody(Body.of(new ByteArrayInputStream(new byte[10])));
      Response late = scene.send(Method.GET, CacheScene.URL, "");
      scene.cache.invalidate(CacheScene.URL);
      assertEquals(10, late.bytes().length);
      assertEquals(List.of(), files(".body"));
      assertEquals(0, store.bytes());
    }
  }

  @Test
  void smallerBoundMakesRoomWhenTheStoreIsOpened() throws Exception {
    try (CacheStore store = open()) {
      CacheStoreTest.put(store, "old", new byte[10_000]);
      CacheStoreTest.put(store, "new", new byte[10_000]);
    }
    FileTime before = FileTime.fromMillis(1_000_000);
    Files.setLastModifiedTime(directory.resolve(Digests.hex("old") + ".head"), before);
    try (CacheStore store = CacheStore.onDisk(directory, 15_000)) {
      assertNull(read(store, "old"));
      assertEquals(10_000, read(store, "new").length);
      assertEquals(1, store.evicted());
    }
    assertEquals(1, files(".head").size());
  }

  @ParameterizedTest
  @ValueSource(ints = {1000, 400_000})
  void contentThatIsDeletedWhileItIsReadIsReadToItsEnd(int size) throws Exception {
    byte[] content = CacheStoreTest.bytes(size, 1);
    try (CacheStore store = open()) {
      CacheStoreTest.put(store, KEY, content);
      try (Body body = store.open(KEY, store.find(KEY).getFirst())) {
        store.clear();
        assertArrayEquals(content, body.bytes());
        if (size > 256 << 10) {
          assertThrows(IllegalStateException.class, body::stream);
        }
      }
    }
  }

  // ---- damage

  /** A change of a file that its length or checksum shows. */
  private static byte[] damaged(byte[] file, Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> Arrays.copyOf(file, random.nextInt(file.length));
      case 1 -> Arrays.copyOf(file, file.length + 1 + random.nextInt(100));
      case 2 -> new byte[random.nextInt(300)];
      default -> {
        byte[] changed = file.clone();
        changed[random.nextInt(file.length)] ^= (byte) (1 << random.nextInt(8));
        yield changed;
      }
    };
  }

  @Test
  void damagedEntriesAreMissesAndAreDeleted() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      byte[] content = CacheStoreTest.bytes(1 + random.nextInt(2000), round);
      store(KEY, content);
      List<Path> files = files(random.nextBoolean() ? ".head" : ".body");
      byte[] file = Files.readAllBytes(files.getFirst());
      Files.write(files.getFirst(), damaged(file, random));
      String which = "seed " + seed + ", round " + round + ", " + files;
      try (CacheStore store = open()) {
        FailSafeStore safe = new FailSafeStore(store, new Counters());
        List<CachedResponse> found = safe.find(KEY);
        assertTrue(found.isEmpty() || safe.open(KEY, found.getFirst()) == null, which);
        assertEquals(List.of(), store.find(KEY), which);
        assertEquals(0, store.bytes(), which);
      }
      assertEquals(List.of(), files(".head"), which);
      assertEquals(List.of(), files(".body"), which);
    }
  }

  @Test
  void damagedLargeContentIsAMiss() throws Exception {
    store(KEY, CacheStoreTest.bytes(400_000, 1));
    Path body = files(".body").getFirst();
    byte[] file = Files.readAllBytes(body);
    file[399_999] ^= 1;
    Files.write(body, file);
    try (CacheStore store = open()) {
      assertNull(store.open(KEY, store.find(KEY).getFirst()));
    }
  }

  /** With a checksum that is right, so that the parser has to notice. */
  @Test
  void anyBytesAreReadOrRefusedByName() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    CachedResponse response =
        CacheStoreTest.response(new Content.InFile(1, 2, 3), "ETag", "\"a\"", "Vary", "Accept");
    byte[] file = HeadFormat.write(KEY, List.of(response));
    int refused = 0;
    for (int round = 0; round < 30 * ROUNDS; round++) {
      byte[] changed = file.clone();
      for (int i = 1 + random.nextInt(3); i > 0; i--) {
        changed[8 + random.nextInt(file.length - 8)] = (byte) random.nextInt(256);
      }
      if (random.nextInt(4) == 0) {
        changed = Arrays.copyOf(changed, 8 + random.nextInt(file.length - 8));
      }
      HeadFormat.seal(changed);
      try {
        HeadFormat.read(changed, KEY);
      } catch (DamagedHeadException e) {
        refused++;
      } catch (RuntimeException | Error e) {
        throw new AssertionError("seed " + seed + ", round " + round, e);
      }
    }
    assertTrue(refused > 0);
    assertThrows(DamagedHeadException.class, () -> HeadFormat.read(file, "another"));
    assertThrows(DamagedHeadException.class, () -> HeadFormat.read(new byte[0], KEY));
  }

  @Test
  void storeThatFailsCostsNoCall() throws Exception {
    try (CacheStore store = open()) {
      CacheScene scene = new CacheScene(store, settings -> settings);
      scene.serve(200, "Cache-Control: max-age=60", "content");
      Files.delete(directory.resolve("lock"));
      Files.delete(directory);
      for (int i = 0; i < 2; i++) {
        assertEquals("content", scene.get("").string());
      }
      assertEquals(2, scene.received.size());
      assertEquals(2, scene.cache.statistics().failures());
      assertEquals(0, scene.cache.statistics().bytes());
      Files.createDirectory(directory);
      scene.get("");
      assertEquals("hit", CacheScene.outcome(scene.get("")));
    }
  }
}
