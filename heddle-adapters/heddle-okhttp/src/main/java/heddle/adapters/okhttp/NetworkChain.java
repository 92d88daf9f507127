package heddle.adapters.okhttp;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * The chain that network interceptors get. Only its connection and its way to proceed differ from
 * the chain of OkHttp before it, which answers all other methods.
 */
final class NetworkChain implements InvocationHandler {
  private final Interceptor.Chain before;
  private final List<Interceptor> steps;
  private final int index;
  private final Request request;
  private final HeddleExchange exchange;
  private int calls;

  private NetworkChain(
      Interceptor.Chain before,
      List<Interceptor> steps,
      int index,
      Request request,
      HeddleExchange exchange) {
    this.before = before;
    this.steps = steps;
    this.index = index;
    this.request = request;
    this.exchange = exchange;
  }

  /** Sends the request of a chain through network interceptors. */
  static Response proceed(
      Interceptor.Chain before, List<Interceptor> steps, HeddleExchange exchange)
      throws IOException {
    return new NetworkChain(before, steps, -1, before.request(), exchange).next(before.request());
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] given)
      throws Throwable {
    String name = method.getName();
    if (name.startsWith("with")) {
      String what = given != null && given.length == 2 && given[0] instanceof Integer
          ? "Timeouts"
          : Character.toLowerCase(name.charAt(4)) + name.substring(5);
      throw new IllegalStateException(what + " can't be adjusted in a network interceptor");
    }
    return switch (name) {
      case "request" -> request;
      case "connection" -> exchange.connection();
      case "getEventListener" -> exchange.listener();
      case "proceed" -> proceed(given == null ? request : (Request) given[0]);
      case "equals" -> given != null && proxy == given[0];
      case "hashCode" -> System.identityHashCode(this);
      default -> {
        try {
          yield method.invoke(before, given);
        } catch (InvocationTargetException e) {
          throw e.getCause() == null ? e : e.getCause();
        }
      }
    };
  }

  private Response proceed(Request next) throws IOException {
    calls++;
    boolean same = next.url().host().equals(request.url().host())
        && next.url().port() == request.url().port();
    require(same, "retain the same host and port");
    require(calls == 1, "call proceed() exactly once");
    return next(next);
  }

  private Response next(Request next) throws IOException {
    if (index + 1 == steps.size()) {
      return exchange.execute(next);
    }
    NetworkChain rest = new NetworkChain(before, steps, index + 1, next, exchange);
    Object chain = Proxy.newProxyInstance(
        NetworkChain.class.getClassLoader(), new Class<?>[] {Interceptor.Chain.class}, rest);
    Response response = steps.get(index + 1).intercept((Interceptor.Chain) chain);
    rest.require(rest.calls == 1, "call proceed() exactly once");
    return response;
  }

  private void require(boolean kept, String rule) {
    if (!kept) {
      throw new IllegalStateException("network interceptor " + steps.get(index) + " must " + rule);
    }
  }
}
