import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * Makes an AOT cache, with which the command starts in half the time: the JVM finds in it the
 * classes of one run, loaded and linked. The cache holds for the jars and the JVM that made it; a
 * JVM that finds others starts without it.
 */
final class StartCache {
  /** Classes of an earlier version are linked by the old verifier, and so are never cached. */
  private static final int EARLIEST = ClassFile.JAVA_6_VERSION;

  private static final ClassTransform MODERN = ((ClassTransform) (builder, element) -> {
        if (element instanceof ClassFileVersion) {
          builder.withVersion(ClassFile.JAVA_8_VERSION, 0);
        } else {
          builder.with(element);
        }
      })
      // Writes the code anew, with the stack maps that this version asks for.
      .andThen(ClassTransform.transformingMethodBodies(CodeTransform.ACCEPT_ALL));

  /** The licence of picocli, Apache 2.0, asks for it in section 4. */
  private static final String NOTICE = """
      The class files of this jar were converted from version 49 (Java 5) to 52 (Java 8) for \
      Heddle, so that the JVM can cache them. Nothing else was changed.
      """;

  private static final String NOTICE_NAME = "META-INF/NOTICE-OF-CHANGES";

  private StartCache() {}

  /** Takes the folder of the jars, the cache to make, and the command without its arguments. */
  public static void main(String[] arguments) throws Exception {
    modernize(Path.of(arguments[0]));
    make(Path.of(arguments[1]), List.of(arguments).subList(2, arguments.length));
  }

  /** Gives old classes, which picocli has, the form that the cache takes. */
  static void modernize(Path lib) throws IOException {
    List<Path> jars;
    try (Stream<Path> files = Files.list(lib)) {
      jars = files.filter(file -> file.getFileName().toString().startsWith("picocli-")).toList();
    }
    for (Path jar : jars) {
      if (isModern(jar)) {
        continue; // Converted for an earlier build.
      }
      Path modern = jar.resolveSibling("." + jar.getFileName());
      FileTime time = Files.getLastModifiedTime(jar);
      if (copy(jar, modern)) {
        Files.setLastModifiedTime(modern, time);
        Files.move(modern, jar, StandardCopyOption.ATOMIC_MOVE);
      } else {
        Files.delete(modern);
      }
    }
  }

  private static boolean isModern(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      return file.getEntry(NOTICE_NAME) != null;
    }
  }

  /** Returns whether a class was old. */
  private static boolean copy(Path from, Path to) throws IOException {
    boolean changed = false;
    try (URLClassLoader classes = new URLClassLoader(new URL[] {from.toUri().toURL()});
        JarFile jar = new JarFile(from.toFile());
        OutputStream file = Files.newOutputStream(to);
        JarOutputStream modern = new JarOutputStream(file)) {
      ClassFile format = ClassFile.of(
          StackMapsOption.GENERATE_STACK_MAPS,
          ClassHierarchyResolverOption.of(ClassHierarchyResolver.ofResourceParsing(classes)));
      for (JarEntry entry : jar.stream().toList()) {
        byte[] content;
        try (InputStream in = jar.getInputStream(entry)) {
          content = in.readAllBytes();
        }
        if (entry.getName().endsWith(".class")) {
          ClassModel model = format.parse(content);
          if (model.majorVersion() < EARLIEST) {
            changed = true;
            content = format.transformClass(model, MODERN);
          }
        }
        JarEntry copied = new JarEntry(entry.getName());
        copied.setTime(entry.getTime());
        modern.putNextEntry(copied);
        modern.write(content);
        modern.closeEntry();
      }
      JarEntry notice = new JarEntry(NOTICE_NAME);
      notice.setTime(Files.getLastModifiedTime(from).toMillis());
      modern.putNextEntry(notice);
      modern.write(NOTICE.getBytes(StandardCharsets.UTF_8));
      modern.closeEntry();
    }
    return changed;
  }

  /**
   * Lets the command make one request, from which the JVM learns what to have ready: over http, and
   * after a redirect over https.
   */
  static void make(Path cache, List<String> command) throws IOException, InterruptedException {
    Path made = Path.of(cache + "." + ProcessHandle.current().pid());
    Process server = process(command, "serve", "--tls", "--port", "0")
        .redirectError(ProcessBuilder.Redirect.INHERIT).start();
    HttpServer redirecting =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    try (BufferedReader lines = server.inputReader(StandardCharsets.UTF_8)) {
      String line = lines.readLine();
      if (line == null) {
        throw new IllegalStateException("the server ended before it listened: " + command);
      }
      String secure = line.replaceAll(".*(https://\\S+).*", "$1") + "/hello";
      redirecting.createContext("/", exchange -> {
        exchange.getResponseHeaders().set("Location", secure);
        exchange.sendResponseHeaders(302, -1);
        exchange.close();
      });
      redirecting.start();
      // The server's certificate is its own, so it is not checked.
      ProcessBuilder request = process(
          command,
          "get",
          "-i",
          "--location",
          "--insecure",
          "http://127.0.0.1:" + redirecting.getAddress().getPort());
      // Not among the arguments: the launcher of a distribution takes none for the JVM.
      // The quotes are for a path with spaces.
      request.environment().put("JDK_JAVA_OPTIONS", "\"-XX:AOTCacheOutput=" + made + '"');
      Process run = request.redirectErrorStream(true).start();
      String output = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (run.waitFor() != 0 || !Files.exists(made)) {
        throw new IllegalStateException("no AOT cache was made:\n" + output);
      }
      Files.move(made, cache, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      redirecting.stop(0);
      server.destroy();
      server.waitFor();
    }
  }

  private static ProcessBuilder process(List<String> command, String... arguments) {
    List<String> all = new ArrayList<>(command);
    all.addAll(List.of(arguments));
    return new ProcessBuilder(all);
  }
}
