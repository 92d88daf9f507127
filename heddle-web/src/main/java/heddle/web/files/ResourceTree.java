package heddle.web.files;

import heddle.web.conditional.EntityTag;
import heddle.web.conditional.Representation;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Path;
import java.time.Instant;
import java.util.function.Function;
import java.util.jar.JarEntry;
import org.jspecify.annotations.Nullable;

/** Files in a folder of the class path, or of a module. */
final class ResourceTree implements FileTree {
  private final Function<String, @Nullable URL> lookup;
  private final String folder;

  /**
   * @param folder with a slash at its end, and none at its start
   */
  ResourceTree(Function<String, @Nullable URL> lookup, String folder) {
    this.lookup = lookup;
    this.folder = folder;
  }

  @Override
  public @Nullable Item find(FilePath path) throws IOException {
    URL url = lookup.apply(folder + path);
    if (url == null || url.getPath().endsWith("/")) {
      return null;
    }
    if (url.getProtocol().equals("file")) {
      try {
        return DirectoryTree.item(Path.of(url.toURI()).toRealPath());
      } catch (URISyntaxException e) {
        throw new IOException("cannot read " + url, e);
      }
    }
    URLConnection connection = url.openConnection();
    if (connection instanceof JarURLConnection jar) {
      JarEntry entry = jar.getJarEntry();
      return entry == null || entry.isDirectory() ? null : entry(entry, url);
    }
    InputStream opened = connection.getInputStream();
    try (opened) {
      long length = connection.getContentLengthLong();
      if (length < 0) {
        throw new IOException("cannot serve " + url + ": its length is not known");
      }
      return new Item(length, null, null, content(url));
    }
  }

  /** The time of an entry is often that of no change, so that builds can be repeated. */
  private static Item entry(JarEntry entry, URL url) {
    EntityTag tag = EntityTag.strong(
        Long.toHexString(entry.getSize()) + "-" + Long.toHexString(entry.getCrc()));
    Instant modified = entry.getTime() < 0 ? null : Instant.ofEpochMilli(entry.getTime());
    return new Item(entry.getSize(), modified, tag, content(url));
  }

  private static Representation.Content content(URL url) {
    return offset -> {
      InputStream in = url.openStream();
      try {
        in.skipNBytes(offset);
        return in;
      } catch (IOException | RuntimeException e) {
        in.close();
        throw e;
      }
    };
  }
}
