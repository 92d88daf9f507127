package heddle.har;

import heddle.client.HttpClient;
import heddle.client.spi.AttemptInfo;
import heddle.client.spi.CallInfo;
import heddle.client.spi.CallSummary;
import heddle.client.spi.ConnectionInfo;
import heddle.client.spi.ExchangeListener;
import heddle.client.spi.Interceptor;
import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.MediaType;
import heddle.http.Redaction;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Shows what a client sends and receives as lines of text: {@code >} begins those of a request,
 * {@code <} those of a response, and {@code *} what else happens, with times. Thread-safe.
 *
 * <pre>{@code
 * HttpClient client = WireLog.create().attach(HttpClient.builder()).build();
 * }</pre>
 *
 * <p>By default the lines go to the {@link System.Logger} {@code heddle.wire} at the level DEBUG,
 * each after the number of its call. Control characters are spelt out, as in {@code \x1b}, so that
 * a peer can neither forge lines nor control a terminal; what a {@link Redaction} masks is not
 * shown. Fields are those of the client's steps, without those that frame the message.
 */
public final class WireLog {
  private final Sink sink;
  private final Redaction redaction;
  private final int contentBytes;

  /** A call holds no more than its two beginnings. */
  private final ContentRoom room = new ContentRoom(Long.MAX_VALUE);

  private final CallScope<Excerpts> scope = new CallScope<>();

  /** Takes the lines, by many threads at once; those of a call in their order. */
  @FunctionalInterface
  public interface Sink {
    /** Takes a line of a call, without a line break. */
    void line(CallInfo call, String line);

    /** Whether lines are wanted now; if not, none are made. True by default. */
    default boolean isOn() {
      return true;
    }
  }

  private WireLog(Builder builder) {
    sink = builder.sink;
    redaction = builder.redaction;
    contentBytes = builder.contentBytes;
  }

  /** A log with the defaults. */
  public static WireLog create() {
    return builder().build();
  }

  /** A builder with the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** Collects the settings of a log. Not safe for use by several threads. */
  public static final class Builder {
    private Sink sink = new LoggerSink();
    private Redaction redaction = Redaction.DEFAULTS;
    private int contentBytes;

    private Builder() {}

    /** Where the lines go; the logger {@code heddle.wire} by default. */
    public Builder sink(Sink sink) {
      this.sink = Objects.requireNonNull(sink, "sink");
      return this;
    }

    /** What is masked; {@link Redaction#DEFAULTS} unless it is set. */
    public Builder redaction(Redaction redaction) {
      this.redaction = Objects.requireNonNull(redaction, "redaction");
      return this;
    }

    /**
     * How much is shown of contents that are text, once they were read; nothing by default.
     *
     * @param bytes of each content, from its beginning
     * @throws IllegalArgumentException if it is negative
     */
    public Builder contentBytes(int bytes) {
      if (bytes < 0) {
        throw new IllegalArgumentException("contentBytes must not be negative, but was " + bytes);
      }
      contentBytes = bytes;
      return this;
    }

    /** Builds the log. */
    public WireLog build() {
      return new WireLog(this);
    }
  }

  private static final class LoggerSink implements Sink {
    private static final System.Logger LOG = System.getLogger("heddle.wire");

    @Override
    public void line(CallInfo call, String line) {
      LOG.log(Level.DEBUG, call.id() + " " + line);
    }

    @Override
    public boolean isOn() {
      return LOG.isLoggable(Level.DEBUG);
    }
  }

  /**
   * Shows the calls of the client that is built; a log may be attached to several clients.
   *
   * @return the builder
   */
  public HttpClient.Builder attach(HttpClient.Builder client) {
    client.listener(new Watch());
    return contentBytes == 0 ? client : client.interceptor(this::intercept);
  }

