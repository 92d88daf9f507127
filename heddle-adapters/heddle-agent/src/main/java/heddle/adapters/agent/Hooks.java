package heddle.adapters.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.URLStreamHandler;
import java.net.spi.URLStreamHandlerProvider;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Called by the JDK's changed classes when a program makes its first client; only then is Heddle
 * loaded. If Heddle cannot be loaded, the program gets the JDK's own client. Thread-safe.
 */
public final class Hooks {
  private static final Set<String> FAILED = ConcurrentHashMap.newKeySet();

  /** Set when the agent is installed. */
  private static volatile Selection selection = Selection.of("-jdk,-urlconnection");

  private static volatile @Nullable Instrumentation instrumentation;

  private Hooks() {}

  static void install(Selection selected, Instrumentation given) {
    selection = selected;
    instrumentation = given;
  }

  /** Initialised on first use. */
  private static final class Isolated {
    static final IsolatedLoader LOADER = loader();

    private static IsolatedLoader loader() {
      try {
        return new IsolatedLoader("heddle.adapters.urlconnection.Tls", Hooks::openTls);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** The contexts of the JDK's SSL socket factories are in fields of this package. */
  private static void openTls(Module heddle) {
    Instrumentation opener = instrumentation;
    if (opener != null) {
      Installation.open(opener, "sun.security.ssl", heddle);
    }
  }

  /** Initialised on first use. */
  private static final class JdkClients {
    static final MethodHandle NEW_BUILDER = handle();

    private static MethodHandle handle() {
      try {
        Class<?> builders = Isolated.LOADER.loadClass("heddle.adapters.jdk.HeddleBuilders");
        Class<?> builder = Class.forName("java.net.http.HttpClient$Builder");
        return MethodHandles.publicLookup()
            .findStatic(builders, "newBuilder", MethodType.methodType(builder))
            .asType(MethodType.methodType(Object.class));
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Made by {@code HttpClient.newBuilder()}, and applied to the builder that it would return. */
  public static final class Builders implements UnaryOperator<Object> {
    /** Called by {@code HttpClient.newBuilder()}. */
    public Builders() {}

    @Override
    public Object apply(Object stock) {
      try {
        Object ours = (Object) JdkClients.NEW_BUILDER.invokeExact();
        return ours == null ? stock : ours;
      } catch (Throwable e) {
        failed(Selection.Target.JDK, e);
        return stock;
      }
    }
  }

  /** Returns Heddle's handler of http and https URLs; null for the JDK's, and other protocols. */
  static @Nullable URLStreamHandler urlHandler(String protocol) {
    boolean ours = protocol.equals("http") || protocol.equals("https");
    if (!ours || !selection.targets().contains(Selection.Target.URLCONNECTION)) {
      return null;
    }
    try {
      Class<?> provider =
          Isolated.LOADER.loadClass("heddle.adapters.urlconnection.HeddleUrlConnections");
      return ((URLStreamHandlerProvider) provider.getConstructor().newInstance())
          .createURLStreamHandler(protocol);
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      failed(Selection.Target.URLCONNECTION, e);
      return null;
    }
  }

  private static void failed(Selection.Target target, Throwable reason) {
    if (FAILED.add(target.title())) {
      say(target.title() + " stays the JDK's own: Heddle cannot be loaded: " + reason);
    }
  }

  /** Prints a line, unless the agent is to be quiet. */
  static void say(String text) {
    if (!selection.quiet()) {
      System.err.println("heddle-agent: " + text);
    }
  }
}
