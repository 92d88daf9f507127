package heddle.web.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.brotli.BrotliCoding;
import heddle.http.ContentCoding;
import heddle.http.Headers;
import heddle.zstd.ZstdCoding;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The choice of a content coding, by RFC 9110 §12.5.3. */
class CodingChoiceTest {
  private static final List<ContentCoding> CODINGS =
      List.of(new BrotliCoding(), new ZstdCoding(), Compression.gzip());

  private static String choose(Headers request) {
    ContentCoding coding = CodingChoice.of(CODINGS, request);
    return coding == null ? "none" : coding.name();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gzip | gzip",
        "GZip | gzip",
        "x-gzip | gzip",
        "gzip, deflate, br, zstd | br",
        "gzip;q=1.0, br;q=0.9 | gzip",
        "gzip;q=0.001 | gzip",
        "gzip;q=0 | none",
        "gzip;q=0.000, zstd ; Q=0.5 | zstd",
        "* | br",
        "*;q=0.5, gzip | gzip",
        "*, br;q=0 | zstd",
        "*;q=0 | none",
        "identity | none",
        "identity;q=1, gzip;q=0.5 | none",
        "identity;q=0.5, gzip;q=1 | gzip",
        "identity;q=0.5, gzip;q=0.5 | gzip",
        "identity;q=0 | none",
        "deflate, compress | none",
        "'' | none",
        ", ,gzip,, | gzip",
        "gzip;q=2 | none",
        "gzip;q=1.001 | none",
        "gzip;q=0.1234 | none",
        "gzip;q=a, br | br",
        "gzip;q=-1 | none",
        "gzip;q=0x1 | none",
        "gzip;level=9 | none",
        "gzip;q= | none",
      })
  void clientsWeigh(String field, String coding) {
    assertEquals(coding, choose(Headers.of("Accept-Encoding", field)));
  }

  @Test
  void severalFieldsAreOneList() {
    assertEquals(
        "zstd",
        choose(Headers.of("Accept-Encoding", "gzip;q=0.5", "Accept-Encoding", "zstd;q=0.7")));
  }

  @Test
  void withoutTheFieldNothingIsCompressed() {
    assertEquals("none", choose(Headers.empty()));
  }
}
