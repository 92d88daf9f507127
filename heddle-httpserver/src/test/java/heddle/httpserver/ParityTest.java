package heddle.httpserver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The same programs and clients notice the same with the JDK's server and with ours. */
@Timeout(120)
class ParityTest {
  private static final Map<String, Stage.Scene> SCENES = new LinkedHashMap<>();

  static {
    SCENES.putAll(ResponseScenes.all());
    SCENES.putAll(RequestScenes.all());
    SCENES.putAll(ContextScenes.all());
  }

  static Set<String> scenes() {
    return SCENES.keySet();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("scenes")
  void behavesAsTheJdksServerDoes(String name) throws Exception {
    Stage.Scene scene = SCENES.get(name);
    List<String> stock = Stage.notes(Providers.STOCK, scene);
    assertFalse(stock.isEmpty());
    assertEquals(String.join("\n", stock), String.join("\n", Stage.notes(Providers.OURS, scene)));
  }
}
