package heddle.adapters.okhttp;

import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.List;

/** Checks at the first use that the OkHttp on the class path is one that the adapter can use. */
final class RequiredOkHttp {
  private static final String VERSION = "5.5.1";

  /** A method of a client that OkHttp 4 lacks. */
  private static final String NEEDED = "fastFallback";

  private static final ClassLoader LOADER = RequiredOkHttp.class.getClassLoader();

  private RequiredOkHttp() {}

  /**
   * @throws IllegalStateException if it is an older one; the message names its version and its jar
   */
  static void check() {
    Class<?> client;
    try {
      client = Class.forName("okhttp3.OkHttpClient", false, LOADER);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(
          "heddle-okhttp needs com.squareup.okhttp3:okhttp-jvm:" + VERSION, e);
    }
    try {
      client.getMethod(NEEDED);
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(
          "heddle-okhttp needs OkHttp " + VERSION + ", but OkHttp " + version()
              + " was loaded from "
              + client.getProtectionDomain().getCodeSource().getLocation() + found()
              + ": exclude com.squareup.okhttp3:okhttp from the dependency that brings it, such as"
              + " Retrofit, and keep com.squareup.okhttp3:okhttp-jvm:" + VERSION,
          e);
    }
  }

  /** Read by reflection, as the compiler would copy the constant. */
  private static Object version() {
    try {
      return Class.forName("okhttp3.OkHttp", false, LOADER).getField("VERSION").get(null);
    } catch (ReflectiveOperationException e) {
      return "of an unknown version";
    }
  }

  /** Further jars with OkHttp, which are hidden by the first. */
  private static String found() {
    try {
      List<URL> places = Collections.list(LOADER.getResources("okhttp3/OkHttpClient.class"));
      return places.size() < 2 ? "" : " (the class path has it in " + places + ")";
    } catch (IOException e) {
      return "";
    }
  }
}
