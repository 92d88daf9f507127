package heddle.jersey.server;

import heddle.server.spi.ExchangeHandler;
import jakarta.ws.rs.core.Application;
import org.glassfish.jersey.server.spi.ContainerProvider;
import org.jspecify.annotations.Nullable;

/** Lets {@code ContainerFactory} make {@link JerseyHandler}s; found by Jersey. */
public final class HeddleContainerProvider implements ContainerProvider {
  /** For Jersey. */
  public HeddleContainerProvider() {}

  /**
   * Makes a handler if one is asked for.
   *
   * @return null if the type is neither {@link JerseyHandler} nor {@link ExchangeHandler}
   */
  @Override
  public <T> @Nullable T createContainer(Class<T> type, Application application) {
    return type == JerseyHandler.class || type == ExchangeHandler.class
        ? type.cast(JerseyHandler.of(application))
        : null;
  }
}
