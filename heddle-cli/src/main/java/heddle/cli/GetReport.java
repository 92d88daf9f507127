package heddle.cli;

import heddle.client.spi.AttemptInfo;
import heddle.client.spi.CallSummary;
import heddle.client.spi.ConnectionInfo;
import heddle.client.spi.ExchangeListener;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.Status;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** Tells on standard error what happens to a call, and at its end how long each part took. */
final class GetReport implements ExchangeListener {

  private final PrintStream err;
  private final boolean verbose;
  private HttpVersion version = HttpVersion.HTTP_1_1;
  private @Nullable String applicationProtocol;
  private @Nullable CallSummary summary;

  GetReport(PrintStream err, boolean verbose) {
    this.err = err;
    this.verbose = verbose;
  }

  private void say(String line) {
    if (verbose) {
      err.println(Terminal.printable(line));
    }
  }

  @Override
  public void resolved(
      AttemptInfo attempt, String host, List<InetAddress> addresses, Duration took) {
    String found =
        addresses.stream().map(InetAddress::getHostAddress).collect(Collectors.joining(", "));
    if (!found.equals(host)) {
      say("* %s is %s, looked up in %s".formatted(host, found, millis(took)));
    }
  }

  @Override
  public void connected(AttemptInfo attempt, SocketAddress address, Duration took) {
    say("* connected to %s in %s"
        .formatted(address.toString().replaceAll("^.*/", ""), millis(took)));
  }

  @Override
  public void secured(AttemptInfo attempt, @Nullable String protocol, Duration took) {
    applicationProtocol = protocol;
    say("* TLS handshake in %s".formatted(millis(took)));
  }

  @Override
  public void acquired(
      AttemptInfo attempt, ConnectionInfo connection, boolean reused, Duration took) {
    version = connection.version();
    if (reused) {
      say("* uses the connection again");
    }
    if (connection.proxy() != null) {
      say("* through the proxy %s".formatted(connection.proxy()));
    }
    SSLSession session = connection.tlsSession();
    if (session != null && !reused) {
      say("* %s, %s, ALPN %s"
          .formatted(
              session.getProtocol(),
              session.getCipherSuite(),
              applicationProtocol == null ? "none" : applicationProtocol));
      certificate(session);
    }
    request(attempt.request());
  }

  private void certificate(SSLSession session) {
    try {
      if (session.getPeerCertificates()[0] instanceof X509Certificate certificate) {
        say("* certificate of %s".formatted(certificate.getSubjectX500Principal()));
        say("* issued by %s, valid until %s"
            .formatted(
                certificate.getIssuerX500Principal(), certificate.getNotAfter().toInstant()));
      }
    } catch (SSLPeerUnverifiedException e) {
      say("* the server has shown no certificate");
    }
  }

  private void request(Request request) {
    say("> %s %s %s".formatted(request.method(), request.target(), version));
    if (!request.headers().contains(HeaderName.HOST)) {
      say("> Host: %s".formatted(request.origin().toString().replaceAll("^.*//", "")));
    }
    fields(">", request.headers());
  }

  @Override
  public void requestSent(AttemptInfo attempt, Duration took) {
    say("* request sent in %s".formatted(millis(took)));
  }

  @Override
  public void responseHead(AttemptInfo attempt, Status status, Headers fields, Duration took) {
    say("* response after %s".formatted(millis(took)));
    say("< %s %s %s".formatted(version, status.code(), status.reason()));
    fields("<", fields);
  }

  private void fields(String mark, Headers fields) {
    for (Headers.Field field : fields) {
      say("%s %s: %s"
          .formatted(
              mark, field.name(), field.name().isCredential() ? "***" : text(field.value())));
    }
    say(mark);
  }

  /** Octets of a field as UTF-8, which modern servers mean. */
  static String text(String octets) {
    return new String(octets.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }

  @Override
  public void attemptEnded(
      AttemptInfo attempt, @Nullable Status status, @Nullable IOException failure) {
    if (failure != null) {
      say("* failed: %s".formatted(failure.getMessage()));
    }
  }

  @Override
  public void callEnded(CallSummary ended) {
    summary = ended;
  }

  /** Prints a table of the times, over all requests of the call. */
  void timings() {
    CallSummary known = summary;
    if (known == null) {
      return;
    }
    row("lookup", known, Phase.RESOLVE);
    row("connect", known, Phase.CONNECT);
    row("TLS", known, Phase.TLS);
    row("send", known, Phase.SEND);
    row("first byte", known, Phase.AWAIT_HEAD);
    row("content", known, Phase.READ_BODY);
    row("total", millis(known.elapsed()));
    row("size", known.contentReceived() + " bytes");
    double seconds = Math.max(known.elapsed().toNanos(), 1) / 1e9;
    row("rate", String.format(Locale.ROOT, "%,.0f bytes/s", known.contentReceived() / seconds));
  }

  private void row(String name, CallSummary known, Phase phase) {
    row(name, millis(known.spent().getOrDefault(phase, Duration.ZERO)));
  }

  private void row(String name, String value) {
    err.printf("%-10s %18s%n", name, value);
  }

  private static String millis(Duration time) {
    return String.format(Locale.ROOT, "%.1f ms", time.toNanos() / 1e6);
  }
}
