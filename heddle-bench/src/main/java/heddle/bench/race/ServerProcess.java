package heddle.bench.race;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
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

/** The server in a process of its own. */
final class ServerProcess implements AutoCloseable {

  private static final Pattern LISTENING = Pattern.compile("listening on (http://\\S+:\\d+)");
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Process process;
  private final URI uri;

  private ServerProcess(Process process, URI uri) {
    this.process = process;
    this.uri = uri;
  }

  static ServerProcess start(List<String> command) throws RaceException, InterruptedException {
    Path errors = null;
    Process process = null;
    try {
      errors = Files.createTempFile("heddle-race-server", ".log");
      process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
      URI uri = awaitAddress(process, errors, command);
      ServerProcess started = new ServerProcess(process, uri);
      process = null;
      return started;
    } catch (IOException e) {
      throw new RaceException("the server does not start: " + String.join(" ", command), e);
    } finally {
      if (process != null) {
        process.destroyForcibly();
      }
      ProcessOutput.delete(errors);
    }
  }

  private static URI awaitAddress(Process process, Path errors, List<String> command)
      throws RaceException, InterruptedException, IOException {
    CompletableFuture<URI> address = new CompletableFuture<>();
    Thread.ofVirtual().start(() -> readOutput(process, address));
    try {
      return address.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new RaceException(
          "the server did not say where it listens ("
              + String.join(" ", command)
              + "): "
              + ProcessOutput.tail(errors),
          e);
    }
  }

  /** Goes on reading after the address, so that the server never blocks on a full pipe. */
  private static void readOutput(Process process, CompletableFuture<URI> address) {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (@Nullable String line = lines.readLine(); line != null; line = lines.readLine()) {
        Matcher matcher = LISTENING.matcher(line);
        if (matcher.find()) {
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

  boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(2, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
