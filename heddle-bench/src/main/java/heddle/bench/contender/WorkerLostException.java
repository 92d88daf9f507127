package heddle.bench.contender;

import java.io.IOException;

/** Thrown if a worker has died or does not answer; the message has its last output. */
public final class WorkerLostException extends IOException {

  private static final long serialVersionUID = 1L;

  WorkerLostException(String message) {
    super(message);
  }
}
