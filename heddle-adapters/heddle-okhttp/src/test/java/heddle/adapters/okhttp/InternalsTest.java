package heddle.adapters.okhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testwatch.ClassPath;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import okhttp3.OkHttpClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.objectweb.asm.ClassReader;

/** Which internal members of OkHttp the adapter uses, and what happens with another OkHttp. */
@Timeout(60)
class InternalsTest {
  /** The decision about internal members has the reason for each. */
  private static final Set<String> USED = new TreeSet<>(List.of(
      "okhttp3.internal.UnreadableResponseBodyKt.stripBody",
      "okhttp3.internal._HostnamesCommonKt.canParseAsIpAddress",
      "okhttp3.internal.cache.CacheInterceptor.<init>",
      "okhttp3.ConnectionPool.getDelegate$okhttp",
      "okhttp3.internal.connection.RealCall.getClient",
      "okhttp3.internal.connection.RealCall.getEventListener$okhttp",
      "okhttp3.internal.connection.RealCall.getForWebSocket",
      "okhttp3.internal.connection.RealCall.isCanceled",
      "okhttp3.internal.connection.RealCall.request",
      "okhttp3.internal.connection.RealCall.setEventListener$okhttp",
      "okhttp3.internal.connection.RealCall.tag",
      "okhttp3.internal.connection.RealCall.timeout",
      "okhttp3.internal.connection.RealConnectionPool.getKeepAliveDurationNs$okhttp",
      "okhttp3.internal.http.BridgeInterceptor.<init>",
      "okhttp3.internal.http.HttpMethod.INSTANCE",
      "okhttp3.internal.http.HttpMethod.permitsRequestBody",
      "okhttp3.internal.http.HttpMethod.redirectsToGet",
      "okhttp3.internal.http.RealInterceptorChain.<init>",
      "okhttp3.internal.http.RealInterceptorChain.proceed",
      "okhttp3.internal.http.RealResponseBody.<init>",
      "okhttp3.internal.http2.ErrorCode.CANCEL",
      "okhttp3.internal.http2.ErrorCode.Companion",
      "okhttp3.internal.http2.ErrorCode.REFUSED_STREAM",
      "okhttp3.internal.http2.ErrorCode.getHttpCode",
      "okhttp3.internal.http2.ErrorCode$Companion.fromHttp2",
      "okhttp3.internal.http2.StreamResetException.<init>",
      "okhttp3.internal.platform.Platform.get",
      "okhttp3.internal.platform.Platform.getStackTraceForCloseable",
      "okhttp3.internal.platform.Platform.logCloseableLeak",
      "okio.AsyncTimeout.getTimeoutAt$okio"));

  private static Path place(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private static Set<String> used() throws Exception {
    Set<String> found = new TreeSet<>();
    try (Stream<Path> files = Files.walk(place(HeddleInterceptor.class))) {
      for (Path file : files.filter(each -> each.toString().endsWith(".class")).toList()) {
        addInternals(new ClassReader(Files.readAllBytes(file)), found);
      }
    }
    return found;
  }

  /** From the references to members in a class file's table of constants, JVMS section 4.4.2. */
  private static void addInternals(ClassReader type, Set<String> found) {
    char[] buffer = new char[type.getMaxStringLength()];
    for (int i = 1; i < type.getItemCount(); i++) {
      int item = type.getItem(i); // 0 after a long or double; the tag stands before it
      if (item > 0 && type.readByte(item - 1) >= 9 && type.readByte(item - 1) <= 11) {
        String owner = type.readClass(item, buffer).replace('/', '.');
        String name = type.readUTF8(type.getItem(type.readUnsignedShort(item + 2)), buffer);
        if (owner.startsWith("okhttp3.internal.")
            || name.endsWith("$okhttp")
            || name.endsWith("$okio")) {
          found.add(owner + "." + name);
        }
      }
    }
  }

  @Test
  void onlyListedInternalMembersAreUsed() throws Exception {
    assertEquals(USED, used());
  }

  /** Tells who updates OkHttp what has to be looked at. */
  @Test
  void theListedMembersAreThoseOfThisOkHttp() throws Exception {
    for (String each : USED) {
      int dot = each.lastIndexOf('.');
      Class<?> type = Class.forName(each.substring(0, dot));
      String name = each.substring(dot + 1);
      boolean there = name.equals("<init>")
          || Stream.of(type.getMethods()).anyMatch(method -> method.getName().equals(name))
          || Stream.of(type.getFields()).anyMatch(field -> field.getName().equals(name));
      assertTrue(
          there,
          () -> "this OkHttp has no " + each
              + " any more: see the decision about its internal members before updating it");
    }
  }

  /** Loads the adapter with other jars of OkHttp than those of the tests. */
  private static Throwable firstUseWith(Path... jars) throws Exception {
    try (URLClassLoader loader = ClassPath.without("okhttp", jars)) {
      Class<?> client = loader.loadClass("okhttp3.OkHttpClient");
      Class<?> factory = loader.loadClass(HeddleCallFactory.class.getName());
      Object made = client.getConstructor().newInstance();
      try {
        factory.getMethod("of", client).invoke(null, made);
        return new AssertionError("nothing was thrown");
      } catch (java.lang.reflect.InvocationTargetException e) {
        return e.getCause();
      }
    }
  }

  @Test
  void anOlderOkHttpIsNamedWithItsJarAtTheFirstUse(@org.junit.jupiter.api.io.TempDir Path folder)
      throws Exception {
    Path old = folder.resolve("okhttp-4.12.0.jar");
    try (InputStream jar = oldJar()) {
      Files.copy(jar, old);
    }
    Path current = place(OkHttpClient.class);
    Path adapter = place(HeddleInterceptor.class);
    for (Path[] jars : new Path[][] {{old, adapter}, {old, current, adapter}}) {
      Throwable thrown = firstUseWith(jars);
      String message = String.valueOf(thrown.getMessage());
      assertEquals(IllegalStateException.class.getName(), thrown.getClass().getName(), message);
      assertTrue(message.contains("needs OkHttp 5"), message);
      assertTrue(message.contains("OkHttp 4.12.0 was loaded"), message);
      assertTrue(message.contains(old.getFileName().toString()), message);
      assertTrue(message.contains("exclude com.squareup.okhttp3:okhttp "), message);
    }
  }

  /** Copied to the test's class path under this name, so that it is not loaded from there. */
  private static InputStream oldJar() throws IOException {
    return URI.create(
            java.util.Objects.requireNonNull(InternalsTest.class.getResource("/okhttp-4.12.0.jar"))
                .toString())
        .toURL()
        .openStream();
  }
}
