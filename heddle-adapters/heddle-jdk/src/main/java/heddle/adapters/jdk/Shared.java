package heddle.adapters.jdk;

import heddle.client.HttpClient;
import java.util.concurrent.Executor;

/** State shared by the calls of one client. Thread-safe. */
final class Shared {
  static final Executor VIRTUAL_THREADS =
      task -> Thread.ofVirtual().name("heddle-jdk").start(task);

  private final Settings settings;
  private final HttpClient client;
  private final Running calls;
  private final KnownPasswords passwords = new KnownPasswords();

  /**
   * @throws IllegalArgumentException if an option cannot be honoured
   */
  Shared(Settings settings) {
    this.settings = settings;
    this.client = settings.client();
    this.calls = new Running(client::close);
  }

  Settings settings() {
    return settings;
  }

  HttpClient client() {
    return client;
  }

  Running calls() {
    return calls;
  }

  KnownPasswords passwords() {
    return passwords;
  }
}
