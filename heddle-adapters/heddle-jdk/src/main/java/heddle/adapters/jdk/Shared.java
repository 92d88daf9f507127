package heddle.adapters.jdk;

import heddle.client.HttpClient;

/** State shared by the calls of one client. Thread-safe. */
record Shared(Settings settings, HttpClient client, Running calls, KnownPasswords passwords) {
  /**
   * @throws IllegalArgumentException if an option cannot be honoured
   */
  static Shared with(Settings settings) {
    HttpClient client = settings.client();
    return new Shared(settings, client, new Running(client::close), new KnownPasswords());
  }
}
