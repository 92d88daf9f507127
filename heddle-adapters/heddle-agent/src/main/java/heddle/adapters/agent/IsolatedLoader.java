package heddle.adapters.agent;

import java.io.DataInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * Loads Heddle from one entry of the agent's jar where the application does not find it, so that an
 * application may use another version of Heddle. One entry, as the JVM reads the names of all
 * entries of an agent's jar at each start. Thread-safe.
 */
final class IsolatedLoader extends ClassLoader {
  /**
   * The entry: the size of the rest; a number of classes; for each its name's hash code, position
   * in the rest and length, by hash code; then the classes. The build refuses names with the same
   * hash code.
   */
  private static final String PACKED = "/heddle-classes";

  private static final int INDEXED = 3 * Integer.BYTES;

  static {
    registerAsParallelCapable();
  }

  private final ByteBuffer packed;
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
    try (InputStream in = IsolatedLoader.class.getResourceAsStream(PACKED)) {
      if (in == null) {
        throw new FileNotFoundException("the agent's jar has no entry " + PACKED);
      }
      DataInputStream data = new DataInputStream(in);
      byte[] rest = new byte[data.readInt()];
      data.readFully(rest);
      packed = ByteBuffer.wrap(rest);
    }
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
    return defineClass(name, packed.array(), packed.getInt(at + 4), packed.getInt(at + 8));
  }

  /** The position in the index; negative if there is no such class. */
  private int find(int hash) {
    int low = 0;
    int high = packed.getInt(0) - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int at = Integer.BYTES + middle * INDEXED;
      int found = packed.getInt(at);
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
