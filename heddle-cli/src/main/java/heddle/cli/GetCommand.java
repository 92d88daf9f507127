package heddle.cli;

import heddle.cli.value.SpanConverter;
import heddle.client.HttpClient;
import heddle.client.settings.RedirectPolicy;
import heddle.client.settings.Timeouts;
import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.MalformedUrlException;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.failure.DeadlineExceededException;
import heddle.http.failure.TlsException;
import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Sends one request and writes the body of the answer to standard output or to a file. */
@Command(
    name = "get",
    description = "Send one request and write the body of the answer to standard output.",
    sortOptions = false,
    footer = {
      "",
      "Exit codes: 0 the answer is complete, 1 it is not (one line says why),",
      "2 wrong options, 22 with --fail: the status was 400 or above."
    })
final class GetCommand implements Callable<Integer> {

  private static final int STATUS_OF_FAIL = 22;
  /** Effectively no limit, because the user can end it with Ctrl-C. */
  private static final Duration FOREVER = Duration.ofDays(365);
  /** Longer than the client's default, because a user at a terminal can see that it takes long. */
  private static final Duration CONNECT = Duration.ofSeconds(30);

  private static final Duration SILENCE = Duration.ofMinutes(5);

  private static final int PIECE = 16 * 1024;

  @Spec
  private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "URL", description = "Such as http://127.0.0.1:8080/hello.")
  private String url = "";

  @Option(
      names = {"-X", "-m", "--method"},
      paramLabel = "METHOD",
      description = "The method (default: GET, with a body POST).")
  private @Nullable String method;

  @Option(
      names = {"-H", "--header"},
      paramLabel = "'NAME: VALUE'",
      description = "A field to send; may be repeated.")
  private List<String> fields = List.of();

  @Option(
      names = {"-b", "--body"},
      paramLabel = "TEXT|@FILE|@-",
      description = "The body to send: the text, the content of a file, or of standard input.")
  private @Nullable String body;

  @Option(
      names = {"-i", "--include"},
      description = "Write the status and the fields of the answer before its body.")
  private boolean include;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write to FILE, which appears or changes only when the answer is complete.")
  private @Nullable Path output;

  @Option(
      names = "--timeout",
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

  @Option(
      names = "--http",
      paramLabel = "1.1|2",
      description = "The HTTP version (default: the best with https, else 1.1).")
  private @Nullable String version;

  @Mixin
  private ClientTls tls = new ClientTls();

  @Option(names = "--fail", description = "Exit with 22, without output, for a status >= 400.")
  private boolean fail;

  private final Terminal terminal;

  GetCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    try {
      return exchange(request());
    } catch (DeadlineExceededException e) {
      // The engine's advice is for programmers; the plain reason is its cause.
      Throwable reason = e.getCause() == null ? e : e.getCause();
      throw new IOException(
          reason.getMessage() + "; --timeout and --silence say how long to wait: " + e.at(), e);
    } catch (TlsException e) {
      Throwable reason = e.getCause() == null ? e : e.getCause();
      throw new IOException(reason.getMessage() + ClientTls.advice(e.reason()) + ": " + e.at(), e);
    }
  }

  private int exchange(Request request) throws IOException {
    try (HttpClient client = client();
        Response response = client.send(request)) {
      if (fail && response.status().code() >= 400) {
        terminal.err().println("heddle: " + request.target() + ": " + statusLine(response));
        return STATUS_OF_FAIL;
      }
      Path file = output;
      if (file == null) {
        write(response, terminal.out());
      } else {
        try (OutputFile whole = OutputFile.open(file)) {
          write(response, whole.stream());
          whole.complete();
        }
      }
    }
    return CommandLine.ExitCode.OK;
  }

  /** The response is shown as the server has sent it. */
  private HttpClient client() {
    return HttpClient.builder()
        .redirects(RedirectPolicy.never())
        .contentCodings(null)
        .timeouts(timeouts())
        .tls(tls())
        .build();
  }

  private TlsOptions tls() {
    try {
      return tls.options();
    } catch (IOException | IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()), e);
    }
  }

  private @Nullable HttpVersion version() {
    return switch (version) {
      case null -> null;
      case "1.1" -> HttpVersion.HTTP_1_1;
      case "2" -> HttpVersion.HTTP_2;
      default -> throw wrong("--http is 1.1 or 2, not " + version, null);
    };
  }

  private Timeouts timeouts() {
    Duration quiet = silence;
    if (quiet == null) {
      quiet = timeout == null ? SILENCE : FOREVER;
    }
    return Timeouts.builder().connect(CONNECT).tls(CONNECT).silence(quiet).build();
  }

  private Request request() throws IOException {
    Body content = content();
    Request.Builder builder = builder().method(method(content)).headers(headers());
    builder.deadline(timeout == null ? FOREVER : timeout).version(version());
    return content == null ? builder.build() : builder.body(content).build();
  }

  private Request.Builder builder() {
    try {
      return Request.builder(url);
    } catch (MalformedUrlException e) {
      throw wrong(String.valueOf(e.getMessage()), e);
    }
  }

  private Method method(@Nullable Body content) {
    String name = method;
    if (name == null) {
      return content == null ? Method.GET : Method.POST;
    }
    try {
      return Method.of(name);
    } catch (IllegalArgumentException e) {
      throw wrong("-X " + name + ": " + e.getMessage(), e);
    }
  }

  private Headers headers() {
    Headers.Builder headers = Headers.builder();
    for (String field : fields) {
      int colon = field.indexOf(':');
      if (colon < 1) {
        throw wrong("-H '" + field + "' is not NAME: VALUE", null);
      }
      try {
        headers.add(
            HeaderName.of(field.substring(0, colon)), field.substring(colon + 1).strip());
      } catch (IllegalArgumentException e) {
        throw wrong("-H '" + field + "': " + e.getMessage(), e);
      }
    }
    return headers.build();
  }

  private @Nullable Body content() throws IOException {
    String given = body;
    if (given == null) {
      return null;
    }
    if (given.equals("@-")) {
      return Body.of(terminal.in());
    }
    if (given.startsWith("@")) {
      Path file = Path.of(given.substring(1));
      if (!Files.isReadable(file) || Files.isDirectory(file)) {
        throw wrong("-b " + given + ": there is no file to read at " + file, null);
      }
      return Body.of(file);
    }
    return Body.of(given);
  }

  private void write(Response response, OutputStream out) throws IOException {
    if (include) {
      out.write(head(response).getBytes(StandardCharsets.ISO_8859_1));
    }
    // Flushes each piece as it arrives, because the answer may be a live stream.
    byte[] piece = new byte[PIECE];
    InputStream content = response.body().stream();
    for (int read = content.read(piece); read >= 0; read = content.read(piece)) {
      out.write(piece, 0, read);
      out.flush();
    }
    out.flush();
  }

  private static String head(Response response) {
    var head = new StringBuilder(statusLine(response)).append('\n');
    Headers headers = response.headers();
    for (int i = 0; i < headers.size(); i++) {
      head.append(headers.name(i)).append(": ").append(headers.value(i)).append('\n');
    }
    return head.append('\n').toString();
  }

  private static String statusLine(Response response) {
    String line = response.version() + " " + response.status().code();
    String reason = response.status().reason();
    return reason.isEmpty() ? line : line + " " + reason;
  }

  private CommandLine.ParameterException wrong(String what, @Nullable Throwable cause) {
    return new CommandLine.ParameterException(spec.commandLine(), what, cause);
  }
}
