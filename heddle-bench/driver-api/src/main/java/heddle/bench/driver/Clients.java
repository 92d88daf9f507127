package heddle.bench.driver;

import heddle.bench.driver.AsyncClientDriver.AsyncExchange;
import heddle.bench.driver.ClientDriver.Exchange;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The clients that share the load of a driver, each with one connection over HTTP/2, for an API
 * that cannot be configured to open several. Used by one thread; its exchanges may run on many.
 *
 * <p>Over HTTP/2 each client opens its connection with {@link DriverConfig#opening()} before an
 * exchange of the load: such an API cannot connect without a request, some clients open a
 * connection for each concurrent call that finds none, and a request of the load may wait for later
 * ones. Any status is accepted.
 *
 * @param <C> the type of a client
 */
public final class Clients<C> implements Iterable<C> {

  private final List<C> clients = new ArrayList<>();
  /** Null over HTTP/1.1. */
  private @Nullable DriverRequest opening;

  private int limit;

  /** Creates it without a client. */
  public Clients() {}

  /**
   * Creates {@link DriverConfig#clientsOfOneConnection()} clients.
   *
   * @throws Exception the exception of the factory
   */
  public void start(DriverConfig config, Callable<? extends C> factory) throws Exception {
    start(config, config.clientsOfOneConnection(), config.wire().streams(), factory);
  }

  /**
   * Creates clients.
   *
   * @param limit how many exchanges a client may run at once, if there are several clients
   * @throws Exception the exception of the factory
   */
  public void start(DriverConfig config, int number, int limit, Callable<? extends C> factory)
      throws Exception {
    this.opening = config.isHttp2() ? config.opening() : null;
    this.limit = limit;
    for (int i = 0; i < number; i++) {
      clients.add(factory.call());
    }
  }

  /**
   * Opens the connections, and combines the clients' exchanges of a request into one.
   *
   * @param exchange creates the exchange of a request with a client
   * @throws Exception if a client could not connect over HTTP/2
   */
  public Exchange blocking(DriverRequest request, BiFunction<C, DriverRequest, Exchange> exchange)
      throws Exception {
    if (opening != null) {
      for (Exchange each : exchanges(opening, exchange)) {
        each.exchange();
      }
    }
    return Spread.blocking(exchanges(request, exchange), limit);
  }

  /** The same for asynchronous exchanges. */
  public AsyncExchange async(
      DriverRequest request, BiFunction<C, DriverRequest, AsyncExchange> exchange)
      throws Exception {
    if (opening != null) {
      for (AsyncExchange each : exchanges(opening, exchange)) {
        each.await();
      }
    }
    return Spread.async(exchanges(request, exchange), limit);
  }

  private <E> List<E> exchanges(DriverRequest request, BiFunction<C, DriverRequest, E> exchange) {
    if (clients.isEmpty()) {
      throw new IllegalStateException("the driver was not started");
    }
    return clients.stream().map(client -> exchange.apply(client, request)).toList();
  }

  /** The clients; none before {@link #start}. */
  @Override
  public Iterator<C> iterator() {
    return clients.iterator();
  }
}
