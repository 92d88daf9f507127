package heddle.cli;

import heddle.cli.live.TransferView;
import heddle.client.Download;
import heddle.client.HttpClient;
import heddle.har.HarRecorder;
import heddle.har.WireLog;
import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.StatusException;
import heddle.http.failure.DeadlineExceededException;
import heddle.http.failure.TlsException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Stack;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
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
      "Options mean what they mean to curl. Exit codes: 0 the answer is complete, 1 it is",
      "not (one line says why), 2 wrong options, 22 with --fail: the status was 400 or above."
    })
final class GetCommand implements Callable<Integer> {

  private static final int STATUS_OF_FAIL = 22;

  private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:/.*");

  @Spec
  private CommandSpec spec = CommandSpec.create();

  @Parameters(
      paramLabel = "URL",
      description = "Such as https://example.com/hello; without a scheme, http://.")
  private String url = "";

  @Option(
      names = {"-X", "--request", "--method"},
      paramLabel = "METHOD",
      description = "The method (default: GET, with content POST).")
  private @Nullable String method;

  @Option(
      names = {"-I", "--head"},
      description = "Ask for status and fields alone, and write them.")
  private boolean head;

  @Option(
      names = {"-H", "--header"},
      paramLabel = "'NAME: VALUE'",
      description = "A field to send; may be repeated.")
  private List<String> fields = List.of();

  @Mixin
  private GetContent content = new GetContent();

  @Mixin
  private GetClient connection = new GetClient();

  @Option(
      names = {"-i", "--include"},
      description = "Write the status and the fields of the answer before its body.")
  private boolean include;

  @Option(
      names = {"-v", "--verbose"},
      description = "Tell what happens: name lookup, connection, TLS, fields; credentials masked.")
  private boolean verbose;

  @Option(names = "--timings", description = "Tell at the end how long each part took.")
  private boolean timings;

  @Option(
      names = "--har",
      paramLabel = "FILE",
      description = "Record all exchanges in FILE, in the format of browsers' developer tools"
          + " (HAR); credentials masked.")
  private @Nullable Path har;

  @Option(
      names = {"-s", "--silent"},
      description = "No progress on the terminal; failures are told all the same.")
  private boolean silent;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write to FILE, which appears or changes only when the answer is complete.")
  private @Nullable Path output;

  @Option(
      names = {"-O", "--remote-name"},
      description = "The same, with the last part of the URL's path as the file's name.")
  private boolean remoteName;

  @Option(
      names = {"-C", "--continue-at"},
      arity = "0",
      parameterConsumer = Dash.class,
      description = "With -o or -O: go on where the last run was interrupted, in FILE.part, if the"
          + " server still has the same. May be written -C - as in curl.")
  private boolean resume;

  @Option(
      names = {"-f", "--fail"},
      description = "Exit with 22, without output, for a status >= 400.")
  private boolean fail;

  private final Terminal terminal;

  GetCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Failures are always shown; habit writes -sS. */
  @Option(
      names = {"-S", "--show-error"},
      hidden = true)
  void showError(boolean asked) {}

  /** Takes the dash that follows -C in curl; what else may follow is not its own. */
  static final class Dash implements IParameterConsumer {
    @Override
    public void consumeParameters(Stack<String> arguments, ArgSpec option, CommandSpec command) {
      if (!arguments.isEmpty() && arguments.peek().equals("-")) {
        arguments.pop();
      }
      option.setValue(true);
    }
  }

