package heddle.adapters.agent;

import java.net.URLStreamHandler;
import java.net.spi.URLStreamHandlerProvider;
import org.jspecify.annotations.Nullable;

/** Found by the JDK as a service in the agent's jar, when a program makes its first http URL. */
public final class UrlHandlers extends URLStreamHandlerProvider {
  /** Called by the JDK. */
  public UrlHandlers() {}

  @Override
  public @Nullable URLStreamHandler createURLStreamHandler(String protocol) {
    try {
      return Hooks.urlHandler(protocol);
    } catch (LinkageError e) {
      return null; // A JVM that is too old for the rest of the agent, which has said so.
    }
  }
}
