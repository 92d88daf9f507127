package heddle.bench.drivers.ablated;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.ablation.Switch;
import java.io.File;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is switched off is off, and nothing else is. */
class AblationTest {

  /** Each package of the engine that can do without something. */
  private static final List<String> PACKAGES = List.of(
      "heddle.transport",
      "heddle.transport.tcp",
      "heddle.transport.tls",
      "heddle.codec.http2",
      "heddle.connection.http2",
      "heddle.client");

  static List<String> names() {
    return Ablation.names();
  }

  @ParameterizedTest
  @MethodSource("names")
  void whatIsNamedIsSwitchedOffAndNothingElse(String name) throws Exception {
    List<String> expected =
        Ablation.of(List.of(name)).off().stream().map(Switch::name).sorted().toList();
    try (URLClassLoader engine = anotherEngine()) {
      apply(engine, name);
      assertEquals(
          expected.size(), constants(engine).values().stream().filter(on -> !on).count());
      assertEquals(expected, off(engine));
    }
  }

  @Test
  void allThatCanBeSwitchedOffHasAName() throws Exception {
    try (URLClassLoader engine = anotherEngine()) {
      String all = String.join(
          ",",
          Ablation.names().stream()
              .filter(name -> !name.startsWith("executor-"))
              .toList());
      apply(engine, all.split(",", -1));
      Map<String, Boolean> constants = constants(engine);
      assertTrue(constants.size() >= PACKAGES.size(), constants::toString);
      assertTrue(constants.values().stream().noneMatch(on -> on), constants::toString);
    }
  }

  @Test
  void whatIsInUseCannotBeSwitchedOffAnyMore() throws Exception {
    try (URLClassLoader engine = anotherEngine()) {
      assertEquals(List.of(), off(engine));
      InvocationTargetException late =
          assertThrows(InvocationTargetException.class, () -> apply(engine, "tcp-nodelay"));
      assertInstanceOf(IllegalStateException.class, late.getCause());
      assertTrue(late.getCause().getMessage().contains("tcp-nodelay"));
    }
  }

  @Test
  void anUnknownNameIsRefusedWithThoseThereAre() {
    IllegalArgumentException refusal =
        assertThrows(IllegalArgumentException.class, () -> Ablation.of(List.of("tcp-no-delay")));
    String said = String.valueOf(refusal.getMessage());
    assertTrue(said.contains("\"tcp-no-delay\"") && said.contains("tcp-nodelay, "), said);
  }

  @Test
  void answersAreReadOnOneExecutor() {
    assertEquals(Readers.TWO, Ablation.of(List.of("loop-yield", "executor-2")).readers());
    assertThrows(
        IllegalArgumentException.class, () -> Ablation.of(List.of("executor-1", "executor-2")));
  }

  @Test
  void theVersionTellsWhatIsMissing() {
    Ablation some = Ablation.of(List.of("loop-yield", "wake-relay"));
    String version = new AblatedHeddleDriver(some).version();
    assertTrue(version.endsWith(" without loop-yield, wake-relay"), version);
    String whole = new AblatedHeddleDriver(Ablation.of(List.of("none"))).version();
    assertTrue(whole.endsWith(" with everything"), whole);
  }

  /** The same classes again, of which nothing is in use. */
  private static URLClassLoader anotherEngine() throws Exception {
    String[] path = System.getProperty("java.class.path").split(File.pathSeparator, -1);
    URL[] urls = new URL[path.length];
    for (int i = 0; i < path.length; i++) {
      urls[i] = new File(path[i]).toURI().toURL();
    }
    return new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
  }

  private static Class<?> ablation(ClassLoader engine) throws ClassNotFoundException {
    return engine.loadClass(Ablation.class.getName());
  }

  private static void apply(ClassLoader engine, String... names) throws Exception {
    Method of = ablation(engine).getMethod("of", Collection.class);
    ablation(engine).getMethod("apply").invoke(of.invoke(null, List.of(names)));
  }

  /** By the names of the switches, which settles them all. */
  private static List<String> off(ClassLoader engine) throws Exception {
    Method isOff = ablation(engine).getDeclaredMethod("offNow");
    isOff.setAccessible(true);
    return ((List<?>) isOff.invoke(null))
        .stream().map(String.class::cast).sorted().toList();
  }

  /** What the engine itself has decided by. */
  private static Map<String, Boolean> constants(ClassLoader engine) throws Exception {
    Map<String, Boolean> all = new TreeMap<>();
    for (String each : PACKAGES) {
      for (Field field : engine.loadClass(each + ".Optimisations").getDeclaredFields()) {
        field.setAccessible(true);
        all.put(each + "." + field.getName(), field.getBoolean(null));
      }
    }
    return all;
  }
}