  @Override
  public Integer call() throws IOException {
    Request request;
    HttpClient.Builder builder;
    Path file;
    try {
      request = request();
      file = file(request);
      builder = connection.client(request.origin());
    } catch (IOException | IllegalArgumentException e) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
    GetReport report = new GetReport(terminal.err());
    if (timings) {
      builder.listener(report);
    }
    if (verbose) {
      PrintStream err = terminal.err();
      WireLog.builder().sink((call, line) -> err.println(line)).build().attach(builder);
    }
    try (HarRecorder recorder = har == null ? null : HarRecorder.to(har);
        HttpClient client = (recorder == null ? builder : recorder.attach(builder)).build()) {
      int code = exchange(client, request, file);
      connection.keepCookies();
      if (timings) {
        report.timings();
      }
      return code;
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

  private int exchange(HttpClient client, Request request, @Nullable Path file) throws IOException {
    boolean isWatched = terminal.interactive() && !silent && (file != null || !terminal.shown());
    try (TransferView progress = isWatched ? new TransferView(terminal.err()) : null) {
      if (resume && file != null) {
        return download(client, request, file, progress);
      }
      try (Response response = client.send(request)) {
        if (fail && response.status().code() >= 400) {
          return failed(request, GetOutput.statusLine(response));
        }
        if (file == null) {
          boolean asIs = output != null;
          write(
              response,
              new GetOutput(terminal.out(), terminal.shown() && !asIs, terminal.color(), progress));
        } else {
          try (OutputFile whole = OutputFile.open(file)) {
            write(response, new GetOutput(whole.stream(), false, false, progress));
            whole.complete();
          }
        }
      }
    }
    return CommandLine.ExitCode.OK;
  }

  private int download(
      HttpClient client, Request request, Path file, @Nullable TransferView progress)
      throws IOException {
    Download download = Download.to(file).resume();
    if (progress != null) {
      download.progress(progress::progressed);
    }
    try {
      download.from(client, request);
      return CommandLine.ExitCode.OK;
    } catch (StatusException e) {
      if (fail) {
        return failed(request, e.status().toString());
      }
      throw e;
    }
  }

  private int failed(Request request, String status) {
    terminal.tell(request.target() + ": " + Terminal.printable(status));
    return STATUS_OF_FAIL;
  }

  private void write(Response response, GetOutput to) throws IOException {
    if (include || head) {
      to.head(response);
    }
    to.content(response);
  }

  /** The file to write to; null for standard output. */
  private @Nullable Path file(Request request) {
    Path given = output;
    if (remoteName) {
      String path = request.path();
      String name = path.substring(path.lastIndexOf('/') + 1);
      if (given != null || name.isEmpty() || name.startsWith(".")) {
        throw new IllegalArgumentException(
            given == null
                ? "the URL ends without the name of a file: give -o FILE instead of -O"
                : "-o names the file, -O takes the URL's: give one");
      }
      given = Path.of(name);
    }
    Path file = given == null || given.toString().equals("-") ? null : given;
    if (resume) {
      if (file == null) {
        throw new IllegalArgumentException("-C goes on with a file: give -o FILE or -O");
      }
      if (!request.method().equals(Method.GET) || include) {
        throw new IllegalArgumentException(
            "-C is for the content of a GET: omit -X, -I, -d and -i");
      }
    }
    return file;
  }

  private Request request() throws IOException {
    Body body = content.body(terminal.in());
    Request.Builder builder = Request.builder(absolute(url)).method(method(body));
    for (String field : fields) {
      add(builder, field);
    }
    if (content.isJson() && builder.build().headers().first(HeaderName.ACCEPT) == null) {
      builder.header(HeaderName.ACCEPT, "application/json");
    }
    connection.fill(builder);
    return body == null ? builder.build() : builder.body(body).build();
  }

  /** A URL as people type it, such as {@code localhost:8080/x} or {@code :8080/x}. */
  static String absolute(String typed) {
    if (typed.isEmpty() || typed.startsWith("/") || SCHEME.matcher(typed).matches()) {
      return typed;
    }
    return "http://" + (typed.startsWith(":") ? "localhost" : "") + typed;
  }

  private Method method(@Nullable Body body) {
    String name = method;
    if (head) {
      if (body != null || name != null) {
        throw new IllegalArgumentException("-I sends a HEAD without content: omit the rest");
      }
      return Method.HEAD;
    }
    if (name == null) {
      return body == null ? Method.GET : Method.POST;
    }
    try {
      return Method.of(name);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("-X " + name + ": " + e.getMessage(), e);
    }
  }

  private static void add(Request.Builder request, String field) {
    int colon = field.indexOf(':');
    if (colon < 1) {
      throw new IllegalArgumentException("-H '" + field + "' is not NAME: VALUE");
    }
    try {
      request.header(
          HeaderName.of(field.substring(0, colon)), field.substring(colon + 1).strip());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("-H '" + field + "': " + e.getMessage(), e);
    }
  }
}
