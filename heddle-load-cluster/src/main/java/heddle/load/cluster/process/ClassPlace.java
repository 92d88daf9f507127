package heddle.load.cluster.process;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;

/** Locates classes, for the class paths of other JVMs. */
public final class ClassPlace {

  private ClassPlace() {}

  /**
   * The jar or folder that a class was loaded from.
   *
   * @throws IllegalStateException if that is not a file
   */
  public static Path of(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    if (source == null) {
      throw new IllegalStateException(type + " was loaded from no known place");
    }
    try {
      return Path.of(source.getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(type + " was loaded from " + source.getLocation(), e);
    }
  }
}
