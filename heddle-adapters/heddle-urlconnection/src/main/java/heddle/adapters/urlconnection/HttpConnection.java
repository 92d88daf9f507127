package heddle.adapters.urlconnection;

import heddle.http.Status;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Authenticator;
import java.net.HttpURLConnection;
import java.net.ProtocolException;
import java.net.Proxy;
import java.net.URL;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An {@code HttpURLConnection} for an http URL. */
final class HttpConnection extends HttpURLConnection {
  private final Exchange exchange;
  private final @Nullable Proxy proxy;
  private @Nullable Authenticator authenticator;

  /** The options, from when they may no longer change. */
  private @Nullable Options fixed;

  /**
   * @param proxy null to ask the default ProxySelector
   */
  HttpConnection(URL url, @Nullable Proxy proxy) {
    super(url);
    this.exchange = new Exchange(url, proxy);
    this.proxy = proxy;
  }

  /** The options; they can no longer change. */
  private Options options() {
    Options known = fixed;
    if (known == null) {
      known = new Options(
          method,
          doInput,
          doOutput,
          fixedContentLengthLong >= 0 ? fixedContentLengthLong : fixedContentLength,
          chunkLength > 0,
          instanceFollowRedirects,
          getConnectTimeout(),
          getReadTimeout(),
          ifModifiedSince,
          useCaches,
          connected ? Map.of() : super.getRequestProperties(),
          proxy,
          authenticator,
          null);
      fixed = known;
      connected = true;
    }
    return known;
  }

  @Override
  public void setAuthenticator(Authenticator given) {
    if (fixed != null) {
      throw new IllegalStateException("Already connected");
    }
    authenticator = Objects.requireNonNull(given, "authenticator");
  }

  @Override
  public void connect() throws IOException {
    exchange.connect(options());
  }

  @Override
  public void disconnect() {
    exchange.disconnect();
  }

  @Override
  public boolean usingProxy() {
    return exchange.usesProxy();
  }

  @Override
  public URL getURL() {
    return exchange.url();
  }

  // ---- content

  @Override
  public OutputStream getOutputStream() throws IOException {
    if (!doOutput) {
      throw new ProtocolException(
          "cannot write to a URLConnection if doOutput=false - call setDoOutput(true)");
    }
    if (method.equals("GET")) {
      method = "POST";
    }
    if (method.equals("TRACE")) {
      throw new ProtocolException("HTTP method TRACE doesn't support output");
    }
    return exchange.output(options());
  }

  @Override
  public InputStream getInputStream() throws IOException {
    return exchange.input(options());
  }

  @Override
  public @Nullable InputStream getErrorStream() {
    return exchange.error();
  }

  // ---- the head of the response

  @Override
  public int getResponseCode() throws IOException {
    exchange.obtain(options());
    Status status = exchange.status();
    responseCode = status == null ? -1 : status.code();
    return responseCode;
  }

  @Override
  public @Nullable String getResponseMessage() throws IOException {
    int code = getResponseCode();
    Status status = exchange.status();
    return code < 0 || status == null || status.reason().isEmpty() ? null : status.reason();
  }

  private ResponseFields fields() {
    try {
      exchange.obtain(options());
    } catch (IOException e) {
      // As documented: without a response there are no fields, and getInputStream says why.
      return exchange.fields();
    }
    return exchange.fields();
  }

  @Override
  public @Nullable String getHeaderField(String name) {
    return fields().value(name);
  }

  @Override
  public @Nullable String getHeaderField(int number) {
    return fields().value(number);
  }

  @Override
  public @Nullable String getHeaderFieldKey(int number) {
    return fields().name(number);
  }

  @Override
  public Map<String, List<String>> getHeaderFields() {
    return fields().map();
  }

  // ---- the fields of the request

  @Override
  public @Nullable String getRequestProperty(String name) {
    if (name == null || RequestFields.isSecret(name)) {
      return null;
    }
    Options known = fixed;
    return known == null ? super.getRequestProperty(name) : known.field(name);
  }

  @Override
  public Map<String, List<String>> getRequestProperties() {
    return RequestFields.shown(super.getRequestProperties());
  }
}
