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
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A network of which each step may throw: connecting, accepting (before the engine has the channel
 * and after it has taken it), reading, writing, every call of a listener on the loop, every timer
 * and task. Whatever passes between the engine and the network is wrapped.
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

  /** Those that were given to the engine. */
  private final Queue<Channel> channels = new ConcurrentLinkedQueue<>();

  /** Which channel a listener has, by the listener, and why reading from it has failed. */
  private final Map<Object, Channel> listening =
      Collections.synchronizedMap(new IdentityHashMap<>());

  private final Map<Object, IOException> failedReads =
      Collections.synchronizedMap(new IdentityHashMap<>());

  FaultyNetwork(FaultPlan plan) {
    this.plan = plan;
  }

  Network over(Network network) {
    return (Network) wrap(Network.class, network);
  }

  /** How many channels of the engine are open. */
  int openChannels() {
    return (int) channels.stream().filter(Channel::isOpen).count();
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

  private @Nullable Object call(Object target, Method method, Object[] arguments) throws Throwable {
    Class<?>[] types = method.getParameterTypes();
    Object[] given = arguments == null ? new Object[0] : arguments.clone();
    for (int i = 0; i < given.length; i++) {
      given[i] = wrapIfNeeded(target instanceof Consumer<?> ? Channel.class : types[i], given[i]);
    }
    if (target instanceof Consumer<?> && method.getName().equals("accept")) {
      accept(target, method, given, (Channel) arguments[0]);
      return null;
    }
    if (target instanceof Channel channel && method.getName().equals("start")) {
      listening.put(arguments[0], channel);
    }
    if (target instanceof ChannelListener listener && readFails(listener, method, given)) {
      return null;
    }
    boolean loses = !losesNothing(method.getName());
    if (loses && isStep(method.getName())) {
      step(target, method);
    }
    Object result = invoke(target, method, given);
    if (result instanceof Channel channel) {
      channels.add(channel);
    }
    if (!loses) {
      step(target, method);
    }
    return wrapIfNeeded(method.getReturnType(), result);
  }

  private static Object invoke(Object target, Method method, Object[] given) throws Throwable {
    try {
      method.setAccessible(true);
      return method.invoke(target, given);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  /** Fails before the engine has the channel, or after; it is closed then, as TCP does it. */
  private void accept(Object target, Method method, Object[] given, Channel channel)
      throws Throwable {
    channels.add(channel);
    try {
      step(target, method);
      invoke(target, method, given);
      step(target, method);
    } catch (RuntimeException | Error e) {
      channel.close();
      throw e;
    }
  }

  /** The channel fails instead of giving bytes; its listener learns why when it is closed. */
  private boolean readFails(ChannelListener listener, Method method, Object[] given) {
    Channel channel = listening.get(listener);
    if (method.getName().equals("onBytes") && channel != null && plan.failsReads()) {
      try {
        plan.step("read of " + channel.getClass().getName());
      } catch (IOException e) {
        failedReads.put(listener, e);
        channel.abort();
        return true;
      }
    }
    IOException failure = failedReads.get(listener);
    if (method.getName().equals("onClosed") && failure != null) {
      given[0] = failure;
    }
    return method.getName().equals("onBytes") && failure != null;
  }

  private Object wrapIfNeeded(Class<?> type, Object value) {
    return value != null && Arrays.asList(WRAPPED).contains(type) ? wrap(type, value) : value;
  }

  private static boolean isStep(String method) {
    return switch (method) {
      case "connect", "write", "onBytes", "onEnd", "run" -> true;
      default -> false;
    };
  }

  /** These fail when they are done: without them the engine would know nothing of an end. */
  private boolean losesNothing(String method) {
    return method.equals("onClosed") || (method.equals("run") && !plan.losesTasks());
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
