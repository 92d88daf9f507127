package heddle.adapters.agent;

import java.lang.instrument.Instrumentation;

/**
 * A Java agent that puts the HTTP clients of the JDK on Heddle, for the whole process: {@code java
 * -javaagent:heddle-agent.jar ...}. The arguments are names, separated by commas: {@code jdk} for
 * java.net.http, {@code urlconnection} for HttpURLConnection, a name after a minus sign to leave it
 * out, and {@code quiet} to print nothing. Without names it replaces both.
 *
 * <p>It never fails the start of a JVM. If something cannot be replaced, it says so on the error
 * stream and the JDK's own is used.
 */
public final class HeddleAgent {
  // Compiled for old Java versions, so that it can tell their users what is missing.
  private static final int LEAST_JAVA = 21;

  private HeddleAgent() {}

  /** Called by the JVM before the {@code main} method of the program. */
  public static void premain(String arguments, Instrumentation instrumentation) {
    install(arguments, instrumentation, false);
  }

  /** Called by the JVM when the agent is attached to a running program. */
  public static void agentmain(String arguments, Instrumentation instrumentation) {
    install(arguments, instrumentation, true);
  }

  private static void install(String arguments, Instrumentation instrumentation, boolean later) {
    String given = arguments == null ? "" : arguments;
    try {
      int java = javaVersion(System.getProperty("java.specification.version", "0"));
      if (java < LEAST_JAVA) {
        say(given, "nothing was replaced: Heddle needs Java " + LEAST_JAVA + ", this is " + java);
        return;
      }
      Installation.install(given, instrumentation, later);
    } catch (RuntimeException | LinkageError e) {
      say(given, "nothing was replaced: " + e);
    }
  }

  private static int javaVersion(String specification) {
    String number = specification.startsWith("1.") ? specification.substring(2) : specification;
    return Integer.parseInt(number);
  }

  private static void say(String arguments, String text) {
    if (!arguments.contains("quiet")) {
      System.err.println("heddle-agent: " + text);
    }
  }
}
