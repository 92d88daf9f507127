package heddle.jersey.server;

import jakarta.ws.rs.SeBootstrap;
import jakarta.ws.rs.core.Application;
import org.glassfish.jersey.server.JerseySeBootstrapConfiguration;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.spi.WebServer;
import org.glassfish.jersey.server.spi.WebServerProvider;
import org.jspecify.annotations.Nullable;

/** Lets {@link SeBootstrap} start {@link HeddleServer}s; found by Jersey. */
public final class HeddleServerProvider implements WebServerProvider {
  /** For Jersey. */
  public HeddleServerProvider() {}

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
    return WebServerProvider.isSupportedWebServer(HeddleServer.class, type, configuration)
        ? createServer(type, ResourceConfig.forApplicationClass(application), configuration)
        : null;
  }
}
