package heddle.verify;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.brotli.BrotliCoding;
import heddle.client.coding.ContentCodings;
import heddle.client.settings.DecodingLimits;
import heddle.http.Body;
import heddle.http.ContentCoding;
import heddle.http.HeaderName;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.failure.MalformedMessageException;
import heddle.testwatch.FuzzTarget;
import heddle.zstd.ZstdCoding;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;

/** What a server sends as coded content. */
enum CodingTarget implements FuzzTarget {
  GZIP("gzip"),
  DEFLATE("deflate"),
  BROTLI("br"),
  ZSTD("zstd");

  private static final int MOST_BYTES = 16 << 10;
  private static final DecodingLimits LIMITS =
      DecodingLimits.builder().maxBytes(MOST_BYTES).build();
  private static final List<ContentCoding> CODINGS = List.of(new BrotliCoding(), new ZstdCoding());

  private final String coding;

  CodingTarget(String coding) {
    this.coding = coding;
  }

  private record Result(byte[] content, boolean failed) {}

  /** Coded content is decoded or refused however it arrives, and what is encoded is decoded. */
  @Override
  public void run(byte[] input) throws IOException {
    Result whole = decoded(input, input.length, 8192);
    Result cut = decoded(input, 1, 8192);
    Result slow = decoded(input, input.length, 1);
    // What is noticed first of two faults depends on how the bytes arrive.
    assertEquals(whole.failed(), cut.failed());
    assertEquals(whole.failed(), slow.failed());
    if (!whole.failed()) {
      assertArrayEquals(whole.content(), cut.content());
      assertArrayEquals(whole.content(), slow.content());
    }
    byte[] coded = encoded(input);
    Result same = decoded(coded, 7, 8192);
    if (input.length <= MOST_BYTES) {
      assertFalse(same.failed());
      assertArrayEquals(input, same.content());
    }
  }

  /** Of coded bytes that arrive {@code most} at a time, read in pieces of a size. */
  private Result decoded(byte[] coded, int most, int piece) throws IOException {
    Body arriving = Body.of(new ByteArrayInputStream(coded) {
      @Override
      public int read(byte[] target, int offset, int count) {
        return super.read(target, offset, Math.min(count, Math.max(1, most)));
      }
    });
    Response response = Response.builder(Status.OK)
        .header(HeaderName.CONTENT_ENCODING, coding)
        .body(arriving)
        .build();
    Body body = new ContentCodings(LIMITS, CODINGS)
        .intercept(Request.get("http://a/"), request -> response)
        .body();
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    byte[] chunk = new byte[piece];
    boolean failed = false;
    try (InputStream in = body.stream()) {
      for (int n; (n = in.read(chunk)) >= 0; ) {
        content.write(chunk, 0, n);
        assertTrue(content.size() <= MOST_BYTES, "more than the limit");
      }
    } catch (MalformedMessageException e) {
      assertFalse(e.getMessage().isBlank());
      failed = true;
    }
    return new Result(content.toByteArray(), failed);
  }

  private byte[] encoded(byte[] content) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (OutputStream encoder = encoder(out)) {
      encoder.write(content);
    } catch (IOException e) {
      throw new AssertionError("only memory is written", e);
    }
    return out.toByteArray();
  }

  private OutputStream encoder(OutputStream out) throws IOException {
    return switch (this) {
      case GZIP -> new GZIPOutputStream(out);
      case DEFLATE -> new DeflaterOutputStream(out);
      case BROTLI -> new BrotliCoding().encoder(out);
      case ZSTD -> new ZstdCoding().encoder(out);
    };
  }

  @Override
  public List<byte[]> seeds() {
    byte[] text = encoded("warp and weft ".repeat(20).getBytes(UTF_8));
    byte[] zeros = encoded(new byte[MOST_BYTES + 1]);
    byte[] twice = Arrays.copyOf(text, 2 * text.length);
    System.arraycopy(text, 0, twice, text.length, text.length);
    return List.of(
        text, zeros, twice, Arrays.copyOf(text, text.length - 1), "<html>".getBytes(UTF_8));
  }
}
