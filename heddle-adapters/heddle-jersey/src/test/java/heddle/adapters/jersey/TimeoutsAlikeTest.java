package heddle.adapters.jersey;

import static heddle.adapters.jersey.Alike.alike;
import static heddle.adapters.jersey.Alike.at;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testkit.mock.MockFault;
import heddle.testkit.mock.MockHandler;
import heddle.testkit.mock.MockResponse;
import jakarta.ws.rs.ProcessingException;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.Entity;
import jakarta.ws.rs.client.Invocation;
import jakarta.ws.rs.core.Response;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.glassfish.jersey.client.ClientProperties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Timeouts are the exceptions that callers of Jersey's own connector check. */
@Timeout(60)
final class TimeoutsAlikeTest {
  private static final MockHandler SILENT = request -> switch (request.target()) {
    case "/head" -> MockResponse.fault(MockFault.blackHole());
    default -> MockResponse.ok("warp and weft").with(MockFault.slowBody(3, Duration.ofSeconds(30)));
  };

  /** A call that is not answered in time. */
  private static Invocation.Builder late(Invocation.Builder call) {
    return call.property(ClientProperties.READ_TIMEOUT, 100);
  }

  /** The kinds of a call's failure and of its causes, up to the one that callers check. */
  private static String outcome(Callable<?> call) {
    try {
      return String.valueOf(call.call());
    } catch (Exception e) {
      Throwable each = e;
      StringBuilder kinds = new StringBuilder(e.getClass().getSimpleName());
      while (!(each instanceof SocketTimeoutException) && each.getCause() != null) {
        each = each.getCause();
        kinds.append(" of ").append(each.getClass().getSimpleName());
      }
      return kinds.toString();
    }
  }

  @Test
  void silenceIsTheSameToAllCallers() throws Exception {
    String told = alike(SILENT, target -> {
      List<String> all = new ArrayList<>();
      all.add(outcome(() -> late(at(target, "head")).get()));
      all.add(outcome(() -> late(at(target, "head")).post(Entity.text("x"))));
      all.add(outcome(() -> late(at(target, "head")).async().get().get()));
      all.add(outcome(
          () -> late(at(target, "head")).rx().get().toCompletableFuture().get()));
      all.add(outcome(() -> late(at(target, "content")).get(String.class)));
      all.add(
          outcome(() -> late(at(target, "content")).async().get(String.class).get()));
      all.add(outcome(() -> {
        try (Response response = late(at(target, "content")).get();
            InputStream content = response.readEntity(InputStream.class)) {
          return content.readAllBytes().length;
        }
      }));
      return all;
    });
    assertEquals(7, told.split("SocketTimeoutException", -1).length - 1, told);
  }

  @Test
  void silenceNamesThePropertyThatLimitsIt() throws Exception {
    try (Client client = Carrier.HEDDLE.client();
        ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String url = "http://127.0.0.1:" + silent.getLocalPort() + "/";
      ProcessingException failure = assertThrows(
          ProcessingException.class, () -> late(client.target(url).request()).get());
      String message = String.valueOf(failure.getCause().getMessage());
      assertTrue(message.contains("for 100 ms; raise ClientProperties.READ_TIMEOUT"), message);
    }
  }

  /** Linux does not answer those that connect to a server whose queue is full. */
  @ParameterizedTest
  @EnumSource
  void connectionThatIsNotAcceptedInTimeIsASocketTimeout(Carrier carrier) throws Exception {
    List<Socket> waiting = new ArrayList<>();
    try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Client client = carrier.client()) {
      for (int i = 0; i < 4; i++) {
        Socket socket = new Socket();
        waiting.add(socket);
        try {
          socket.connect(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), full.getLocalPort()), 100);
        } catch (SocketTimeoutException e) {
          break; // The queue is full.
        }
      }
      ProcessingException failure = assertThrows(ProcessingException.class, () -> client
          .target("http://127.0.0.1:" + full.getLocalPort() + "/")
          .request()
          .property(ClientProperties.CONNECT_TIMEOUT, 100)
          .property(ClientProperties.READ_TIMEOUT, 10_000)
          .get());
      Throwable told = assertInstanceOf(SocketTimeoutException.class, failure.getCause());
      if (carrier == Carrier.HEDDLE) {
        String message = String.valueOf(told.getMessage());
        assertTrue(message.contains("; raise ClientProperties.CONNECT_TIMEOUT"), message);
      }
    } finally {
      for (Socket each : waiting) {
        each.close();
      }
    }
  }
}
