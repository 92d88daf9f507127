package heddle.build;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Stream;

/**
 * Loads javac's plugins and annotation processors once for all modules of a build. On its own,
 * javac loads and interprets Error Prone anew for each of some 110 compilations, and needs a second
 * for that. javac finds this class by the option {@code -XDprocloader}, and does without it where
 * it is not there. Compilations use the classes at the same time.
 */
public final class SharedProcessors extends ClassLoader {

  private static final ConcurrentMap<List<String>, ClassLoader> LOADERS = new ConcurrentHashMap<>();

  /**
   * Called by javac.
   *
   * @param path the jars of the plugins and processors
   * @param javac the loader of javac itself
   */
  public SharedProcessors(URL[] path, ClassLoader javac) {
    super(shared(path, javac));
  }

  private static ClassLoader shared(URL[] path, ClassLoader javac) {
    List<String> key = Stream.of(path).map(URL::toExternalForm).toList();
    return LOADERS.computeIfAbsent(key, any -> new URLClassLoader(path, javac));
  }
}
