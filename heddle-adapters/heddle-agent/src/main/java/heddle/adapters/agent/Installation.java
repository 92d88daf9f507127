package heddle.adapters.agent;

import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.reflect.Field;
import java.net.URL;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Installs the agent: prepares the replacements, and says what they are. It loads neither Heddle
 * nor the classes that it replaces, so that programs without HTTP pay next to nothing.
 */
public final class Installation implements ClassFileTransformer {
  private static final String HTTP_CLIENT = "java/net/http/HttpClient";

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
    boolean jdk = replaced.contains(Selection.Target.JDK.title());
    boolean urls = replaced.contains(Selection.Target.URLCONNECTION.title());
    if (!urls) {
      selection.targets().remove(Selection.Target.URLCONNECTION);
    }
    if (jdk) {
      prepareReading(instrumentation);
      // Stays registered: if another agent retransforms HttpClient, all start from the JDK's bytes.
      instrumentation.addTransformer(new Installation(), true);
    }
    if (later && jdk) {
      rewriteLoaded(instrumentation);
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
    String needed = target == Selection.Target.JDK ? "java.net.http" : "java.base";
    for (String each : List.of(needed, "jdk.jfr")) {
      if (ModuleLayer.boot().findModule(each).isEmpty()) {
        return each;
      }
    }
    return null;
  }

  /**
   * Once there is a transformer, the JVM adds a read edge from the module of each changed class to
   * this module. The JDK classes that record such edges must be loaded before. Otherwise loading
   * them would need themselves, and fail for the rest of the process (ClassCircularityError).
   */
  private static void prepareReading(Instrumentation instrumentation) {
    instrumentation.redefineModule(
        Instrumentation.class.getModule(),
        Set.of(Installation.class.getModule()),
        Map.of(),
        Map.of(),
        Set.of(),
        Map.of());
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

  private static void rewriteLoaded(Instrumentation instrumentation) {
    try {
      for (Class<?> each : instrumentation.getAllLoadedClasses()) {
        if (each.getName().equals("java.net.http.HttpClient")) {
          instrumentation.retransformClasses(each);
        }
      }
    } catch (UnmodifiableClassException e) {
      Hooks.say("java.net.http stays the JDK's own: this JVM does not allow it to be changed");
    }
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] bytes) {
    return HTTP_CLIENT.equals(name) ? rewritten(bytes) : null;
  }

  private static byte @Nullable [] rewritten(byte[] bytes) {
    try {
      return HttpClientRewriting.rewritten(bytes);
    } catch (RuntimeException | LinkageError e) {
      Hooks.say("java.net.http stays the JDK's own: " + e);
      return null;
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
