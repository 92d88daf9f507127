package heddle.bench.servers.netty;

import static java.nio.charset.StandardCharsets.US_ASCII;

import heddle.bench.driver.ServerConfig;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.IdentityCipherSuiteFilter;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import java.security.GeneralSecurityException;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** The handlers of each connection: HTTP/1.1 or HTTP/2, in cleartext or over TLS. */
final class Pipelines extends ChannelInitializer<Channel> {
  /** More than a request of a race has. */
  private static final int MOST_CONTENT = 64 << 20;

  private static final ByteBuf PREFACE = Unpooled.unreleasableBuffer(
      Unpooled.copiedBuffer("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", US_ASCII).asReadOnly());

  private final ServerConfig config;
  private final @Nullable SslContext tls;

  Pipelines(ServerConfig config) throws GeneralSecurityException {
    this.config = config;
    this.tls = encryption(config.tls());
  }

  private static @Nullable SslContext encryption(@Nullable SSLContext keys) {
    if (keys == null) {
      return null;
    }
    ApplicationProtocolConfig protocols = new ApplicationProtocolConfig(
        ApplicationProtocolConfig.Protocol.ALPN,
        ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
        ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
        ApplicationProtocolNames.HTTP_2,
        ApplicationProtocolNames.HTTP_1_1);
    return new JdkSslContext(
        keys,
        false,
        null,
        IdentityCipherSuiteFilter.INSTANCE,
        protocols,
        ClientAuth.NONE,
        null,
        false);
  }

  @Override
  protected void initChannel(Channel channel) {
    if (tls == null) {
      channel.pipeline().addLast(new Beginning());
    } else {
      channel.pipeline().addLast(tls.newHandler(channel.alloc()), new Negotiated());
    }
  }

  private void addHttp1(ChannelPipeline pipeline) {
    pipeline.addLast(new HttpServerCodec());
    addAnswering(pipeline);
  }

  private void addHttp2(ChannelPipeline pipeline) {
    Http2Settings settings = Http2Settings.defaultSettings();
    if (config.isTuned()) {
      settings.maxConcurrentStreams(ServerConfig.MOST_STREAMS);
    }
    pipeline.addLast(
        Http2FrameCodecBuilder.forServer().initialSettings(settings).build(),
        new Http2MultiplexHandler(new ChannelInitializer<>() {
          @Override
          protected void initChannel(Channel stream) {
            stream.pipeline().addLast(new Http2StreamFrameToHttpObjectCodec(true));
            addAnswering(stream.pipeline());
          }
        }));
  }

  private void addAnswering(ChannelPipeline pipeline) {
    pipeline.addLast(new HttpObjectAggregator(MOST_CONTENT), new Answering(config));
  }

  /** Over TLS, what was negotiated. */
  private final class Negotiated extends ApplicationProtocolNegotiationHandler {
    Negotiated() {
      super(ApplicationProtocolNames.HTTP_1_1);
    }

    @Override
    protected void configurePipeline(ChannelHandlerContext context, String protocol) {
      if (protocol.equals(ApplicationProtocolNames.HTTP_2)) {
        addHttp2(context.pipeline());
      } else {
        addHttp1(context.pipeline());
      }
    }
  }

  /** In cleartext, what the client begins with. */
  private final class Beginning extends ByteToMessageDecoder {
    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
      int seen = Math.min(in.readableBytes(), PREFACE.readableBytes());
      boolean isHttp2 = in.slice(in.readerIndex(), seen).equals(PREFACE.slice(0, seen));
      if (isHttp2 && seen < PREFACE.readableBytes()) {
        return;
      }
      if (isHttp2) {
        addHttp2(context.pipeline());
      } else {
        addHttp1(context.pipeline());
      }
      context.pipeline().remove(this);
    }
  }
}
