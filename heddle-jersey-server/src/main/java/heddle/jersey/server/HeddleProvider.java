package heddle.jersey.server;

import heddle.server.spi.ExchangeHandler;
import jakarta.ws.rs.SeBootstrap;
import jakarta.ws.rs.core.Application;
import org.glassfish.jersey.server.ContainerFactory;
import org.glassfish.jersey.server.JerseySeBootstrapConfiguration;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.spi.ContainerProvider;
import org.glassfish.jersey.server.spi.WebServer;
import org.glassfish.jersey.server.spi.WebServerProvider;
import org.jspecify.annotations.Nullable;

/**
 * Lets {@link SeBootstrap} start {@link HeddleServer}s and {@link ContainerFactory} make {@link
 * JerseyHandler}s; found by Jersey.
 */
public final class HeddleProvider implements ContainerProvider, WebServerProvider {
  /** For Jersey. */
  public HeddleProvider() {}

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

  @Override
  public <T extends WebServer> @Nullable T createServer(
      Class<T> type, Application application, SeBootstrap.Configuration configuration) {
    return WebServerProvider.isSupportedWebServer(HeddleServer.class, type, configuration)
        ? type.cast(
            new HeddleServer(application, JerseySeBootstrapConfiguration.from(configuration)))
        : null;
  }

  @Override
  public <T extends WebServer> @Nullable T createServer(
      Class<T> type,
      Class<? extends Application> application,
      SeBootstrap.Configuration configuration) {
    return createServer(type, ResourceConfig.forApplicationClass(application), configuration);
  }
}
