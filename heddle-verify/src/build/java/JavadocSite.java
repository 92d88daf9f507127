import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.DocumentationTool;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;

/**
 * Writes the Javadoc of all named modules into one site, and fails if anything in it is wrong or
 * has no comment.
 *
 * <p>Arguments: the root of the checkout, the folder of the site, the version, and the class path
 * that has the modules' libraries.
 */
final class JavadocSite {

  /** A summary may say all of this: "The port, 1 to 65535" needs no second sentence. */
  private static final Pattern SAID_BY_THE_SUMMARY =
      Pattern.compile("no (@param|@return|@throws|main description)\\b");

  private static final Pattern MODULE = Pattern.compile("(?m)^(?:open )?module ([\\w.]+) \\{");

  private JavadocSite() {}

  public static void main(String[] args) throws IOException {
    Path root = Path.of(args[0]);
    Path site = Path.of(args[1]);
    Map<String, Path> modules = modules(root);
    List<String> options = new ArrayList<>(List.of(
        "-d",
        site.toString(),
        "-quiet",
        "-locale",
        "en",
        "-encoding",
        "UTF-8",
        "-notimestamp",
        "-Xmaxwarns",
        "10000",
        "-Xdoclint:all",
        "-windowtitle",
        "Heddle " + args[2],
        "-doctitle",
        "Heddle " + args[2],
        "-overview",
        root.resolve("heddle-verify/src/build/javadoc/overview.html").toString(),
        "--module-path",
        libraries(root, args[3]),
        "--module",
        String.join(",", modules.keySet())));
    modules.forEach((name, sources) -> {
      options.add("--module-source-path");
      options.add(name + "=" + sources);
    });
    DocumentationTool javadoc = ToolProvider.getSystemDocumentationTool();
    var found = new DiagnosticCollector<JavaFileObject>();
    var files = javadoc.getStandardFileManager(found, Locale.ENGLISH, StandardCharsets.UTF_8);
    boolean done = javadoc.getTask(null, files, found, null, options, null).call();
    // Doclint gives all of its findings the same code.
    List<String> problems = found.getDiagnostics().stream()
        .filter(each -> each.getKind() != Diagnostic.Kind.NOTE)
        .filter(each -> !SAID_BY_THE_SUMMARY.matcher(each.getMessage(Locale.ENGLISH)).find())
        .map(Object::toString)
        .toList();
    problems.forEach(System.err::println);
    if (!done || !problems.isEmpty()) {
      System.err.println("javadoc: " + problems.size() + " problems in " + modules.size()
          + " modules: see above");
      System.exit(1);
    }
    System.out.println("javadoc: " + modules.size() + " modules in " + site.resolve("index.html"));
  }

  /** The folders of sources by the names of their modules. */
  private static Map<String, Path> modules(Path root) throws IOException {
    Map<String, Path> modules = new TreeMap<>();
    for (Path parent : List.of(root, root.resolve("heddle-adapters"))) {
      try (Stream<Path> folders = Files.list(parent)) {
        for (Path folder : folders.toList()) {
          Path sources = folder.resolve("src/main/java");
          Path description = sources.resolve("module-info.java");
          if (Files.exists(description)) {
            Matcher name = MODULE.matcher(Files.readString(description));
            if (!name.find()) {
              throw new IOException(description + " names no module");
            }
            modules.put(name.group(1), sources);
          }
        }
      }
    }
    return modules;
  }

  /** Spring and Jersey bring the same package in modules of different names. */
  private static boolean isRepackaged(Path jar) {
    return jar.getFileName().toString().startsWith("aopalliance-repackaged");
  }

  /** The entries of the class path that are not the project's own. */
  private static String libraries(Path root, String classPath) {
    return Stream.of(classPath.split(File.pathSeparator))
        .map(Path::of)
        .filter(Files::exists) // tests need not have been compiled
        .filter(each -> !real(each).startsWith(real(root)))
        .filter(each -> !isRepackaged(each))
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
