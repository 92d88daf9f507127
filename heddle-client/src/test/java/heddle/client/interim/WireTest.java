package heddle.client.interim;

import heddle.client.ClientWorld;
import heddle.client.HttpClient;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs each of its tests over each wire, in a world that ends with the test. */
@ParameterizedClass
@EnumSource(Wire.class)
@Timeout(60)
abstract class WireTest {
  @Parameter
  Wire wire;

  ClientWorld world;

  @BeforeEach
  void makeWorld() {
    world = wire.world();
  }

  @AfterEach
  void endWorld() {
    world.close();
  }

  /** Makes another world, whose client is made with more than the defaults. */
  void renew(UnaryOperator<HttpClient.Builder> settings) {
    world.close();
    world = wire.world(settings);
  }

  /** The next connections of the server that is visited then go as these talks do, in order. */
  void serve(Server.Talk... talks) {
    wire.serve(world, talks);
  }

  /** Runs a visit to a server that serves these talks too, each on a connection. */
  void visit(Wire.Visit visit, Server.Talk... talks) throws Exception {
    wire.visit(world, visit, talks);
  }
}
