package heddle.adapters.jdk;

import java.lang.instrument.Instrumentation;
import java.net.http.HttpClient;

/** An agent of somebody else's: the JVM asks all others again what is to become of HttpClient. */
public final class LaterAgent {
  private LaterAgent() {}

  /** Called by the JVM. */
  public static void premain(String arguments, Instrumentation instrumentation) throws Exception {
    instrumentation.retransformClasses(HttpClient.class);
  }
}
