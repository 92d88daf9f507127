package heddle.adapters.agent;

import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.jspecify.annotations.Nullable;

/**
 * Loads Heddle from a folder of the agent's jar where the application does not find it, so that an
 * application may use another version of Heddle. Thread-safe.
 */
final class IsolatedLoader extends ClassLoader {
  /** The folder in the jar. */
  static final String FOLDER = "heddle-isolated/";

  static {
    registerAsParallelCapable();
  }

  private final Path path;
  private final JarFile jar;

  IsolatedLoader(Path path) throws IOException {
    super("heddle-agent", ClassLoader.getPlatformClassLoader());
    this.path = path;
    this.jar = new JarFile(path.toFile(), false);
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] bytes;
    try {
      bytes = bytes(name.replace('.', '/') + ".class");
    } catch (IOException e) {
      throw new ClassNotFoundException(name + " cannot be read from " + path, e);
    }
    if (bytes == null) {
      throw new ClassNotFoundException(name);
    }
    return defineClass(name, bytes, 0, bytes.length);
  }

  private byte @Nullable [] bytes(String name) throws IOException {
    ZipEntry entry = jar.getEntry(FOLDER + name);
    if (entry == null) {
      return null;
    }
    try (InputStream in = jar.getInputStream(entry)) {
      return in.readAllBytes();
    }
  }

  @Override
  protected @Nullable URL findResource(String name) {
    if (jar.getEntry(FOLDER + name) == null) {
      return null;
    }
    try {
      return URI.create("jar:" + path.toUri() + "!/" + FOLDER + name).toURL();
    } catch (MalformedURLException e) {
      return null;
    }
  }

  @Override
  protected Enumeration<URL> findResources(String name) {
    URL found = findResource(name);
    return Collections.enumeration(found == null ? List.of() : List.of(found));
  }
}
