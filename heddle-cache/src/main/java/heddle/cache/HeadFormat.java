package heddle.cache;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import heddle.cache.Variant.Selecting;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.Status;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * All that is stored of the responses of one resource but their content, as one file: a magic
 * number, the checksum of the rest, and the rest. Numbers are big-endian, texts and lists begin
 * with their length.
 */
final class HeadFormat {
  /** The largest file that is read: {@link CacheStore#MOST_VARIANTS} responses with large heads. */
  static final int MOST_BYTES = 4 << 20;

  /** "HDC" and the version of the format. */
  private static final int MAGIC = 'H' << 24 | 'D' << 16 | 'C' << 8 | 1;

  private static final int PREFIX = 2 * Integer.BYTES;
  private static final int NO_TEXT = -1;
  private static final HttpVersion[] VERSIONS = HttpVersion.values();

  /** A file that is damaged, or was not written by this class. */
  static final class DamagedHeadException extends IOException {
    private static final long serialVersionUID = 1L;

    DamagedHeadException(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  private HeadFormat() {}

  static byte[] write(String key, List<CachedResponse> responses) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(MAGIC);
    out.writeInt(0); // the checksum's place
    writeText(out, key);
    out.writeInt(responses.size());
    for (CachedResponse each : responses) {
      writeResponse(out, each);
    }
    byte[] file = bytes.toByteArray();
    seal(file);
    return file;
  }

  /** Writes the checksum of the rest to its place. */
  static void seal(byte[] file) {
    ByteBuffer.wrap(file).putInt(Integer.BYTES, checksum(file));
  }

  private static int checksum(byte[] file) {
    // A file that is shorter than its prefix has been refused.
    CRC32C crc = new CRC32C();
    crc.update(file, PREFIX, file.length - PREFIX);
    return (int) crc.getValue();
  }

  @SuppressWarnings("EnumOrdinal") // Its order is that of the versions' publication.
  private static void writeResponse(DataOutputStream out, CachedResponse response)
      throws IOException {
    out.writeInt(response.status().code());
    out.writeInt(response.version().ordinal());
    out.writeLong(response.requestedAt());
    out.writeLong(response.receivedAt());
    writeText(out, response.variant().credentials());
    out.writeInt(response.variant().fields().size());
    for (Selecting each : response.variant().fields()) {
      writeText(out, each.name().toString());
      writeText(out, each.value());
    }
    out.writeInt(response.headers().size());
    for (Headers.Field each : response.headers()) {
      writeText(out, each.name().toString());
      byte[] value = each.value().getBytes(ISO_8859_1);
      out.writeInt(value.length);
      out.write(value);
    }
    Content.InFile content = (Content.InFile) response.content();
    out.writeLong(content.id());
    out.writeLong(content.length());
    out.writeInt(content.checksum());
  }

  private static void writeText(DataOutputStream out, @Nullable String text) throws IOException {
    if (text == null) {
      out.writeInt(NO_TEXT);
    } else {
      byte[] bytes = text.getBytes(UTF_8);
      out.writeInt(bytes.length);
      out.write(bytes);
    }
  }

  /**
   * The responses in a file.
   *
   * @param key of the resource that the file must be about
   * @throws DamagedHeadException if there is anything wrong with it
   */
  static List<CachedResponse> read(byte[] file, String key) throws DamagedHeadException {
    try {
      ByteBuffer in = ByteBuffer.wrap(file);
      if (in.getInt() != MAGIC || in.getInt() != checksum(file)) {
        throw new DamagedHeadException("neither this format nor undamaged", null);
      }
      if (!key.equals(readText(in))) {
        throw new DamagedHeadException("another resource", null);
      }
      List<CachedResponse> responses = new ArrayList<>();
      int count = readCount(in, CacheStore.MOST_VARIANTS);
      for (int i = 0; i < count; i++) {
        responses.add(readResponse(in));
      }
      if (in.hasRemaining()) {
        throw new DamagedHeadException("more than it should have", null);
      }
      return responses;
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw new DamagedHeadException("cut short, or with illegal values", e);
    }
  }

  private static CachedResponse readResponse(ByteBuffer in) {
    Status status = Status.of(in.getInt());
    HttpVersion version = VERSIONS[readCount(in, VERSIONS.length - 1)];
    long requestedAt = in.getLong();
    long receivedAt = in.getLong();
    String credentials = readText(in);
    List<Selecting> fields = new ArrayList<>();
    int selecting = readCount(in, Variant.MOST_FIELDS + 1);
    for (int i = 0; i < selecting; i++) {
      fields.add(new Selecting(HeaderName.of(readName(in)), readText(in)));
    }
    Headers.Builder headers = Headers.builder();
    int lines = readCount(in, in.remaining() / (2 * Integer.BYTES));
    for (int i = 0; i < lines; i++) {
      HeaderName name = HeaderName.of(readName(in));
      byte[] value = readBytes(in, readCount(in, in.remaining()));
      headers.add(name, value, 0, value.length);
    }
    Content.InFile content = new Content.InFile(in.getLong(), in.getLong(), in.getInt());
    if (content.length() < 0) {
      throw new IllegalArgumentException("content of " + content.length() + " bytes");
    }
    return new CachedResponse(
        status,
        version,
        headers.build(),
        new Variant(fields, credentials),
        requestedAt,
        receivedAt,
        content);
  }

  private static String readName(ByteBuffer in) {
    String name = readText(in);
    if (name == null) {
      throw new IllegalArgumentException("a field without a name");
    }
    return name;
  }

  private static @Nullable String readText(ByteBuffer in) {
    int length = in.getInt();
    return length == NO_TEXT ? null : new String(readBytes(in, length), UTF_8);
  }

  private static byte[] readBytes(ByteBuffer in, int length) {
    if (length < 0 || length > in.remaining()) {
      throw new IllegalArgumentException("a length of " + length);
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  private static int readCount(ByteBuffer in, int most) {
    int count = in.getInt();
    if (count < 0 || count > most) {
      throw new IllegalArgumentException("a number of " + count);
    }
    return count;
  }
}
