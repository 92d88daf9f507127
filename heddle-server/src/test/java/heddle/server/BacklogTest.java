package heddle.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Response;
import heddle.transport.Network;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How many connections a server has the system hold for it until they are accepted. */
class BacklogTest {
  private final List<Object> backlogs = new ArrayList<>();

  /** A network that records the backlog of each listening socket. */
  private Network recording(Network network) {
    return (Network) Proxy.newProxyInstance(
        Network.class.getClassLoader(),
        new Class<?>[] {Network.class},
        (proxy, method, arguments) -> {
          if (method.getName().equals("listen")) {
            backlogs.add(arguments[1]);
          }
          try {
            return method.invoke(network, arguments);
          } catch (InvocationTargetException e) {
            throw e.getTargetException();
          }
        });
  }

  private static HttpServer.Builder server(Network network) {
    return HttpServer.builder().network(network).handler(request -> Response.ok("ok"));
  }

  @Test
  void networkIsGivenTheBacklogOfTheServer() throws IOException {
    Network network = TcpNetwork.create();
    try {
      server(recording(network)).start().close();
      server(recording(network)).backlog(17).start().close();
    } finally {
      network.close();
    }
    assertEquals(List.of(1024, 17), backlogs);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1})
  void backlogMustBePositive(int backlog) {
    var refusal =
        assertThrows(IllegalArgumentException.class, () -> HttpServer.builder().backlog(backlog));
    assertTrue(refusal.getMessage().contains("backlog"), refusal::getMessage);
  }
}
