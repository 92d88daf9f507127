package heddle.jersey.server;

import heddle.server.spi.Exchange;
import jakarta.ws.rs.core.GenericType;
import jakarta.ws.rs.ext.WriterInterceptor;
import java.lang.reflect.Type;
import java.util.function.Supplier;
import org.glassfish.jersey.inject.hk2.AbstractBinder;
import org.glassfish.jersey.internal.inject.Binding;
import org.glassfish.jersey.internal.inject.InjectionManager;
import org.glassfish.jersey.internal.inject.ReferencingFactory;
import org.glassfish.jersey.internal.util.collection.Ref;
import org.glassfish.jersey.process.internal.RequestScoped;

/** Lets applications inject the exchange, and watches the writing of content. */
final class HeddleBinder extends AbstractBinder {
  private static final GenericType<Ref<Exchange>> HOLDER = new GenericType<>() {};
  private static final Type HOLDER_TYPE = HOLDER.getType();

  private final Supplier<InjectionManager> injections;

  /**
   * @param injections asked when there are requests
   */
  HeddleBinder(Supplier<InjectionManager> injections) {
    this.injections = injections;
  }

  /** What holds the exchange of the request that the calling thread answers. */
  static Ref<Exchange> holder(InjectionManager injections) {
    return injections.getInstance(HOLDER_TYPE);
  }

  @Override
  protected void configure() {
    Binding<?, ?> exchange = bindFactory(() -> holder(injections.get()).get());
    exchange.to((Type) Exchange.class);
    // Objects that live longer than a request get a proxy.
    exchange.proxy(true);
    exchange.proxyForSameScope(false);
    exchange.in(RequestScoped.class);
    Binding<?, ?> holder = bindFactory(ReferencingFactory.<Exchange>referenceFactory());
    holder.to(HOLDER);
    holder.in(RequestScoped.class);
    bind(new CutInterceptor()).to(WriterInterceptor.class);
  }
}
