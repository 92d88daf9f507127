package heddle.cli;

import heddle.client.spi.CallSummary;
import heddle.client.spi.ExchangeListener;
import heddle.http.Phase;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Tells on standard error, at the end of a call, how long each part took. */
final class GetReport implements ExchangeListener {

  private final PrintStream err;
  private @Nullable CallSummary summary;

  GetReport(PrintStream err) {
    this.err = err;
  }

  @Override
  public void callEnded(CallSummary ended) {
    summary = ended;
  }

  /** Prints a table of the times, over all requests of the call. */
  void timings() {
    if (summary == null) {
      return;
    }
    row("lookup", summary, Phase.RESOLVE);
    row("connect", summary, Phase.CONNECT);
    row("TLS", summary, Phase.TLS);
    row("send", summary, Phase.SEND);
    row("first byte", summary, Phase.AWAIT_HEAD);
    row("content", summary, Phase.READ_BODY);
    row("total", millis(summary.elapsed()));
    row("size", summary.contentReceived() + " bytes");
    double seconds = Math.max(summary.elapsed().toNanos(), 1) / 1e9;
    row("rate", String.format(Locale.ROOT, "%,.0f bytes/s", summary.contentReceived() / seconds));
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
