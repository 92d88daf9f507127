import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Run by the profile dist: makes a folder with the heddle command, a Java runtime of the modules
 * that it needs, and an AOT cache, which lets it start sooner; and from the folder an archive and,
 * where Debian's tools are, a package. The runtime is that of the machine that builds.
 */
final class Distribution {
  /** The AOT cache holds for jars of this time only. */
  private static final Instant TIME = Instant.parse("2026-01-01T00:00:00Z");

  private static final boolean WINDOWS = System.getProperty("os.name").startsWith("Windows");
  private static final boolean MAC = System.getProperty("os.name").startsWith("Mac");

  private final Path module;
  private final Path target;
  private final Path dist;
  private final Path folder;

  private Distribution(Path module) {
    this.module = module;
    this.target = module.resolve("target");
    this.dist = target.resolve("dist");
    this.folder = dist.resolve("heddle");
  }

  /**
   * Takes the folder of heddle-cli, its version, whether to make archive and package, and for the
   * package the URL of the project and the name and address of its developer.
   */
  public static void main(String[] arguments) throws Exception {
    var distribution = new Distribution(Path.of(arguments[0]));
    String version = arguments[1];
    distribution.makeFolder(version);
    if (Boolean.parseBoolean(arguments[2])) {
      distribution.makeArchive(version);
      distribution.makePackage(version, arguments[3], arguments[4], arguments[5]);
    }
  }

  private void makeFolder(String version) throws IOException, InterruptedException {
    delete(dist);
    Path input = dist.resolve("input");
    copy(target.resolve("lib"), input.resolve("lib"));
    StartCache.modernize(input.resolve("lib"));
    Path command = input.resolve("heddle-cli.jar");
    Files.copy(target.resolve("heddle-cli-" + version + ".jar"), command);

    Path runtime = dist.resolve("runtime");
    tool("jlink", "--add-modules", modules(command, input.resolve("lib")),
        "--strip-java-debug-attributes", "--no-header-files", "--no-man-pages",
        "--compress", "zip-6", "--output", runtime.toString());
    if (MAC) {
      // On macOS jpackage makes an application bundle, whose folders differ from other systems.
      Files.createDirectories(folder.resolve("bin"));
      Files.createDirectories(folder.resolve("lib"));
      Files.move(input, folder.resolve("lib/app"));
      Files.move(runtime, folder.resolve("lib/runtime"));
    } else {
      tool("jpackage", "--type", "app-image", "--name", "heddle", "--app-version", number(version),
          "--input", input.toString(), "--main-jar", "heddle-cli.jar",
          "--runtime-image", runtime.toString(), "--dest", dist.toString());
      delete(runtime);
      delete(input);
    }
    if (!WINDOWS) {
      // Its options depend on the command, which those of jpackage's launcher cannot.
      for (String unused : List.of("libapplauncher.so", "heddle.png", "app/heddle.cfg")) {
        Files.deleteIfExists(folder.resolve("lib").resolve(unused));
      }
      replace(module.resolve("src/dist/heddle"), folder.resolve("bin/heddle"));
      replace(module.resolve("src/dist/options.sh"), folder.resolve("lib/options.sh"));
      replace(module.resolveSibling("LICENSE"), folder.resolve("LICENSE"));
      try (Stream<Path> jars = Files.walk(folder.resolve("lib/app"))) {
        for (Path jar : jars.filter(file -> file.toString().endsWith(".jar")).toList()) {
          Files.setLastModifiedTime(jar, FileTime.from(TIME));
        }
      }
      StartCache.make(
          folder.resolve("lib/heddle.aot"), List.of(folder.resolve("bin/heddle").toString()));
    }
  }

  /** What the jars import. */
  private String modules(Path command, Path lib) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("--print-module-deps",
        "--ignore-missing-deps", "--multi-release", "25", "-cp", lib + "/*", command.toString()));
    try (Stream<Path> jars = Files.list(lib)) {
      jars.sorted().forEach(jar -> arguments.add(jar.toString()));
    }
    // Warnings come before the answer.
    String found = tool("jdeps", arguments.toArray(String[]::new)).lines()
        .filter(line -> line.startsWith("java.")).reduce((first, second) -> second).orElseThrow();
    // Jackson and JLine do without it; a package with it would need the libraries of X11.
    return Stream.of(found.split(",")).filter(name -> !name.equals("java.desktop"))
        .collect(Collectors.joining(","));
  }

  private void makeArchive(String version) throws IOException, InterruptedException {
    String system = System.getProperty("os.name").toLowerCase(Locale.ROOT).replaceAll(" .*", "");
    String name =
        "heddle-" + version + "-" + system + "-" + System.getProperty("os.arch") + ".tar.gz";
    run(new ProcessBuilder(
        "tar", "-czf", target.resolve(name).toString(), "-C", dist.toString(), "heddle"));
    System.out.println(target.resolve(name));
  }

  /** Only where Debian's tools are: jpackage makes packages for the system that it runs on. */
  private void makePackage(String version, String url, String developer, String address)
      throws IOException {
    if (!Files.exists(Path.of("/usr/bin/dpkg-deb"))
        || !Files.exists(Path.of("/usr/bin/fakeroot"))) {
      System.out.println("no package: dpkg-deb and fakeroot are needed");
      return;
    }
    Path resources = Files.createDirectories(dist.resolve("deb"));
    // jpackage copies the jars, which get the time of that; and it puts no command on the path.
    Files.writeString(resources.resolve("postinst"), """
        #!/bin/sh
        set -e
        if [ "$1" = configure ]; then
          find /opt/heddle/lib/app -name '*.jar' -exec touch -d %s {} +
          update-alternatives --quiet --install /usr/bin/heddle heddle /opt/heddle/bin/heddle 10
        fi
        """.formatted(TIME));
    Files.writeString(resources.resolve("prerm"), """
        #!/bin/sh
        set -e
        if [ "$1" = remove ] || [ "$1" = deconfigure ]; then
          update-alternatives --quiet --remove heddle /opt/heddle/bin/heddle
        fi
        """);
    tool("jpackage", "--type", "deb", "--resource-dir", resources.toString(),
        "--name", "heddle", "--app-version", number(version),
        "--app-image", folder.toString(), "--dest", target.toString(),
        "--license-file", module.resolveSibling("LICENSE").toString(),
        "--about-url", url, "--vendor", developer, "--linux-deb-maintainer", address,
        "--linux-app-category", "net",
        "--description", "HTTP from the command line: requests, servers, loads and races");
  }

  /** Packages have no snapshots: 0.1.0 for 0.1.0-SNAPSHOT. */
  private static String number(String version) {
    return version.replaceAll("-.*", "");
  }

  private static String tool(String name, String... arguments) {
    var output = new StringWriter();
    var errors = new StringWriter();
    int code = ToolProvider.findFirst(name).orElseThrow()
        .run(new PrintWriter(output), new PrintWriter(errors), arguments);
    if (code != 0) {
      throw new IllegalStateException(name + " ended with " + code + ":\n" + output + errors);
    }
    return output.toString();
  }

  private static void run(ProcessBuilder command) throws IOException, InterruptedException {
    Process process = command.redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int code = process.waitFor();
    if (code != 0) {
      throw new IllegalStateException(command.command() + " ended with " + code + ":\n" + output);
    }
  }

  private static void replace(Path from, Path to) throws IOException {
    Files.deleteIfExists(to);
    Files.copy(from, to, StandardCopyOption.COPY_ATTRIBUTES);
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }
}
