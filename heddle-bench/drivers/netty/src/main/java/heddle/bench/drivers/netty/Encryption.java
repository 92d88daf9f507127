package heddle.bench.drivers.netty;

import heddle.bench.driver.DriverConfig;
import io.netty.channel.Channel;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;

/** TLS for the connections to one server, with the JDK's provider like all clients. */
final class Encryption {

  private final SslContext context;
  private final String host;
  private final int port;

  Encryption(DriverConfig config) throws Exception {
    String protocol =
        config.isHttp2() ? ApplicationProtocolNames.HTTP_2 : ApplicationProtocolNames.HTTP_1_1;
    context = SslContextBuilder.forClient()
        .sslProvider(SslProvider.JDK)
        .trustManager(config.wire().trust().manager())
        .applicationProtocolConfig(new ApplicationProtocolConfig(
            ApplicationProtocolConfig.Protocol.ALPN,
            ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
            ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
            protocol))
        .build();
    host = config.target().getHost();
    port = config.port();
  }

  SslHandler handler(Channel channel) {
    return context.newHandler(channel.alloc(), host, port);
  }
}
