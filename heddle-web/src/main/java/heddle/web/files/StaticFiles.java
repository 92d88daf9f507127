package heddle.web.files;

import heddle.http.HeaderName;
import heddle.http.MediaType;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.io.FileStreams;
import heddle.server.spi.Exchange;
import heddle.server.spi.ExchangeHandler;
import heddle.web.conditional.EntityTag;
import heddle.web.conditional.Representation;
import heddle.web.syntax.AcceptEncoding;
import java.io.IOException;
import java.net.URL;
import java.nio.file.FileSystems;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Answers GET and HEAD with files of a directory or of the class path, with ETag and Last-Modified,
 * conditional requests, and ranges: see {@link Representation}. Content is sent while it is read.
 *
 * <pre>{@code
 * StaticFiles site =
 *     StaticFiles.directory(Path.of("public"))
 *         .prefix("/static")
 *         .cacheControl("assets/**", "public, max-age=31536000, immutable")
 *         .precompressed()
 *         .build();
 * Router router = Router.builder().get("/static/{path...}", site::handle).build();
 * }</pre>
 *
 * <p>A path is decoded once. It is answered 404, as a file that does not exist is, if it is
 * malformed or a segment of it could be anything other than the name of a file: one that is empty,
 * {@code .} or {@code ..}; that holds a slash, backslash, colon or control character, escaped or
 * not; that ends with a dot or a space, or holds a tilde followed by a digit, which Windows takes
 * for another name; or that begins with a dot, unless it is {@linkplain Builder#hidden allowed}.
 * Symbolic links that lead out of the directory are not followed, and what is not a regular file is
 * not served. Those who can write to the directory are trusted: between the check of a file
 * and its opening it could be replaced. Directories are never listed: one with an index file is
 * answered with that, and redirected to if the slash at its end is missing; others do not exist.
 *
 * <p>Tags are strong, from a file's size and the nanosecond of its last change, but weak for two
 * seconds after it: {@link EntityTag#ofFile}. Entries of JAR files have tags from size and CRC-32.
 * Replace files by renaming others to their names; one that shrinks while it is sent cuts its
 * response. Every response with content has {@code X-Content-Type-Options: nosniff}. Safe for use
 * by several threads.
 */
public final class StaticFiles implements ExchangeHandler {
  private static final String NO_SNIFF = "nosniff";

  private final FileTree tree;
  private final Function<Exchange, @Nullable String> path;
  private final List<String> indexes;
  private final Set<String> hidden;
  private final List<CacheRule> cacheRules;
  private final MediaTypes mediaTypes;
  private final boolean isPrecompressed;
  private final @Nullable FilePath fallback;
  private final ExchangeHandler missing;

  private StaticFiles(Builder builder) {
    tree = builder.tree;
    path = builder.path;
    indexes = builder.indexes;
    hidden = Set.copyOf(builder.hidden);
    cacheRules = List.copyOf(builder.cacheRules);
    mediaTypes = new MediaTypes(builder.mediaTypes);
    isPrecompressed = builder.isPrecompressed;
    missing = builder.missing;
    String other = builder.fallback;
    fallback = other == null ? null : FilePath.parse(other, hidden);
    if (other != null && (fallback == null || fallback.name().isEmpty() || fallback.isFolder())) {
      throw new IllegalArgumentException("the fallback " + other + " is not the path of a file"
          + " below the root: give one such as index.html");
    }
  }

  /** Which files a rule of {@link Builder#cacheControl} is for. */
  private record CacheRule(PathMatcher files, String value) {}

  /** What was found: a file, or that its directory's path needs a slash at the end. */
  private record Found(@Nullable Representation file) {
    static final Found WITHOUT_SLASH = new Found(null);
  }

  /**
   * A builder for the files below a directory, which may be a symbolic link.
   *
   * @throws IOException if there is no such directory
   */
  public static Builder directory(Path root) throws IOException {
    return new Builder(new DirectoryTree(root));
  }

  /**
   * A builder for the files below a folder of a class loader's class path. In a named module the
   * folder must be one that is no package (such as {@code web-root}, with a hyphen), or an open
   * one; see the other method for those that are not open.
   *
   * @param folder such as {@code static}; not empty, for classes are not served
   * @throws IllegalArgumentException if the folder is empty, or no plain path
   */
  public static Builder resources(ClassLoader loader, String folder) {
    Objects.requireNonNull(loader, "loader");
    return resources(loader::getResource, folder);
  }

  /**
   * A builder for the files that a function finds. A function in the application's own module finds
   * those of packages that are not open to others:
   *
   * <pre>{@code
   * StaticFiles.resources(name -> App.class.getResource("/" + name), "static")
   * }</pre>
   *
   * @param lookup from a name such as {@code static/css/site.css} to its URL, null if there is
   *     none; symbolic links are not checked in what it finds
   * @throws IllegalArgumentException if the folder is empty, or no plain path
   */
  public static Builder resources(Function<String, @Nullable URL> lookup, String folder) {
    Objects.requireNonNull(lookup, "lookup");
    FilePath parsed = FilePath.parse(folder, Set.of());
    if (parsed == null || parsed.segments().isEmpty()) {
      throw new IllegalArgumentException("the folder '" + folder + "' is not a plain path:"
          + " give one such as static, which holds nothing but what everyone may see");
    }
    return new Builder(new ResourceTree(lookup, parsed + "/"));
  }

  /**
   * Answers a request.
   *
   * @return 200, 206, 304, 404, 405, 412 or 416; 301 to the path of a directory with a slash at its
   *     end; for a file that does not exist what {@link Builder#missing} answers
   * @throws IOException if a file system or a JAR file fails
   */
  @Override
  public @Nullable Response handle(Exchange exchange) throws Exception {
    Request request = exchange.request();
    Method method = request.method();
    if (!method.equals(Method.GET) && !method.equals(Method.HEAD)) {
      return Response.builder(Status.METHOD_NOT_ALLOWED)
          .header(HeaderName.ALLOW, "GET, HEAD")
          .build();
    }
    String escaped = path.apply(exchange);
    FilePath wanted = escaped == null ? null : FilePath.parse(escaped, hidden);
    Found found = wanted == null ? null : FileStreams.call(() -> find(wanted, request));
    if (found == null) {
      return missing.handle(exchange);
    }
    return found.file == null ? redirect(request) : found.file.respond(request);
  }

  private @Nullable Found find(FilePath wanted, Request request) throws IOException {
    Representation file = wanted.isFolder() ? null : select(wanted, request);
    if (file != null) {
      return new Found(file);
    }
    for (String index : indexes) {
      Representation page = select(wanted.child(index), request);
      if (page != null) {
        return wanted.isFolder() ? new Found(page) : Found.WITHOUT_SLASH;
      }
    }
    boolean isPage = wanted.name().indexOf('.') < 0;
    Representation instead = fallback != null && isPage ? select(fallback, request) : null;
    return instead == null ? null : new Found(instead);
  }

  /** The representation that suits the request best; null if there is no such file. */
  private @Nullable Representation select(FilePath file, Request request) throws IOException {
    FileTree.Item plain = file.segments().isEmpty() ? null : tree.find(file);
    if (plain == null || !isPrecompressed) {
      return plain == null ? null : represent(file, plain, null);
    }
    Coding best = null;
    FileTree.Item item = plain;
    AcceptEncoding accepted = AcceptEncoding.of(request.headers());
    int most = Coding.weightOfIdentity(accepted);
    for (Coding coding : Coding.values()) {
      int quality = Coding.weight(accepted, coding);
      boolean isBetter = quality > most || (quality == most && quality > 0 && best == null);
      FileTree.Item compressed = isBetter ? tree.find(file.withSuffix(coding.suffix)) : null;
      if (compressed != null) {
        best = coding;
        item = compressed;
        most = quality;
      }
    }
    return represent(file, item, best);
  }

  private Representation represent(FilePath file, FileTree.Item item, @Nullable Coding coding) {
    EntityTag tag = item.tag();
    Representation.Builder built = Representation.of(item.length(), item.content())
        .mediaType(mediaTypes.of(file.name()))
        .lastModified(item.lastModified())
        .tag(tag == null || coding == null ? tag : tag.ofVariant(coding.token))
        .header(HeaderName.X_CONTENT_TYPE_OPTIONS, NO_SNIFF);
    if (isPrecompressed) {
      built.header(HeaderName.VARY, HeaderName.ACCEPT_ENCODING.toString());
    }
    if (coding != null) {
      built.header(HeaderName.CONTENT_ENCODING, coding.token);
    }
    String cacheControl = cacheControl(file);
    if (cacheControl != null) {
      built.header(HeaderName.CACHE_CONTROL, cacheControl);
    }
    return built.build();
  }

  private @Nullable String cacheControl(FilePath file) {
    if (cacheRules.isEmpty()) {
      return null;
    }
    Path relative;
    try {
      relative = Path.of(file.toString());
    } catch (InvalidPathException e) {
      return null; // A resource whose name is no name of a file on this system.
    }
    for (CacheRule rule : cacheRules) {
      if (rule.files.matches(relative)) {
        return rule.value;
      }
    }
    return null;
  }

  /** To the last segment and a slash: relative, so that no path can be taken for another host. */
  private static Response redirect(Request request) {
    String path = request.path();
    String query = request.query();
    String last = path.substring(path.lastIndexOf('/') + 1);
    String location = "./" + last + "/" + (query == null ? "" : "?" + query);
    return Response.builder(Status.MOVED_PERMANENTLY)
        .header(HeaderName.LOCATION, location)
        .build();
  }

  /** Collects what to serve and how. Not safe for use by several threads. */
  public static final class Builder {
    private final FileTree tree;
    private final Set<String> hidden = new HashSet<>();
    private final List<CacheRule> cacheRules = new ArrayList<>();
    private final Map<String, MediaType> mediaTypes = new HashMap<>();
    private Function<Exchange, @Nullable String> path =
        exchange -> exchange.request().path();
    private List<String> indexes = List.of("index.html");
    private boolean isPrecompressed;
    private @Nullable String fallback;
    private ExchangeHandler missing = exchange -> Response.of(Status.NOT_FOUND);

    private Builder(FileTree tree) {
      this.tree = tree;
    }

    /**
     * Serves the paths that begin with a prefix, as files below the root without it; others do not
     * exist. By default there is no prefix.
     *
     * @param prefix such as {@code /static}, escaped as in requests
     * @throws IllegalArgumentException if it does not begin with a slash
     */
    public Builder prefix(String prefix) {
      if (!prefix.startsWith("/")) {
        throw new IllegalArgumentException(
            "the prefix '" + prefix + "' does not begin with a slash: paths of requests do");
      }
      String before = prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix;
      return escapedPath(exchange -> below(before, exchange.request().path()));
    }

    private static @Nullable String below(String prefix, String path) {
      boolean isBelow = path.startsWith(prefix)
          && (path.length() == prefix.length() || path.charAt(prefix.length()) == '/');
      return isBelow ? path.substring(prefix.length()) : null;
    }

    /**
     * Takes the path of the file from a function, such as one that asks a router. By default it is
     * the path of the request.
     *
     * @param newPath returns a path with its escapes as they are in the request, since it is
     *     decoded here: a path that is decoded twice could lead elsewhere; null if there is no file
     */
    public Builder escapedPath(Function<Exchange, @Nullable String> newPath) {
      path = Objects.requireNonNull(newPath, "newPath");
      return this;
    }

    /** Sets the names of index files, the first that exists is served; {@code index.html}. */
    public Builder index(String... names) {
      indexes = List.of(names);
      return this;
    }

    /**
     * Serves files and directories although their names begin with a dot.
     *
     * @param names such as {@code .well-known}
     */
    public Builder hidden(String... names) {
      hidden.addAll(List.of(names));
      return this;
    }

    /**
     * Sets the media type of files by the ending of their names, ignoring case; before the built-in
     * ones. Files with unknown endings are application/octet-stream.
     *
     * @param ending without a dot, such as {@code wasm}
     */
    public Builder mediaType(String ending, MediaType mediaType) {
      mediaTypes.put(ending.toLowerCase(Locale.ROOT), Objects.requireNonNull(mediaType));
      return this;
    }

    /**
     * Sets Cache-Control for the files that a pattern matches; the first rule that matches counts.
     * Without one the field is not sent.
     *
     * @param glob as {@link java.nio.file.FileSystem#getPathMatcher} describes it, for the path
     *     below the root without a slash at its start: {@code assets/**}, <code>**.{js,css}</code>
     * @param value such as {@code public, max-age=31536000, immutable}
     * @throws IllegalArgumentException if the pattern is malformed
     */
    public Builder cacheControl(String glob, String value) {
      PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + glob);
      cacheRules.add(new CacheRule(matcher, Objects.requireNonNull(value, "value")));
      return this;
    }

    /**
     * Sends {@code name.br}, {@code name.zst} or {@code name.gz} instead of the file {@code name}
     * which it is next to, if the client accepts that coding; with {@code Vary: Accept-Encoding} on
     * all responses. Off by default. The compressed file must hold what the other one does.
     */
    public Builder precompressed() {
      isPrecompressed = true;
      return this;
    }

    /**
     * Serves this file for paths of which no file exists, and whose last segment has no dot: for
     * applications that run in the browser and have paths of pages. A missing image or script stays
     * 404, and so does a path that is refused.
     *
     * @param file its path below the root, such as {@code index.html}
     */
    public Builder fallback(String file) {
      fallback = Objects.requireNonNull(file, "file");
      return this;
    }

    /** Answers requests for files that do not exist; by default with 404. */
    public Builder missing(ExchangeHandler handler) {
      missing = Objects.requireNonNull(handler, "handler");
      return this;
    }

    /**
     * Builds the handler.
     *
     * @throws IllegalArgumentException if the fallback is not the path of a file
     */
    public StaticFiles build() {
      return new StaticFiles(this);
    }
  }
}
