package heddle.bench.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.client.HttpClient;
import heddle.http.Request;
import heddle.load.record.Failure;
import heddle.load.record.FailureKind;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class ClientFailuresTest {

  private final ClientFailures failures = new ClientFailures();

  @Test
  void failureOfHeddleHasThePhaseThatItsExceptionTells() throws IOException {
    int port;
    try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = closed.getLocalPort();
    }
    IOException thrown;
    try (HttpClient client = HttpClient.create()) {
      Request request = Request.get("http://127.0.0.1:" + port + "/");
      thrown = assertThrows(IOException.class, () -> client.send(request).close());
    }
    Failure failure = failures.classify(new CompletionException(thrown));
    assertEquals(FailureKind.REFUSED, failure.kind());
    assertEquals("connect", failure.phase());
    assertEquals(thrown.getMessage(), failure.text());
  }

  @Test
  void failureOfAnotherClientIsNamedByItsException() {
    Failure failure = failures.classify(new ConnectException("Connection refused"));
    assertEquals(
        new Failure(FailureKind.REFUSED, "", "ConnectException", "Connection refused"), failure);
  }
}
