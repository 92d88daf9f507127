package heddle.adapters.agent;

import java.io.IOException;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.lang.reflect.Field;
import java.net.URL;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Installs the agent: prepares the replacements, and says what they are. It does not load
 * Heddle, so that programs without HTTP pay next to nothing.
 */
public final class Installation {
  private static final String HTTP = "java.net.http";
  private static final String HTTP_CLIENT = "java.net.http.HttpClient";

  private static final String OTHERS = "; OkHttp and Apache HttpClient are not replaced (add"
      + " heddle-okhttp, heddle-apache5 or heddle-apache4 to the program)";

  private Installation() {}

  /** Called by {@link HeddleAgent} on a JVM that is new enough. */
  public static void install(String arguments, Instrumentation instrumentation, boolean later) {
    Selection selection = Selection.of(arguments);
    List<String> reasons = new ArrayList<>();
    List<String> replaced = new ArrayList<>();
    for (Selection.Target each : selection.targets()) {
      String missing = missing(each);
      if (missing == null) {
        replaced.add(each.title());
      } else {
        reasons.add(each.title() + " (this JVM has no module " + missing + ")");
      }
    }
    Hooks.install(selection, instrumentation);
    String failure =
        replaced.contains(Selection.Target.JDK.title()) ? redefine(instrumentation) : null;
    if (failure != null) {
      replaced.remove(Selection.Target.JDK.title());
      reasons.add(Selection.Target.JDK.title() + " (" + failure + ")");
    }
    boolean urls = replaced.contains(Selection.Target.URLCONNECTION.title());
    if (!urls) {
      selection.targets().remove(Selection.Target.URLCONNECTION);
    }
    if (later && urls && !LaterUrls.areOurs(instrumentation)) {
      replaced.remove(Selection.Target.URLCONNECTION.title());
      reasons.add("HttpURLConnection (http URLs were used before the agent was attached)");
    }
    Hooks.say(line(replaced, reasons, selection.unknown()));
  }

  private static String line(List<String> replaced, List<String> not, List<String> unknown) {
    StringBuilder line = new StringBuilder();
    line.append(
        replaced.isEmpty()
            ? "nothing was replaced"
            : String.join(" and ", replaced) + (replaced.size() > 1 ? " use" : " uses")
                + " Heddle");
    if (!not.isEmpty()) {
      line.append("; not replaced: ").append(String.join(", ", not));
    }
    if (!replaced.isEmpty()) {
      line.append(OTHERS);
    }
    if (!unknown.isEmpty()) {
      line.append("; unknown arguments: ")
          .append(String.join(", ", unknown))
          .append(" (known are jdk, urlconnection and quiet)");
    }
    return line.toString();
  }

  /** The module that this JVM was started without and that a replacement needs; null for none. */
  private static @Nullable String missing(Selection.Target target) {
    String needed = target == Selection.Target.JDK ? HTTP : "java.base";
    for (String each : List.of(needed, "jdk.jfr")) {
      if (ModuleLayer.boot().findModule(each).isEmpty()) {
        return each;
      }
    }
    return null;
  }

  /** Opens a package of java.base. */
  static void open(Instrumentation instrumentation, String opened, Module to) {
    instrumentation.redefineModule(
        Object.class.getModule(),
        Set.of(),
        Map.of(),
        Map.of(opened, Set.of(to)),
        Set.of(),
        Map.of());
  }

  /**
   * Redefines {@code HttpClient}. With a transformer instead, the JVM would read the bytes of each
   * class that it loads. If another agent retransforms the class, the JVM starts from these bytes.
   *
   * @return why it failed; null if it did not
   */
  private static @Nullable String redefine(Instrumentation instrumentation) {
    ModuleReference module =
        ModuleLayer.boot().configuration().findModule(HTTP).orElseThrow().reference();
    try (ModuleReader reader = module.open()) {
      ByteBuffer original =
          reader.read(HTTP_CLIENT.replace('.', '/') + ".class").orElseThrow();
      byte[] bytes = new byte[original.remaining()];
      original.get(bytes);
      reader.release(original);
      Class<?> client = Class.forName(HTTP_CLIENT, false, ClassLoader.getPlatformClassLoader());
      instrumentation.redefineClasses(
          new ClassDefinition(client, HttpClientRewriting.rewritten(bytes)));
      return null;
    } catch (IOException
        | ReflectiveOperationException
        | UnmodifiableClassException
        | RuntimeException
        | LinkageError e) {
      return e.toString();
    }
  }

  /** Checks what a URL opens; loaded only when the agent is attached to a running program. */
  private static final class LaterUrls {
    private LaterUrls() {}

    /** Makes the JDK look up its handlers again, and what it has found then. Does not connect. */
    static boolean areOurs(Instrumentation instrumentation) {
      try {
        forgetHandlers(instrumentation);
        return java.net
            .URI
            .create("http://localhost/")
            .toURL()
            .openConnection()
            .getClass()
            .getName()
            .startsWith("heddle.");
      } catch (IOException | ReflectiveOperationException | RuntimeException e) {
        return false;
      }
    }

    /** The JDK keeps the handler of each protocol for which there was a URL. */
    private static void forgetHandlers(Instrumentation instrumentation)
        throws ReflectiveOperationException {
      open(instrumentation, "java.net", Installation.class.getModule());
      Field handlers = URL.class.getDeclaredField("handlers");
      handlers.setAccessible(true);
      if (handlers.get(null) instanceof Map<?, ?> known) {
        known.remove("http");
        known.remove("https");
      }
    }
  }
}
