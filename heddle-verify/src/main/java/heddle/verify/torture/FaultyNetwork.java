package heddle.verify.torture;

import heddle.transport.Channel;
import heddle.transport.ChannelListener;
import heddle.transport.EventLoop;
import heddle.transport.Network;
import heddle.transport.Timer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A network of which each step may throw: connecting, accepting, writing, every call of a listener
 * on the loop, every timer and task. Whatever passes between the engine and the network is wrapped.
 */
final class FaultyNetwork {
  /** Whose calls are wrapped, by the type under which the engine knows them. */
  private static final Class<?>[] WRAPPED = {
    Network.class,
    Channel.class,
    EventLoop.class,
    Timer.class,
    ChannelListener.class,
    Runnable.class,
    Consumer.class
  };

  private final FaultPlan plan;
  private final Map<Object, Object> wrappers = Collections.synchronizedMap(new IdentityHashMap<>());

  private FaultyNetwork(FaultPlan plan) {
    this.plan = plan;
  }

  static Network over(Network network, FaultPlan plan) {
    return (Network) new FaultyNetwork(plan).wrap(Network.class, network);
  }

  /** The same wrapper each time, so that what is equal remains equal. */
  private Object wrap(Class<?> type, Object target) {
    if (Proxy.isProxyClass(target.getClass())) {
      return target;
    }
    return wrappers.computeIfAbsent(
        target,
        each -> Proxy.newProxyInstance(
            FaultyNetwork.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> call(each, method, arguments)));
  }

  private Object call(Object target, Method method, Object[] arguments) throws Throwable {
    Class<?>[] types = method.getParameterTypes();
    Object[] given = arguments == null ? new Object[0] : arguments.clone();
    for (int i = 0; i < given.length; i++) {
      given[i] = wrapIfNeeded(target instanceof Consumer<?> ? Channel.class : types[i], given[i]);
    }
    boolean loses = !losesNothing(method.getName());
    if (loses && isStep(method.getName())) {
      step(target, method);
    }
    Object result;
    try {
      method.setAccessible(true);
      result = method.invoke(target, given);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
    if (!loses) {
      step(target, method);
    }
    return wrapIfNeeded(method.getReturnType(), result);
  }

  private Object wrapIfNeeded(Class<?> type, Object value) {
    return value != null && Arrays.asList(WRAPPED).contains(type) ? wrap(type, value) : value;
  }

  private static boolean isStep(String method) {
    return switch (method) {
      case "connect", "accept", "write", "onBytes", "onEnd" -> true;
      default -> false;
    };
  }

  /** These fail when they are done: without them the engine would know nothing of an end. */
  private static boolean losesNothing(String method) {
    return method.equals("onClosed") || method.equals("run");
  }

  private void step(Object target, Method method) throws IOException {
    String what = method.getDeclaringClass().getSimpleName() + "." + method.getName() + " of "
        + target.getClass().getName().replaceFirst("/.*", "");
    try {
      plan.step(what);
    } catch (IOException e) {
      if (Arrays.asList(method.getExceptionTypes()).contains(IOException.class)) {
        throw e;
      }
      throw new UncheckedIOException(e);
    }
  }
}
