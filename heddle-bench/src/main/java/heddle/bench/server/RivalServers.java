package heddle.bench.server;

import com.sun.net.httpserver.spi.HttpServerProvider;
import heddle.bench.driver.Release;
import heddle.bench.driver.ServerDriver;
import heddle.bench.jdkserver.JdkServer;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;

/** Finds servers that are not Heddle's, which the build of a checkout puts in a folder each. */
public final class RivalServers {

  /** The names of all, whether they are built or not. */
  public static final List<String> NAMES =
      List.of("jdk", "robaho", "jetty", "tomcat", "helidon", "undertow", "netty");

  private static final String JDK = "jdk";
  /** By folder, open as long as the process: Tomcat starts with the classes of one only. */
  private static final Map<Path, ClassLoader> LOADERS = new ConcurrentHashMap<>();

  private static final Path FOLDERS = Path.of("heddle-bench", "servers");

  private RivalServers() {}

  /**
   * The server of this name; its classes see the JDK's and what drivers implement. From now on they
   * are those that this thread and its threads find services among.
   *
   * @param home the root of the checkout
   * @throws IOException if there is no such server, or it is not built; the message says so
   */
  public static ServerDriver find(Path home, String name) throws IOException {
    if (name.equals(JDK)) {
      return JdkServer.own();
    }
    Path folder = home.resolve(FOLDERS).resolve(name).resolve("target").resolve("driver");
    if (!Files.isDirectory(folder)) {
      throw new IOException("the server " + name + " is not built (" + folder
          + "): build all with ./mvnw -DskipTests package");
    }
    ClassLoader loader = LOADERS.get(folder);
    if (loader == null) {
      loader = loader(name, folder);
      LOADERS.put(folder, loader);
    }
    Thread.currentThread().setContextClassLoader(loader);
    for (ServerDriver each : ServiceLoader.load(ServerDriver.class, loader)) {
      return each;
    }
    for (HttpServerProvider each : ServiceLoader.load(HttpServerProvider.class, loader)) {
      return new JdkServer(name, Release.of(each.getClass()), each);
    }
    throw new IOException("there is no server in " + folder);
  }

  private static ClassLoader loader(String name, Path folder) throws IOException {
    List<URL> jars = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.jar")) {
      for (Path each : files) {
        jars.add(each.toUri().toURL());
      }
    }
    return new URLClassLoader(name, jars.toArray(URL[]::new), RivalServers.class.getClassLoader());
  }
}
