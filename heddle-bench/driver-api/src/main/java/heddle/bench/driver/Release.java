package heddle.bench.driver;

import java.security.CodeSource;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the release of a client or server by its jar. */
public final class Release {

  /** Such as {@code armeria-1.40.0.jar}, or {@code netty-common-4.2.20.Final.jar}. */
  private static final Pattern JAR = Pattern.compile(".*-(\\d[^/]*)\\.jar");

  private Release() {}

  /**
   * The version in the name of the jar that a type was loaded from; {@code unknown} without such a
   * jar.
   */
  public static String of(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    if (source == null) {
      return "unknown";
    }
    Matcher jar = JAR.matcher(source.getLocation().getPath());
    return jar.matches() ? jar.group(1) : "unknown";
  }
}
