package heddle.adapters.okhttp;

import java.io.IOException;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Checks at the first use that the OkHttp on the class path is one that the adapter can use. */
final class RequiredOkHttp {
  private static final String VERSION = "5.5.1";

  /** A method of a client that OkHttp 4 lacks. */
  private static final String NEEDED = "fastFallback";

  private RequiredOkHttp() {}

  /**
   * @throws IllegalStateException if it is an older one; the message names its version and its jar
   */
  static void check() {
    Class<?> client = type("okhttp3.OkHttpClient");
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

  private static Class<?> type(String name) {
    try {
      return Class.forName(name, false, RequiredOkHttp.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(
          "heddle-okhttp needs com.squareup.okhttp3:okhttp-jvm:" + VERSION, e);
    }
  }

  /** Read by reflection, as the compiler would copy the constant. */
  private static Object version() {
    try {
      return type("okhttp3.OkHttp").getField("VERSION").get(null);
    } catch (ReflectiveOperationException | IllegalStateException e) {
      return "of an unknown version";
    }
  }

  /** Further jars with OkHttp, which are hidden by the first. */
  private static String found() {
    List<String> places = new ArrayList<>();
    try {
      for (URL each : Collections.list(
          RequiredOkHttp.class.getClassLoader().getResources("okhttp3/OkHttpClient.class"))) {
        places.add(each.toString());
      }
    } catch (IOException e) {
      return "";
    }
    return places.size() < 2 ? "" : " (the class path has it in " + places + ")";
  }
}
