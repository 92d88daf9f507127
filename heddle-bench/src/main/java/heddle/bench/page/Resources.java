package heddle.bench.page;

import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.Template;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Properties;
import java.util.zip.GZIPOutputStream;

/** The resources of the page, from the class path. */
final class Resources {

  private static final String CHARTS = "/META-INF/maven/org.webjars.npm/chart.js/pom.properties";

  private Resources() {}

  /** A file of this package. */
  static String own(String name) {
    return text("/heddle/bench/page/" + name);
  }

  /** A template of this package, which may include others. */
  static Template template(String name) {
    return Mustache.compiler()
        .emptyStringIsFalse(true)
        .nullValue("")
        .withLoader(part -> new StringReader(own(part + ".html")))
        .compile(own(name + ".html"));
  }

  /**
   * The library that draws the charts, without the URL of its source map, which a browser would
   * load.
   */
  static String charts() {
    return chartFile("dist/chart.umd.min.js").replaceAll("(?m)^//# sourceMappingURL=.*$", "");
  }

  /** Its license, which must be distributed with it. */
  static String chartLicense() {
    return chartFile("LICENSE.md");
  }

  private static String chartFile(String name) {
    Properties released = new Properties();
    try {
      released.load(new StringReader(text(CHARTS)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String version = released.getProperty("version");
    return text("/META-INF/resources/webjars/chart.js/" + version + "/" + name);
  }

  /** Text in the form in which a page carries it: compressed by gzip, in Base64. */
  static String packed(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream zip = new GZIPOutputStream(bytes)) {
      zip.write(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Base64.getEncoder().encodeToString(bytes.toByteArray());
  }

  /** The hash of a script for a content security policy (CSP Level 3, §2.3.1). */
  static String hash(String script) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(script.getBytes(StandardCharsets.UTF_8));
      return "sha256-" + Base64.getEncoder().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static String text(String path) {
    try (InputStream in = Resources.class.getResourceAsStream(path)) {
      if (in == null) {
        throw new IllegalStateException(path + " is not on the class path");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
