package heddle.adapters.okhttp;

import heddle.adapters.support.SocketFailures;
import java.io.IOException;
import java.net.SocketTimeoutException;
import okio.AsyncTimeout;
import org.jspecify.annotations.Nullable;

/** The timeout of single reads or writes, which OkHttp reports as {@code timeout}. */
final class OperationTimeout extends AsyncTimeout {
  private final Runnable late;

  /**
   * A timeout that is not set.
   *
   * @param late makes the operation fail; called by Okio's thread, so it must not block
   */
  OperationTimeout(Runnable late) {
    this.late = late;
  }

  @Override
  protected void timedOut() {
    late.run();
  }

  @Override
  protected IOException newTimeoutException(@Nullable IOException cause) {
    SocketTimeoutException passed = new SocketTimeoutException("timeout");
    return cause == null ? passed : SocketFailures.caused(passed, cause);
  }
}
