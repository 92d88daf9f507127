package heddle.web.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import heddle.http.Response;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 9110 section 12.5.3; the files hold the names of their codings. */
class PrecompressedTest {
  private FilesTree tree;
  private StaticFiles files;

  @BeforeEach
  void makeFiles(@TempDir Path temporary) throws IOException {
    tree = new FilesTree(temporary);
    tree.file("all.js", "none");
    tree.file("all.js.br", "br");
    tree.file("all.js.zst", "zstd");
    tree.file("all.js.gz", "gzip");
    tree.file("zip.js", "none");
    tree.file("zip.js.gz", "gzip");
    tree.file("plain.js", "none");
    tree.file("orphan.js.gz", "gzip");
    files = StaticFiles.directory(tree.root).precompressed().build();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/all.js | gzip, deflate, br, zstd | br",
        "/all.js | gzip | gzip",
        "/all.js | x-gzip | gzip",
        "/all.js | GZIP | gzip",
        "/all.js | gzip, zstd | zstd",
        "/all.js | br;q=0.5, gzip;q=0.8 | gzip",
        "/all.js | br;q=0, gzip;q=0.1 | gzip",
        "/all.js | * | br",
        "/all.js | *, br;q=0 | zstd",
        "/all.js | *;q=0 | none",
        "/all.js | identity | none",
        "/all.js | gzip;q=0.5, identity | none",
        "/all.js | gzip;q=0.5, identity;q=0.4 | gzip",
        "/all.js | gzip, identity | gzip",
        "/all.js | gzip;q=2 | none",
        "/all.js | gzip | gzip",
        "/all.js | gzip ; q=0.001 | gzip",
        "/all.js | deflate | none",
        "/all.js |  | none",
        "/zip.js | br, gzip | gzip",
        "/zip.js | br | none",
        "/zip.js | *;q=0, gzip;q=1 | gzip",
        "/plain.js | gzip, br | none",
      })
  void variantSuitsTheRequest(String row) throws Exception {
    String[] cells = row.split("\\s*\\|\\s*", -1);
    String expected = cells[2];
    Response response = FilesTree.get(files, cells[0], "Accept-Encoding", cells[1]);
    String coding = response.headers().first("Content-Encoding");
    assertEquals(expected.equals("none") ? null : expected, coding);
    assertEquals("Accept-Encoding", response.headers().first("Vary"));
    assertEquals("text/javascript; charset=utf-8", response.headers().first("Content-Type"));
    assertEquals(expected, response.string());
  }

  @Test
  void withoutAcceptEncodingThePlainFileIsSentAndVaries() throws Exception {
    Response response = FilesTree.get(files, "/all.js");
    assertNull(response.headers().first("Content-Encoding"));
    assertEquals("Accept-Encoding", response.headers().first("Vary"));
    assertEquals("none", response.string());
  }

  @Test
  void eachVariantHasItsTag() throws Exception {
    Set<String> tags = new HashSet<>();
    for (String coding : new String[] {"identity", "br", "zstd", "gzip"}) {
      Response response = FilesTree.get(files, "/all.js", "Accept-Encoding", coding);
      String tag = response.headers().first("ETag");
      tags.add(tag);
      Response again =
          FilesTree.get(files, "/all.js", "Accept-Encoding", coding, "If-None-Match", tag);
      assertEquals(304, again.status().code());
      assertEquals("Accept-Encoding", again.headers().first("Vary"));
      assertNull(again.headers().first("Content-Encoding"));
    }
    assertEquals(4, tags.size());
    String gzip =
        FilesTree.get(files, "/all.js", "Accept-Encoding", "gzip").headers().first("ETag");
    Response other = FilesTree.get(files, "/all.js", "If-None-Match", gzip);
    assertEquals(200, other.status().code());
  }

  @Test
  void rangeIsOneOfTheVariant() throws Exception {
    Response response =
        FilesTree.get(files, "/all.js", "Accept-Encoding", "gzip", "Range", "bytes=1-2");
    assertEquals(206, response.status().code());
    assertEquals("gzip", response.headers().first("Content-Encoding"));
    assertEquals("zi", response.string());
  }

  @Test
  void compressedFileAloneIsNoVariant() throws Exception {
    Response missing = FilesTree.get(files, "/orphan.js", "Accept-Encoding", "gzip");
    assertEquals(404, missing.status().code());
    Response itself = FilesTree.get(files, "/orphan.js.gz", "Accept-Encoding", "gzip");
    assertEquals("application/gzip", itself.headers().first("Content-Type"));
    assertNull(itself.headers().first("Content-Encoding"));
  }

  @Test
  void variantsAreSentOnlyIfAskedFor() throws Exception {
    StaticFiles plain = StaticFiles.directory(tree.root).build();
    Response response = FilesTree.get(plain, "/all.js", "Accept-Encoding", "gzip");
    assertEquals("none", response.string());
    assertNull(response.headers().first("Vary"));
  }
}
