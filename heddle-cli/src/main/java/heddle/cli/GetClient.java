package heddle.cli;

import heddle.cli.value.SpanConverter;
import heddle.client.HttpClient;
import heddle.client.settings.DecodingLimits;
import heddle.client.settings.RedirectPolicy;
import heddle.client.settings.Timeouts;
import heddle.client.spi.BasicAuthenticator;
import heddle.client.spi.Proxy;
import heddle.cookies.CookieFile;
import heddle.cookies.Rfc6265CookieStore;
import heddle.http.HeaderName;
import heddle.http.HttpVersion;
import heddle.http.Origin;
import heddle.http.Request;
import heddle.transport.tls.TlsOptions;
import java.io.Console;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of a request for how it is made: redirects, credentials, proxy, TLS, times. */
final class GetClient {

  /** Effectively no limit, because the user can end it with Ctrl-C. */
  private static final Duration FOREVER = Duration.ofDays(365);

  /** Longer than the client's default, because a user at a terminal can see that it takes long. */
  private static final Duration CONNECT = Duration.ofSeconds(30);

  private static final Duration SILENCE = Duration.ofMinutes(5);

  private static final int REDIRECTS = 50;

  @Option(
      names = {"-L", "--location"},
      description = "Follow redirects, up to 50, and none from https to http.")
  private boolean follow;

  @Option(
      names = {"-u", "--user"},
      paramLabel = "USER[:PASSWORD]",
      description = "Send them by the Basic scheme, to this server alone; asks for the password.")
  private @Nullable String user;

  @Option(
      names = {"-b", "--cookie"},
      paramLabel = "NAME=VALUE|FILE",
      description = "Cookies to send: as text, or from a file as curl writes it.")
  private List<String> cookies = List.of();

  @Option(
      names = {"-c", "--cookie-jar"},
      paramLabel = "FILE",
      description = "Keep cookies in FILE between runs, in curl's format.")
  private @Nullable Path jar;

  @Option(
      names = {"-x", "--proxy"},
      paramLabel = "[SCHEME://][USER:PASSWORD@]HOST:PORT",
      description = "An http, https or socks5 proxy.")
  private @Nullable String proxy;

  @Option(
      names = "--compressed",
      description = "Ask for gzip or deflate, and write what is compressed in it.")
  private boolean compressed;

  @Option(
      names = "--http",
      paramLabel = "1.1|2",
      description = "The HTTP version (default: the best with https, else 1.1).")
  private @Nullable String version;

  @Option(
      names = {"-m", "--timeout"},
      paramLabel = "SECONDS",
      converter = SpanConverter.class,
      description = "Limit for everything from the name lookup to the last byte (default: none).")
  private @Nullable Duration timeout;

  @Option(
      names = "--silence",
      paramLabel = "SECONDS",
      converter = SpanConverter.class,
      description = "How long the server may send nothing (default: 300, or --timeout if given).")
  private @Nullable Duration silence;

  @Mixin
  private ClientTls tls = new ClientTls();

  private @Nullable Rfc6265CookieStore store;

  /** Adds what these options say of the request. */
  void fill(Request.Builder request) {
    request.deadline(timeout == null ? FOREVER : timeout).version(version());
    List<String> pairs = cookies.stream().filter(each -> each.contains("=")).toList();
    if (!pairs.isEmpty()) {
      request.header(HeaderName.COOKIE, String.join("; ", pairs));
    }
  }

  private @Nullable HttpVersion version() {
    if (version == null) {
      return null;
    }
    if (!version.equals("1.1") && !version.equals("2")) {
      throw new IllegalArgumentException("--http is 1.1 or 2, not " + version);
    }
    return version.equals("2") ? HttpVersion.HTTP_2 : HttpVersion.HTTP_1_1;
  }

  /**
   * A client for a request to this origin. By default it shows the response as the server sends it.
   *
   * @throws IOException if a file cannot be used
   * @throws IllegalArgumentException if an option is wrong
   */
  HttpClient.Builder client(Origin origin) throws IOException {
    HttpClient.Builder client = HttpClient.builder()
        .redirects(
            follow ? RedirectPolicy.builder().most(REDIRECTS).build() : RedirectPolicy.never())
        .contentCodings(compressed ? DecodingLimits.DEFAULTS : null)
        .timeouts(timeouts());
    if (origin.isSecure() || tls.isGiven()) {
      client.tls(tls.options());
    } else {
      // Reading the authorities of the JDK takes longer than a whole request without TLS.
      client.tls(this::usualTls);
    }
    if (proxy != null) {
      client.proxy(Proxy.parse(proxy));
    }
    if (user != null) {
      client.authenticator(credentials(origin, user));
    }
    addCookies(client);
    return client;
  }

  private TlsOptions usualTls() {
    try {
      return tls.options();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Timeouts timeouts() {
    Duration quiet = silence;
    if (quiet == null) {
      quiet = timeout == null ? SILENCE : FOREVER;
    }
    return Timeouts.builder().connect(CONNECT).tls(CONNECT).silence(quiet).build();
  }

  private static BasicAuthenticator credentials(Origin origin, String given) {
    int colon = given.indexOf(':');
    String name = colon < 0 ? given : given.substring(0, colon);
    String password = colon < 0 ? asked(name) : given.substring(colon + 1);
    return BasicAuthenticator.forOrigin(origin, name, password).preemptive();
  }

  @SuppressWarnings("SystemConsoleNull") // It is null without a terminal again since JDK 25.
  private static String asked(String name) {
    Console console = System.console();
    char[] typed = console == null || !console.isTerminal()
        ? null
        : console.readPassword("Password of %s: ", Terminal.printable(name));
    if (typed == null) {
      throw new IllegalArgumentException(
          "-u " + name + " has no password, and there is no terminal to ask for it: give -u " + name
              + ":PASSWORD");
    }
    return new String(typed);
  }

  private void addCookies(HttpClient.Builder client) throws IOException {
    List<Path> files = new ArrayList<>();
    for (String each : cookies) {
      if (!each.contains("=")) {
        files.add(GetContent.readable("-b", each));
      }
    }
    if (jar != null) {
      // Fails now if it cannot be written to.
      OutputFile.open(jar).close();
      if (Files.exists(jar)) {
        files.add(jar);
      }
    }
    if (jar != null || !files.isEmpty()) {
      Rfc6265CookieStore filled = Rfc6265CookieStore.create();
      for (Path file : files) {
        filled.restore(CookieFile.read(file));
      }
      client.cookies(filled);
      store = filled;
    }
  }

  /** Writes the cookies to the jar, if there is one. */
  void keepCookies() throws IOException {
    if (jar != null && store != null) {
      try (OutputFile file = OutputFile.open(jar)) {
        CookieFile.write(file.stream(), store.snapshot());
        file.complete();
      }
    }
  }
}
