package heddle.testwatch;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The class path of a test, with other artifacts than the test itself has. */
public final class ClassPath {
  private ClassPath() {}

  /**
   * Returns a class loader of its own for all of the class path but the jars and folders whose
   * names contain {@code left}, behind {@code first}.
   */
  public static URLClassLoader without(String left, Path... first) throws MalformedURLException {
    List<URL> places = new ArrayList<>();
    for (Path each : first) {
      places.add(each.toUri().toURL());
    }
    for (String each : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path place = Path.of(each);
      if (!each.isEmpty() && !place.getFileName().toString().contains(left)) {
        places.add(place.toUri().toURL());
      }
    }
    return new URLClassLoader(places.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
  }
}
