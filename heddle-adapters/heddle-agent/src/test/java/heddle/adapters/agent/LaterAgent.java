package heddle.adapters.agent;

import java.lang.instrument.Instrumentation;
import java.net.http.HttpClient;

/** A foreign agent: the JVM then calls the transformers of all agents for HttpClient again. */
public final class LaterAgent {
  private LaterAgent() {}

  /** Called by the JVM. */
  public static void premain(String arguments, Instrumentation instrumentation) throws Exception {
    instrumentation.retransformClasses(HttpClient.class);
  }
}
