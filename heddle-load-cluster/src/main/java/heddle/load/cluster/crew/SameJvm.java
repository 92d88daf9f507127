package heddle.load.cluster.crew;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command that starts a JVM like this one. */
public final class SameJvm {

  /** Options that two processes cannot share, because only one can open what they name. */
  private static final List<String> OF_ONE_PROCESS = List.of(
      "-javaagent",
      "-agentlib",
      "-agentpath",
      "-Xrun",
      "-Xdebug",
      "-Xlog",
      "-XX:StartFlightRecording",
      "-XX:FlightRecorderOptions",
      "-XX:HeapDumpPath",
      "-XX:ErrorFile",
      "-Dcom.sun.management");

  private SameJvm() {}

  /**
   * The command of a JVM with the class path and the options of this one.
   *
   * @param mainClass the name of the class that is run
   */
  public static List<String> command(String mainClass, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (isShared(option)) {
        command.add(option);
      }
    }
    command.add("-cp");
    command.add(classPath());
    command.add(mainClass);
    command.addAll(arguments);
    return command;
  }

  private static boolean isShared(String option) {
    return OF_ONE_PROCESS.stream().noneMatch(option::startsWith);
  }

  /** The class path and the module path of this JVM, as one class path. */
  public static String classPath() {
    String classPath = System.getProperty("java.class.path", "");
    String modulePath = System.getProperty("jdk.module.path", "");
    if (modulePath.isEmpty()) {
      return classPath;
    }
    return classPath.isEmpty() ? modulePath : classPath + File.pathSeparator + modulePath;
  }
}
