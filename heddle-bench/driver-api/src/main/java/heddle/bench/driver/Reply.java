package heddle.bench.driver;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An answer. Immutable; a server may send it any number of times. */
public final class Reply {

  /** Writes content. */
  @FunctionalInterface
  public interface Content {
    /** Writes all of it, and leaves the stream open. */
    void writeTo(OutputStream out) throws IOException;
  }

  private final int status;
  private final Map<String, String> fields;
  private final long length;
  private final byte @Nullable [] bytes;
  private final Content content;

  /**
   * An answer in memory.
   *
   * @param fields its header fields, without Content-Length
   * @param bytes all of its content; not copied, and must not be changed
   */
  public Reply(int status, Map<String, String> fields, byte[] bytes) {
    this(status, fields, bytes.length, bytes, out -> out.write(bytes));
  }

  /** An answer that is created while it is sent, of this many bytes. */
  public Reply(int status, Map<String, String> fields, long length, Content content) {
    this(status, fields, length, null, content);
  }

  private Reply(
      int status,
      Map<String, String> fields,
      long length,
      byte @Nullable [] bytes,
      Content content) {
    this.status = status;
    this.fields = Map.copyOf(fields);
    this.length = length;
    this.bytes = bytes;
    this.content = content;
  }

  /** The status code. */
  public int status() {
    return status;
  }

  /** The header fields, without Content-Length. */
  public Map<String, String> fields() {
    return fields;
  }

  /** How many bytes of content it has. */
  public long length() {
    return length;
  }

  /** All of the content, which must not be changed; null if it is too large for that. */
  public byte @Nullable [] bytes() {
    return bytes;
  }

  /** Writes the content. */
  public void writeTo(OutputStream out) throws IOException {
    content.writeTo(out);
  }
}
