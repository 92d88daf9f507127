package heddle.httpserver;

import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The contexts of a server. Safe for use by many threads. */
final class Contexts {
  private final HttpServer server;
  private final boolean wholeSegments;
  private final ReentrantLock changing = new ReentrantLock();

  /** Never changed, but replaced under the lock. */
  private volatile List<Context> contexts = List.of();

  /**
   * @param wholeSegments whether the path of a context must end where a segment of a request's path
   *     ends; otherwise it may end anywhere
   */
  Contexts(HttpServer server, boolean wholeSegments) {
    this.server = server;
    this.wholeSegments = wholeSegments;
  }

  HttpContext create(String path, HttpHandler handler) {
    Objects.requireNonNull(handler, "handler");
    return add(path, handler);
  }

  HttpContext create(String path) {
    return add(path, null);
  }

  private HttpContext add(String path, @Nullable HttpHandler handler) {
    if (!path.startsWith("/")) {
      // Programs, and the JDK's tests, know this message.
      throw new IllegalArgumentException("Illegal value for path or protocol");
    }
    changing.lock();
    try {
      if (indexOf(path) >= 0) {
        throw new IllegalArgumentException("cannot add context to list: there is one for " + path);
      }
      Context context = new Context(server, path, handler);
      List<Context> more = new ArrayList<>(contexts);
      more.add(context);
      contexts = List.copyOf(more);
      return context;
    } finally {
      changing.unlock();
    }
  }

  private int indexOf(String path) {
    List<Context> all = contexts;
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).getPath().equals(path)) {
        return i;
      }
    }
    return -1;
  }

  void remove(String path) {
    Objects.requireNonNull(path, "path");
    changing.lock();
    try {
      removeAt(indexOf(path), path);
    } finally {
      changing.unlock();
    }
  }

  void remove(HttpContext context) {
    Objects.requireNonNull(context, "context");
    changing.lock();
    try {
      removeAt(contexts.indexOf(context), context.getPath());
    } finally {
      changing.unlock();
    }
  }

  private void removeAt(int index, String path) {
    if (index < 0) {
      throw new IllegalArgumentException("the server has no such context for " + path);
    }
    List<Context> fewer = new ArrayList<>(contexts);
    fewer.remove(index);
    contexts = List.copyOf(fewer);
  }

  /** The context with the longest path that is a prefix of this one; null if there is none. */
  @Nullable
  Context find(String path) {
    Context longest = null;
    for (Context each : contexts) {
      String own = each.getPath();
      if (matches(own, path)
          && (longest == null || own.length() > longest.getPath().length())) {
        longest = each;
      }
    }
    return longest;
  }

  private boolean matches(String own, String path) {
    if (!path.startsWith(own)) {
      return false;
    }
    return !wholeSegments
        || own.length() == path.length()
        || own.endsWith("/")
        || path.charAt(own.length()) == '/';
  }
}
