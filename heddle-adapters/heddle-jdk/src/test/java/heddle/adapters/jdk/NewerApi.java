package heddle.adapters.jdk;

import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.util.Optional;

/** Methods of the JDK that Java 21, for which these tests are compiled, has not. */
public final class NewerApi {
  /** Whether this JVM has them. */
  public static final boolean IS_THERE = Runtime.version().feature() >= 25;

  private NewerApi() {}

  static <T> BodyHandler<T> limiting(BodyHandler<T> handler, long capacity) {
    return call(BodyHandlers.class, BodyHandler.class, "limiting", handler, capacity);
  }

  static <T> BodySubscriber<T> limiting(BodySubscriber<T> subscriber, long capacity) {
    return call(BodySubscribers.class, BodySubscriber.class, "limiting", subscriber, capacity);
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // As the named method returns.
  private static <T> T call(
      Class<?> in, Class<?> limited, String method, Object delegate, long capacity) {
    try {
      return (T) in.getMethod(method, limited, long.class).invoke(null, delegate, capacity);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  /** The label of a response's connection. */
  public static Optional<?> connectionLabel(HttpResponse<?> response) {
    try {
      return (Optional<?>) HttpResponse.class.getMethod("connectionLabel").invoke(response);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }
}
