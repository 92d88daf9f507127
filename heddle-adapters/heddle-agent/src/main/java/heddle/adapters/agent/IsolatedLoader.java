package heddle.adapters.agent;

import java.io.EOFException;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Loads Heddle from one entry of the agent's jar where the application does not find it, so that an
 * application may use another version of Heddle. One entry, as the JVM reads the names of all
 * entries of an agent's jar at each start; of it only what is needed is read. Thread-safe.
 */
final class IsolatedLoader extends ClassLoader {
  /**
   * The entry: the size of the index; for each class its name's hash code, position after the index
   * and length, by hash code; then the classes. The build refuses names with the same hash code.
   */
  private static final String PACKED = "heddle-classes";

  private static final int INDEXED = 3 * Integer.BYTES;

  static {
    registerAsParallelCapable();
  }

  private final ZipFile jar;
  private final ZipEntry packed;
  private final ByteBuffer index;
  private final String announced;
  private final Consumer<Module> announcement;

  /**
   * @param announced the name of a class
   * @param announcement called with the module of Heddle before that class is loaded
   */
  IsolatedLoader(String announced, Consumer<Module> announcement) throws IOException {
    super("heddle-agent", ClassLoader.getPlatformClassLoader());
    this.announced = announced;
    this.announcement = announcement;
    URL location = IsolatedLoader.class.getProtectionDomain().getCodeSource().getLocation();
    jar = new ZipFile(new File(URI.create(location.toString()))); // Open as long as the program.
    ZipEntry entry = jar.getEntry(PACKED);
    if (entry == null) {
      throw new FileNotFoundException("the agent's jar has no entry " + PACKED);
    }
    packed = entry;
    try (InputStream in = jar.getInputStream(packed)) {
      index = ByteBuffer.wrap(read(in, ByteBuffer.wrap(read(in, Integer.BYTES)).getInt()));
    }
  }

  private static byte[] read(InputStream in, int size) throws IOException {
    byte[] bytes = new byte[size];
    if (in.readNBytes(bytes, 0, size) < size) {
      throw new EOFException("the agent's jar was cut short");
    }
    return bytes;
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    int at = find(name.hashCode());
    if (at < 0) {
      throw new ClassNotFoundException(name);
    }
    if (name.equals(announced)) {
      announcement.accept(getUnnamedModule());
    }
    try (InputStream in = jar.getInputStream(packed)) {
      in.skipNBytes(Integer.BYTES + index.capacity() + index.getInt(at + 4));
      byte[] bytes = read(in, index.getInt(at + 8));
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  /** The position in the index; negative if there is no such class. */
  private int find(int hash) {
    int low = 0;
    int high = index.capacity() / INDEXED - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int at = middle * INDEXED;
      int found = index.getInt(at);
      if (found == hash) {
        return at;
      }
      if (found < hash) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -1;
  }
}
