package heddle.httpserver;

import com.sun.net.httpserver.Authenticator;
import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A path of a server and what answers there. May be changed while requests are answered. */
final class Context extends HttpContext {
  private final HttpServer server;
  private final String path;
  private final Map<String, Object> attributes = new ConcurrentHashMap<>();
  private final List<Filter> filters = new CopyOnWriteArrayList<>();
  private volatile @Nullable HttpHandler handler;
  private volatile @Nullable Authenticator authenticator;

  Context(HttpServer server, String path, @Nullable HttpHandler handler) {
    this.server = server;
    this.path = path;
    this.handler = handler;
  }

  @Override
  public @Nullable HttpHandler getHandler() {
    return handler;
  }

  @Override
  public void setHandler(HttpHandler newHandler) {
    Objects.requireNonNull(newHandler, "handler");
    if (handler != null) {
      throw new IllegalArgumentException(path + " has a handler already");
    }
    handler = newHandler;
  }

  @Override
  public String getPath() {
    return path;
  }

  @Override
  public HttpServer getServer() {
    return server;
  }

  @Override
  public Map<String, Object> getAttributes() {
    return attributes;
  }

  @Override
  public List<Filter> getFilters() {
    return filters;
  }

  @Override
  public @Nullable Authenticator setAuthenticator(@Nullable Authenticator newAuthenticator) {
    Authenticator old = authenticator;
    authenticator = newAuthenticator;
    return old;
  }

  @Override
  public @Nullable Authenticator getAuthenticator() {
    return authenticator;
  }
}
