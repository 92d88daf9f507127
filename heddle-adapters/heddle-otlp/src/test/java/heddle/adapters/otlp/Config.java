package heddle.adapters.otlp;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.opentelemetry.sdk.common.export.Compressor;
import io.opentelemetry.sdk.common.export.HttpSenderConfig;
import io.opentelemetry.sdk.common.export.MessageWriter;
import io.opentelemetry.sdk.common.export.ProxyOptions;
import io.opentelemetry.sdk.common.export.RetryPolicy;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import java.util.zip.GZIPOutputStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.X509TrustManager;

/** The settings of an exporter; only the endpoint unless a test sets more. */
final class Config implements HttpSenderConfig {
  static final Compressor GZIP = new Compressor() {
    @Override
    public String getEncoding() {
      return "gzip";
    }

    @Override
    public OutputStream compress(OutputStream out) throws IOException {
      return new GZIPOutputStream(out);
    }
  };

  private final URI endpoint;
  private Compressor compressor;
  private Duration timeout = Duration.ofSeconds(30);
  private Duration connectTimeout = Duration.ofSeconds(10);
  private Supplier<Map<String, List<String>>> headers = () -> null;
  private ProxyOptions proxy;
  private RetryPolicy retries;
  private SSLContext context;
  private X509TrustManager trust;
  private List<String> protocols = List.of();
  private ExecutorService executor;
  private long maxResponse = 4 << 20;

  Config(String endpoint) {
    this.endpoint = URI.create(endpoint);
  }

  static MessageWriter message(String text) {
    return new MessageWriter() {
      @Override
      public void writeMessage(OutputStream out) throws IOException {
        out.write(text.getBytes(UTF_8));
      }

      @Override
      public int getContentLength() {
        return text.length();
      }
    };
  }

  static MessageWriter failing(IOException failure) {
    return new MessageWriter() {
      @Override
      public void writeMessage(OutputStream out) throws IOException {
        throw failure;
      }

      @Override
      public int getContentLength() {
        return 1;
      }
    };
  }

  Config compressor(Compressor newCompressor) {
    compressor = newCompressor;
    return this;
  }

  Config timeout(Duration newTimeout) {
    timeout = newTimeout;
    return this;
  }

  Config connectTimeout(Duration newTimeout) {
    connectTimeout = newTimeout;
    return this;
  }

  Config headers(Supplier<Map<String, List<String>>> newHeaders) {
    headers = newHeaders;
    return this;
  }

  Config proxy(ProxyOptions newProxy) {
    proxy = newProxy;
    return this;
  }

  Config retries(RetryPolicy newRetries) {
    retries = newRetries;
    return this;
  }

  Config trust(SSLContext newContext, X509TrustManager newTrust) {
    context = newContext;
    trust = newTrust;
    return this;
  }

  Config protocols(List<String> newProtocols) {
    protocols = newProtocols;
    return this;
  }

  Config executor(ExecutorService newExecutor) {
    executor = newExecutor;
    return this;
  }

  Config maxResponse(long bytes) {
    maxResponse = bytes;
    return this;
  }

  @Override
  public URI getEndpoint() {
    return endpoint;
  }

  @Override
  public String getContentType() {
    return "application/x-protobuf";
  }

  @Override
  public Compressor getCompressor() {
    return compressor;
  }

  @Override
  public Duration getTimeout() {
    return timeout;
  }

  @Override
  public Duration getConnectTimeout() {
    return connectTimeout;
  }

  @Override
  public Supplier<Map<String, List<String>>> getHeadersSupplier() {
    return headers;
  }

  @Override
  public ProxyOptions getProxyOptions() {
    return proxy;
  }

  @Override
  public RetryPolicy getRetryPolicy() {
    return retries;
  }

  @Override
  public SSLContext getSslContext() {
    return context;
  }

  @Override
  public X509TrustManager getTrustManager() {
    return trust;
  }

  @Override
  public ExecutorService getExecutorService() {
    return executor;
  }

  @Override
  public long getMaxResponseBodySize() {
    return maxResponse;
  }

  @Override
  public List<String> getEnabledProtocols() {
    return protocols;
  }
}
