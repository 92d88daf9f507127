package heddle.bench.contender;

import com.fasterxml.jackson.annotation.JsonProperty;
import heddle.bench.driver.Driver;
import heddle.bench.driver.Profile;
import heddle.bench.server.ServerCommand;
import heddle.bench.worker.Worker;
import heddle.load.Load;
import heddle.load.cluster.crew.SameJvm;
import heddle.load.cluster.process.ClassPlace;
import heddle.load.cluster.process.Leash;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.HdrHistogram.AtomicHistogram;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.json.JsonMapper;

/** The command lines of the JVMs that a race starts: the same flags for all. */
public final class Jvm {

  /** Flags of all JVMs. Native access is for the exact CPU clock of the system. */
  public static final List<String> FLAGS =
      List.of("-Xms64m", "-Xmx512m", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED");

  /** Warnings of the JVM must not get among a worker's answers on the standard output. */
  private static final List<String> LOGS = List.of("-Xlog:disable", "-Xlog:all=warning:stderr");

  private Jvm() {}

  /**
   * The command of a worker whose class path has the load engine, its dependencies, and the jars of
   * one driver. It pins itself when it is warm, so that the compiler may use every core until
   * then; {@code cores} says from the start how many it will have.
   *
   * @param flags in addition to the common ones
   * @param cores how many cores it will be pinned to; 0 for all
   */
  static List<String> worker(
      String driverClassPath, String client, Profile profile, List<String> flags, int cores) {
    String classPath = enginePath() + File.pathSeparator + driverClassPath;
    List<String> command =
        command(flags, classPath, Worker.class.getName(), List.of(client, profile.name()));
    if (cores > 0) {
      command.add(1, "-XX:ActiveProcessorCount=" + cores);
    }
    return command;
  }

  /**
   * The command of a server with the class path of this JVM. It ends with its parent process.
   *
   * @param home the root of the checkout, which has the servers that are not Heddle's
   */
  public static List<String> server(ServerCommand server, Path home, List<String> arguments) {
    List<String> held = new ArrayList<>(List.of(server.mainClass()));
    held.addAll(arguments);
    return command(
        List.of("-Dheddle.home=" + home), SameJvm.classPath(), Leash.class.getName(), held);
  }

  private static List<String> command(
      List<String> flags, String classPath, String mainClass, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(LOGS);
    command.addAll(FLAGS);
    command.addAll(flags);
    command.add("-cp");
    command.add(classPath);
    command.add(mainClass);
    command.addAll(arguments);
    return command;
  }

  /** Comes first: a driver may bring older annotations of Jackson for its client. */
  private static String enginePath() {
    Set<Path> places = new LinkedHashSet<>();
    for (Class<?> each : List.of(
        Worker.class,
        Driver.class,
        Load.class,
        Leash.class,
        AtomicHistogram.class,
        JsonMapper.class,
        JsonGenerator.class,
        JsonProperty.class,
        Nullable.class)) {
      places.add(ClassPlace.of(each));
    }
    return places.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }
}
