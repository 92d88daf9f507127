package heddle.testwatch;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Class loaders for tests that need a different class path. */
public final class ClassPath {
  private ClassPath() {}

  /**
   * Returns a new class loader for the test's class path without the jars and folders whose file
   * names contain {@code excluded}.
   *
   * @param first jars and folders to search before the class path
   */
  public static URLClassLoader without(String excluded, Path... first)
      throws MalformedURLException {
    List<URL> places = new ArrayList<>();
    for (Path each : first) {
      places.add(each.toUri().toURL());
    }
    for (String each : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path place = Path.of(each);
      if (!each.isEmpty() && !place.getFileName().toString().contains(excluded)) {
        places.add(place.toUri().toURL());
      }
    }
    return new URLClassLoader(places.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
  }
}
