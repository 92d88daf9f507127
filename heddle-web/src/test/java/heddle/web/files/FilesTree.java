package heddle.web.files;

import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.Origin;
import heddle.http.Request;
import heddle.http.Response;
import heddle.web.testkit.TestExchange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Objects;

/** A directory of files that may be served, with others around it that may not. */
final class FilesTree {
  static final Instant CHANGED = Instant.parse("2020-01-02T03:04:05.678Z");
  static final String SECRET = "the secret";

  final Path outside;
  final Path root;

  FilesTree(Path outside) throws IOException {
    this.outside = outside;
    this.root = Files.createDirectory(outside.resolve("public"));
    Files.writeString(outside.resolve("secret.txt"), SECRET);
    Files.createDirectory(outside.resolve("public-not"));
    Files.writeString(outside.resolve("public-not/secret.txt"), SECRET);
  }

  /** Makes a file that has not changed for long. */
  Path file(String path, String content) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    Files.writeString(file, content);
    return Files.setLastModifiedTime(file, FileTime.from(CHANGED));
  }

  /** What is answered to a request with this target. */
  static Response answer(StaticFiles files, Method method, String target, String... fields)
      throws Exception {
    Request request = Request.builder(Origin.http("site", 80), method, target)
        .headers(Headers.of(fields))
        .build();
    return TestExchange.call(files, request);
  }

  static Response get(StaticFiles files, String target, String... fields) throws Exception {
    return answer(files, Method.GET, target, fields);
  }
}
