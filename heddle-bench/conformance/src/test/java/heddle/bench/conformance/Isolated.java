package heddle.bench.conformance;

import heddle.bench.driver.Driver;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/**
 * One client as a race has it: its folder, the JDK, and what drivers implement. Nothing of this
 * test or of another client can be seen.
 */
final class Isolated implements AutoCloseable {

  private final String client;
  private final URLClassLoader loader;

  Isolated(String client, Path folder) throws IOException {
    List<URL> jars = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.jar")) {
      for (Path jar : files) {
        jars.add(jar.toUri().toURL());
      }
    }
    this.client = client;
    this.loader = new URLClassLoader(client, jars.toArray(URL[]::new), new OnlyDrivers());
  }

  /** Whose classes see the client alone, for threads that use it. */
  ClassLoader loader() {
    return loader;
  }

  /** A driver that is not started. */
  Driver driver() {
    List<String> found = new ArrayList<>();
    for (Driver each : ServiceLoader.load(Driver.class, loader)) {
      if (each.name().equals(client)) {
        return each;
      }
      found.add(each.name());
    }
    throw new AssertionError("there is no driver " + client + " in its folder, only " + found);
  }

  @Override
  public void close() throws IOException {
    loader.close();
  }

  /** The JDK and the types of drivers. */
  private static final class OnlyDrivers extends ClassLoader {

    private static final String API = Driver.class.getPackageName() + ".";

    OnlyDrivers() {
      super(ClassLoader.getPlatformClassLoader());
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      if (name.startsWith(API)) {
        return Isolated.class.getClassLoader().loadClass(name);
      }
      throw new ClassNotFoundException(name);
    }
  }
}
