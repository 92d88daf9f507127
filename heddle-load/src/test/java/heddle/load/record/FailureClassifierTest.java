package heddle.load.record;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

class FailureClassifierTest {

  private static FailureKind kind(Throwable failure) {
    return FailureClassifier.ofAnyClient().classify(failure).kind();
  }

  @Test
  void exceptionsOfAnyClientAreNamedByWhatTheyMean() {
    assertEquals(FailureKind.REFUSED, kind(new ConnectException("Connection refused")));
    assertEquals(FailureKind.TIMEOUT, kind(new ConnectException("Connection timed out")));
    assertEquals(FailureKind.RESET, kind(new SocketException("Connection reset")));
    assertEquals(FailureKind.RESET, kind(new IOException("Broken pipe")));
    assertEquals(FailureKind.TIMEOUT, kind(new SocketTimeoutException()));
    assertEquals(FailureKind.TIMEOUT, kind(new TimeoutException()));
    assertEquals(FailureKind.NAME, kind(new UnknownHostException("nowhere.test")));
    assertEquals(FailureKind.TLS, kind(new SSLHandshakeException("no")));
    assertEquals(FailureKind.TRUNCATED, kind(new EOFException()));
    assertEquals(FailureKind.TRUNCATED, kind(new IOException("Premature end of content")));
    assertEquals(FailureKind.THREADS, kind(new OutOfMemoryError("native thread")));
    assertEquals(FailureKind.OTHER, kind(new IOException()));
  }

  @Test
  void wrappersTellNothingAndCausesDo() {
    var refused = new ConnectException("Connection refused");
    Failure failure = FailureClassifier.ofAnyClient()
        .classify(new ExecutionException(new CompletionException(refused)));
    assertEquals(
        new Failure(FailureKind.REFUSED, "", "ConnectException", "Connection refused"), failure);
    assertEquals(FailureKind.REFUSED, kind(new IOException("of a client's own", refused)));
  }
}
