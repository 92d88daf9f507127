package heddle.web.form;

import heddle.http.Body;
import heddle.http.BodyTooLargeException;
import heddle.http.Headers;
import heddle.http.MediaType;
import heddle.web.syntax.ContentType;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A part of a form that is being read by a {@link MultipartReader}. For its thread only. */
public final class FormPart {
  private final Headers headers;
  private final Disposition disposition;
  private final Content content;
  private final Body form;

  /** @param form counts the memory of texts */
  FormPart(Headers headers, Disposition disposition, DelimitedInput in, long maxBytes, Body form) {
    this.headers = headers;
    this.disposition = disposition;
    this.content = new Content(in, maxBytes);
    this.form = form;
  }

  /** The fields of the part. */
  public Headers headers() {
    return headers;
  }

  /** The name of the form's field. */
  public String name() {
    return disposition.name();
  }

  /**
   * The name of the file as the client gave it, null if the part is not a file. It may hold
   * folders, control characters, or {@code ..}: show it, and do not use it as a path. A browser
   * sends an empty one where no file was chosen.
   */
  public @Nullable String fileName() {
    return disposition.fileName();
  }

  /** The media type; null if the part has none, or none that can be understood. */
  public @Nullable MediaType mediaType() {
    return ContentType.first(headers);
  }

  /**
   * The content, always the same stream, which can be read until the reader's next part is asked
   * for. Reading fails with a {@link FormException} if the form is cut or too large.
   */
  public InputStream stream() {
    return content;
  }

  /**
   * Reads the content as text, in the charset of the media type, or UTF-8 if it names none.
   *
   * @param maxBytes the most bytes to take into memory, at least 0
   * @throws FormException if there are more, or they are not of that charset, which this JVM has to
   *     have
   * @throws IOException if the content cannot be read
   */
  public String text(int maxBytes) throws IOException {
    return text(maxBytes, maxBytes);
  }

  /**
   * As the other one, for a part that shares a limit with others.
   *
   * @param remaining the most bytes of this part
   * @param maxBytes the limit that all share, for the message
   */
  String text(int remaining, int maxBytes) throws IOException {
    byte[] octets;
    try {
      octets = new Text(maxBytes - remaining).bytes(remaining);
    } catch (BodyTooLargeException e) {
      FormException tooLarge = FormException.tooLarge("bytes of text", maxBytes, "maxTextBytes");
      tooLarge.addSuppressed(e);
      throw tooLarge;
    }
    MediaType type = mediaType();
    Charset charset =
        type == null || type.parameter("charset") == null ? StandardCharsets.UTF_8 : type.charset();
    if (charset == null) {
      throw FormException.unsupported("the part " + name() + " is in an unknown charset: " + type);
    }
    try {
      return charset.newDecoder().decode(ByteBuffer.wrap(octets)).toString();
    } catch (CharacterCodingException e) {
      throw FormException.malformed("the part " + name() + " is not text in " + charset, e);
    }
  }

  /** Whether nothing is left of the content. */
  boolean isAtEnd() throws IOException {
    return content.isAtEnd();
  }

  /** Skips what has not been read, and ends the stream. */
  void finish() throws IOException {
    content.finish();
  }

  /** The content as a text, which takes memory of the form. */
  private final class Text extends Body {
    private final int before;

    /** @param before how much the texts of other parts take */
    Text(int before) {
      this.before = before;
    }

    @Override
    public long length() {
      return UNKNOWN;
    }

    @Override
    public boolean isReplayable() {
      return false;
    }

    @Override
    public InputStream stream() {
      return content;
    }

    @Override
    public void reserve(int bytes) throws IOException {
      form.reserve(Math.addExact(before, bytes));
    }
  }

  private static final class Content extends InputStream {
    private final DelimitedInput in;
    private final long maxBytes;
    private long count;
    private boolean isAtEnd;
    private boolean isOver;

    Content(DelimitedInput in, long maxBytes) {
      this.in = in;
      this.maxBytes = maxBytes;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      Objects.checkFromIndexSize(offset, length, target.length);
      checkNotOver();
      return length == 0 ? 0 : take(target, offset, length);
    }

    /** Without a copy. */
    @Override
    public long transferTo(OutputStream out) throws IOException {
      Objects.requireNonNull(out, "out");
      checkNotOver();
      long before = count;
      while (!isAtEnd) {
        taken(in.writeContent(out));
      }
      return count - before;
    }

    private void checkNotOver() throws IOException {
      if (isOver) {
        throw new IOException("this part is over: read it before the next is asked for");
      }
    }

    boolean isAtEnd() throws IOException {
      return isAtEnd || !in.isInContent();
    }

    private int take(byte @Nullable [] target, int offset, int length) throws IOException {
      return isAtEnd ? -1 : taken(in.readContent(target, offset, length));
    }

    private int taken(int read) throws FormException {
      if (read < 0) {
        isAtEnd = true;
        return -1;
      }
      count += read;
      if (count > maxBytes) {
        throw FormException.tooLarge("bytes in a part", maxBytes, "maxPartBytes");
      }
      return read;
    }

    void finish() throws IOException {
      isOver = true;
      while (!isAtEnd) {
        take(null, 0, Integer.MAX_VALUE);
      }
    }
  }
}
