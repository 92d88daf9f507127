package heddle.bench.server;

import heddle.load.cluster.process.Children;
import heddle.load.cluster.process.ProcessOutput;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A server in its own process. */
final class ServerProcess implements AutoCloseable {

  private static final Pattern LISTENING = Pattern.compile("listening on (https?://\\S+:\\d+)");

  /** More than enough for most servers to start. */
  static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Process process;
  private final URI uri;

  /** Wraps a process that listens at this address. */
  ServerProcess(Process process, URI uri) {
    this.process = process;
    this.uri = uri;
  }

  /**
   * Starts a server that prints its address.
   *
   * @param scheme the scheme of the address to use, if it prints several
   * @param patience how long to wait for its address
   */
  static ServerProcess start(List<String> command, String scheme, Duration patience)
      throws IOException, InterruptedException {
    Path errors = null;
    Process process = null;
    try {
      errors = ProcessOutput.temporary(".log");
      process = Children.start(new ProcessBuilder(command).redirectError(errors.toFile()));
      URI uri = awaitAddress(process, errors, command, scheme, patience);
      ServerProcess started = new ServerProcess(process, uri);
      process = null;
      return started;
    } finally {
      if (process != null) {
        Children.kill(process);
      }
      ProcessOutput.delete(errors);
    }
  }

  private static URI awaitAddress(
      Process process, Path errors, List<String> command, String scheme, Duration patience)
      throws InterruptedException, IOException {
    CompletableFuture<URI> address = new CompletableFuture<>();
    Thread.ofVirtual().start(() -> readOutput(process, address, scheme));
    try {
      return address.get(patience.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException(
          "the server did not say where it listens ("
              + String.join(" ", command)
              + "): "
              + ProcessOutput.tail(errors),
          e);
    }
  }

  /** Continues reading after the address, so that the server never blocks on a full pipe. */
  private static void readOutput(Process process, CompletableFuture<URI> address, String scheme) {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (@Nullable String line = lines.readLine(); line != null; line = lines.readLine()) {
        Matcher matcher = LISTENING.matcher(line);
        if (matcher.find() && matcher.group(1).startsWith(scheme + ":")) {
          address.complete(URI.create(matcher.group(1)));
        }
      }
      address.completeExceptionally(new IOException("the server's output ended"));
    } catch (IOException e) {
      address.completeExceptionally(e);
    }
  }

  URI uri() {
    return uri;
  }

  ProcessHandle handle() {
    return process.toHandle();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public void close() {
    Children.end(process);
  }
}
