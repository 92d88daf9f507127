package heddle.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.HttpClient;
import heddle.codec.Role;
import heddle.connection.Connection;
import heddle.http.Request;
import heddle.server.HttpServer;
import heddle.transport.Channel;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Exports;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Users of the engine see few types: the public top-level ones in packages that its modules export
 * to everyone.
 */
final class PublicTypesTest {

  private static final int MOST = 105;

  /** A class of each module of the engine, by which its descriptor is found. */
  static final List<Class<?>> MODULES = List.of(
      Request.class,
      Role.class,
      Channel.class,
      Connection.class,
      HttpClient.class,
      HttpServer.class);

  private static List<String> visibleTypes() throws Exception {
    var types = new ArrayList<String>();
    for (Class<?> each : MODULES) {
      types.addAll(visibleTypes(moduleOf(each)));
    }
    return types.stream().sorted().toList();
  }

  static ModuleReference moduleOf(Class<?> type) throws URISyntaxException {
    Path place =
        Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    return ModuleFinder.of(place).findAll().iterator().next();
  }

  private static List<String> visibleTypes(ModuleReference module)
      throws IOException, ClassNotFoundException {
    Set<String> packages = module.descriptor().exports().stream()
        .filter(exports -> !exports.isQualified())
        .map(Exports::source)
        .collect(Collectors.toUnmodifiableSet());
    var types = new ArrayList<String>();
    try (ModuleReader reader = module.open()) {
      for (String file : reader.list().toList()) {
        String name = file.replace('/', '.').replaceFirst("\\.class$", "");
        boolean isType = file.endsWith(".class") && !file.contains("-") && !file.contains("$");
        if (isType && packages.contains(name.substring(0, name.lastIndexOf('.')))) {
          Class<?> type = Class.forName(name, false, PublicTypesTest.class.getClassLoader());
          if (Modifier.isPublic(type.getModifiers())) {
            types.add(name);
          }
        }
      }
    }
    return types;
  }

  @Test
  void theEngineShowsFewTypesToEveryone() throws Exception {
    List<String> types = visibleTypes();
    assertTrue(
        types.size() <= MOST,
        () -> ("users see %d types, at most %d are allowed: export a package to the modules that"
                + " need it, or make a type package-private. They see:%n%s")
            .formatted(types.size(), MOST, String.join("\n", types)));
  }

  @Test
  void allThatUsersSeeIsCounted() throws Exception {
    List<String> types = visibleTypes();
    for (String seen : List.of(
        "heddle.http.Request",
        "heddle.http.failure.TlsException",
        "heddle.transport.tls.TlsOptions",
        "heddle.client.HttpClient",
        "heddle.client.settings.PoolLimits",
        "heddle.client.spi.Interceptor",
        "heddle.server.HttpServer")) {
      assertTrue(types.contains(seen), seen);
    }
  }

  @Test
  void whatOnlyOurModulesSeeIsNotCounted() throws Exception {
    List<String> types = visibleTypes();
    assertFalse(types.contains("heddle.transport.Channel"), "exported to some modules");
    assertFalse(types.contains("heddle.client.pool.ConnectionPool"), "not exported");
    assertFalse(types.contains("heddle.client.Steps"), "not public");
    assertFalse(types.contains("heddle.client.HttpClient$Builder"), "nested");
  }

  @Test
  void apiCheckLeavesOutWhatIsNotExportedToEveryone() throws Exception {
    var inner = new TreeSet<String>();
    for (Class<?> each : MODULES) {
      ModuleDescriptor module = moduleOf(each).descriptor();
      inner.addAll(module.packages());
      module.exports().stream()
          .filter(exports -> !exports.isQualified())
          .map(Exports::source)
          .forEach(inner::remove);
    }
    var excluded = new TreeSet<String>();
    Matcher exclude = Pattern.compile("<exclude>(heddle[^<]*)</exclude>")
        .matcher(Repository.read(Repository.at("pom.xml")));
    while (exclude.find()) {
      excluded.add(exclude.group(1));
    }
    assertEquals(inner, excluded);
  }
}