  /** The text with control characters but tab and line feed spelt out, as in {@code \x1b}. */
  public static String printable(String text) {
    var safe = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isISOControl(c) && c != '\t' && c != '\n') {
        safe.append(String.format("\\x%02x", (int) c));
      } else {
        safe.append(c);
      }
    }
    return safe.toString();
  }

  private void say(CallInfo call, String line) {
    sink.line(call, printable(line).replace("\n", "\\x0a"));
  }

  // ---- contents

  private Response intercept(Request request, Interceptor.Chain chain) throws IOException {
    if (!sink.isOn()) {
      return chain.proceed(request);
    }
    Excerpts excerpts = new Excerpts();
    Response response = scope.proceed(excerpts, excerpts.of(request), chain);
    return excerpts.of(response);
  }

  /** The beginnings of the contents of a call. */
  private final class Excerpts {
    /** Null while no attempt was made; set on the thread of the call. */
    private volatile @Nullable CallInfo call;

    /** Shows the request's content if that is in memory; used by the thread of the call. */
    private Runnable inMemory = () -> {};

    Request of(Request request) {
      Body body = request.body();
      ByteBuffer memory = body.inMemory();
      MediaType type = ContentText.typeOf(request.headers());
      if (body.length() == 0) {
        return request;
      }
      Capture capture = new Capture(contentBytes, room);
      if (memory != null) {
        byte[] beginning = new byte[Math.min(contentBytes, memory.remaining())];
        memory.get(beginning);
        capture.add(beginning, 0, beginning.length);
        inMemory = () -> show("> |", type, capture, body.length());
        return request;
      }
      return request.toBuilder()
          .body(new RecordedBody(
              body, capture, (how, failure) -> show("> |", type, capture, capture.length())))
          .build();
    }

    void begun(CallInfo of) {
      if (call == null) {
        call = of;
        inMemory.run();
      }
    }

    Response of(Response response) {
      Body body = response.body();
      if (body.length() == 0) {
        return response;
      }
      MediaType type = ContentText.typeOf(response.headers());
      Capture capture = new Capture(contentBytes, room);
      return response.withBody(new RecordedBody(
          body, capture, (how, failure) -> show("< |", type, capture, capture.length())));
    }

    /** Once: the memory is free then. */
    private void show(String mark, @Nullable MediaType type, Capture capture, long length) {
      CallInfo of = call;
      byte[] beginning = capture.beginning();
      capture.release();
      if (of == null || beginning == null || beginning.length == 0) {
        return;
      }
      String text = ContentText.beginning(beginning, type);
      if (text == null) {
        say(of, "%s %d bytes that are not text".formatted(mark, length));
        return;
      }
      String shown = ContentText.isForm(type) ? redaction.parameters(text) : text;
      shown.lines().forEach(line -> say(of, mark + " " + line));
      if (length > beginning.length) {
        say(of, "%s ... %d of %d bytes".formatted(mark, beginning.length, length));
      }
    }
  }

  // ---- what the client tells

  private final class Watch implements ExchangeListener {
    /** The versions of the connections of calls, which a response does not tell. */
    private final Map<Long, HttpVersion> versions = new ConcurrentHashMap<>();

    private void say(AttemptInfo attempt, String line) {
      WireLog.this.say(attempt.call(), line);
    }

    @Override
    public void resolved(
        AttemptInfo attempt, String host, List<InetAddress> addresses, Duration took) {
      if (sink.isOn()) {
        String found =
            addresses.stream().map(InetAddress::getHostAddress).collect(Collectors.joining(", "));
        if (!found.equals(host)) {
          say(attempt, "* %s is %s, looked up in %s".formatted(host, found, millis(took)));
        }
      }
    }

    @Override
    public void connected(AttemptInfo attempt, SocketAddress address, Duration took) {
      if (sink.isOn()) {
        String peer = address.toString().replaceAll("^.*/", "");
        say(attempt, "* connected to %s in %s".formatted(peer, millis(took)));
      }
    }

    @Override
    public void secured(AttemptInfo attempt, @Nullable String protocol, Duration took) {
      if (sink.isOn()) {
        String chosen = protocol == null ? "none" : protocol;
        say(attempt, "* TLS handshake in %s, ALPN %s".formatted(millis(took), chosen));
      }
    }

    @Override
    public void acquired(
        AttemptInfo attempt, ConnectionInfo connection, boolean reused, Duration took) {
      if (!sink.isOn()) {
        return;
      }
      versions.put(attempt.call().id(), connection.version());
      if (reused) {
        say(attempt, "* uses the connection again");
      }
      if (connection.proxy() != null) {
        say(attempt, "* through the proxy %s".formatted(connection.proxy()));
      }
      SSLSession session = connection.tlsSession();
      if (session != null && !reused) {
        say(attempt, "* %s, %s".formatted(session.getProtocol(), session.getCipherSuite()));
        certificate(attempt, session);
      }
      request(attempt, connection.version());
    }

    private void certificate(AttemptInfo attempt, SSLSession session) {
      try {
        if (session.getPeerCertificates()[0] instanceof X509Certificate certificate) {
          say(attempt, "* certificate of %s".formatted(certificate.getSubjectX500Principal()));
          say(
              attempt,
              "* issued by %s, valid until %s"
                  .formatted(
                      certificate.getIssuerX500Principal(),
                      certificate.getNotAfter().toInstant()));
        }
      } catch (SSLPeerUnverifiedException e) {
        say(attempt, "* the server has shown no certificate");
      }
    }

    private void request(AttemptInfo attempt, HttpVersion version) {
      Request request = attempt.request();
      say(
          attempt,
          "> %s %s %s".formatted(request.method(), redaction.target(request.target()), version));
      if (!request.headers().contains(HeaderName.HOST)) {
        say(attempt, "> Host: %s".formatted(request.origin().hostHeader()));
      }
      fields(attempt, ">", request.headers());
      Excerpts excerpts = scope.current();
      if (excerpts != null) {
        excerpts.begun(attempt.call());
      }
    }

    private void fields(AttemptInfo attempt, String mark, Headers fields) {
      for (Headers.Field field : fields) {
        HeaderName name = field.name();
        say(
            attempt,
            "%s %s: %s"
                .formatted(mark, name, ContentText.ofOctets(redaction.value(name, field.value()))));
      }
      say(attempt, mark);
    }

    @Override
    public void requestSent(AttemptInfo attempt, Duration took) {
      if (sink.isOn()) {
        say(attempt, "* request sent in %s".formatted(millis(took)));
      }
    }

    @Override
    public void responseHead(AttemptInfo attempt, Status status, Headers fields, Duration took) {
      if (sink.isOn()) {
        HttpVersion known = versions.get(attempt.call().id());
        HttpVersion version = known == null ? HttpVersion.HTTP_1_1 : known;
        say(attempt, "* response after %s".formatted(millis(took)));
        say(attempt, "< %s %s".formatted(version, status));
        fields(attempt, "<", fields);
      }
    }

    @Override
    public void attemptEnded(
        AttemptInfo attempt, @Nullable Status status, @Nullable IOException failure) {
      if (failure != null && sink.isOn()) {
        say(attempt, "* failed: %s".formatted(failure.getMessage()));
      }
    }

    @Override
    public void callEnded(CallSummary summary) {
      versions.remove(summary.call().id());
      if (summary.attempts() > 0 && sink.isOn()) {
        WireLog.this.say(
            summary.call(),
            "* %d bytes of content received, %s in all"
                .formatted(summary.contentReceived(), millis(summary.elapsed())));
      }
    }
  }

  private static String millis(Duration time) {
    return String.format(Locale.ROOT, "%.1f ms", time.toNanos() / 1e6);
  }
}
