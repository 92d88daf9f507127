package heddle.web.conditional;

import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.HttpDate;
import heddle.http.MediaType;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.io.FileStreams;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What GET and HEAD of a resource answer (RFC 9110 section 3.2): content of known length, its
 * validators and fields. {@link #respond} evaluates the request's {@linkplain Preconditions
 * conditions}, and sends the {@linkplain ByteRanges ranges} that it asks for, one as it is, several
 * as multipart/byteranges. Immutable and safe to share.
 *
 * <pre>{@code
 * Handler report = request ->
 *     Representation.of(Path.of("report.pdf"), PDF)
 *         .header("Cache-Control", "no-cache")
 *         .build()
 *         .respond(request);
 * }</pre>
 */
public final class Representation {
  /** Fields of the representation that 304 leaves out, RFC 9110 section 15.4.5. */
  private static final Set<HeaderName> OF_CONTENT = Set.of(
      HeaderName.CONTENT_TYPE,
      HeaderName.CONTENT_ENCODING,
      HeaderName.CONTENT_LANGUAGE,
      HeaderName.CONTENT_DISPOSITION);

  private final long length;
  private final Content content;
  private final byte @Nullable [] inMemory;
  private final @Nullable MediaType mediaType;
  private final @Nullable EntityTag tag;
  private final @Nullable Instant lastModified;
  private final Headers fields;

  private Representation(Builder builder) {
    length = builder.length;
    content = builder.content;
    inMemory = builder.inMemory;
    mediaType = builder.mediaType;
    tag = builder.tag;
    lastModified = builder.lastModified;
    fields = builder.fields.build();
  }

  /** Opens content at an offset; each stream is closed. Called by the answering threads. */
  @FunctionalInterface
  public interface Content {
    /**
     * Opens the content.
     *
     * @param offset of the first octet to read, from 0 to the length
     * @throws IOException if it cannot be read
     */
    InputStream open(long offset) throws IOException;
  }

  /** Content in memory, which must not be changed afterwards. It has no validators yet. */
  public static Builder of(byte[] content, MediaType mediaType) {
    Builder builder = of(
        content.length,
        offset -> new ByteArrayInputStream(content, (int) offset, content.length - (int) offset));
    builder.inMemory = content;
    return builder.mediaType(mediaType);
  }

  /**
   * Content of a length that is known, such as that of an object in a store. It has no media type
   * and no validators yet.
   *
   * @param length in octets
   * @throws IllegalArgumentException if the length is negative
   */
  public static Builder of(long length, Content content) {
    if (length < 0) {
      throw new IllegalArgumentException(
          "length " + length + " is negative: ranges need a length that is known");
    }
    return new Builder(length, Objects.requireNonNull(content, "content"));
  }

  /**
   * A file, with the {@linkplain EntityTag#ofFile tag} and the date that follow from its size and
   * its time of change, which are read now.
   *
   * @throws IOException if they cannot be read, or there is no regular file
   */
  public static Builder of(Path file, MediaType mediaType) throws IOException {
    Instant now = Instant.now(); // first, so that a change after it makes the tag weak
    BasicFileAttributes read =
        FileStreams.call(() -> Files.readAttributes(file, BasicFileAttributes.class));
    if (!read.isRegularFile()) {
      throw new NoSuchFileException(file.toString(), null, "not a regular file");
    }
    Instant modified = read.lastModifiedTime().toInstant();
    return of(read.size(), offset -> FileStreams.open(file, offset))
        .mediaType(mediaType)
        .tag(EntityTag.ofFile(read.size(), modified, now))
        .lastModified(modified);
  }

  /**
   * Answers a request.
   *
   * @return 200; 206 with the ranges that are asked for; 304 or 412 by the request's conditions;
   *     416 if no range exists; 405 if the method is neither GET nor HEAD
   */
  public Response respond(Request request) {
    return respond(request, Instant.now());
  }

  /**
   * @param now the time of the response's Date
   */
  Response respond(Request request, Instant now) {
    Method method = request.method();
    if (!method.equals(Method.GET) && !method.equals(Method.HEAD)) {
      return Response.builder(Status.METHOD_NOT_ALLOWED)
          .header(HeaderName.ALLOW, "GET, HEAD")
          .build();
    }
    // RFC 9110 section 8.8.2.1: not later than the response.
    Instant modified = lastModified != null && lastModified.isAfter(now) ? now : lastModified;
    Status refusal = Preconditions.evaluate(request, tag, modified);
    if (refusal != null) {
      return refusal.equals(Status.NOT_MODIFIED) ? notModified(modified) : Response.of(refusal);
    }
    ByteRanges ranges = Preconditions.allowsRange(request, tag, modified, now)
        ? ByteRanges.of(request, length)
        : new ByteRanges.Whole();
    return switch (ranges) {
      case ByteRanges.Whole whole -> builder(Status.OK, modified).body(whole()).build();
      case ByteRanges.Some some -> partial(some, modified);
      case ByteRanges.Unsatisfiable none ->
        Response.builder(Status.RANGE_NOT_SATISFIABLE)
            .header(HeaderName.CONTENT_RANGE, none.contentRange(length))
            .build();
    };
  }

  private Body whole() {
    return inMemory == null ? slice(0, length) : Body.of(inMemory);
  }

  private Body slice(long offset, long count) {
    return Body.replayable(count, () -> SliceInput.of(content.open(offset), count));
  }

  private Response partial(ByteRanges.Some some, @Nullable Instant modified) {
    Response.Builder response = builder(Status.PARTIAL_CONTENT, modified);
    if (some.ranges().size() == 1) {
      ByteRange range = some.ranges().get(0);
      return response
          .header(HeaderName.CONTENT_RANGE, range.contentRange(length))
          .body(slice(range.first(), range.length()))
          .build();
    }
    MultipartRanges parts = new MultipartRanges(some.ranges(), length, mediaType, content);
    Headers.Builder head = response.build().headers().toBuilder();
    return response
        .headers(head.set(HeaderName.CONTENT_TYPE, parts.mediaType().toString()).build())
        .body(parts.body())
        .build();
  }

  private Response.Builder builder(Status status, @Nullable Instant modified) {
    Headers.Builder head = Headers.builder();
    if (mediaType != null) {
      head.add(HeaderName.CONTENT_TYPE, mediaType.toString());
    }
    head.add(HeaderName.ACCEPT_RANGES, "bytes");
    if (tag != null) {
      head.add(HeaderName.ETAG, tag.toString());
    }
    if (modified != null) {
      head.add(HeaderName.LAST_MODIFIED, HttpDate.format(modified));
    }
    return Response.builder(status).headers(head.addAll(fields).build());
  }

  /** RFC 9110 section 15.4.5: Last-Modified only if there is no ETag. */
  private Response notModified(@Nullable Instant modified) {
    Response.Builder response = Response.builder(Status.NOT_MODIFIED);
    if (tag != null) {
      response.header(HeaderName.ETAG, tag.toString());
    } else if (modified != null) {
      response.header(HeaderName.LAST_MODIFIED, HttpDate.format(modified));
    }
    for (Headers.Field field : fields) {
      if (!OF_CONTENT.contains(field.name())) {
        response.header(field.name(), field.value());
      }
    }
    return response.build();
  }

  /** Collects a representation. Not safe for use by several threads. */
  public static final class Builder {
    private final long length;
    private final Content content;
    private final Headers.Builder fields = Headers.builder();
    private byte @Nullable [] inMemory;
    private @Nullable MediaType mediaType;
    private @Nullable EntityTag tag;
    private @Nullable Instant lastModified;

    private Builder(long length, Content content) {
      this.length = length;
      this.content = content;
    }

    /** Sets the media type: Content-Type. */
    public Builder mediaType(MediaType type) {
      mediaType = Objects.requireNonNull(type, "type");
      return this;
    }

    /** Sets the tag, null for none: ETag. With ranges use strong tags. */
    public Builder tag(@Nullable EntityTag newTag) {
      tag = newTag;
      return this;
    }

    /** Sets when the content was changed last, null for not known: Last-Modified. */
    public Builder lastModified(@Nullable Instant time) {
      lastModified = time;
      return this;
    }

    /**
     * Adds a field of the responses with content, and of 304 if it does not describe the content,
     * such as Cache-Control or Vary.
     *
     * @throws IllegalArgumentException as {@link Headers.Builder#add(String, String)} does
     */
    public Builder header(String name, String value) {
      return header(HeaderName.of(name), value);
    }

    /** As {@link #header(String, String)}. */
    public Builder header(HeaderName name, String value) {
      fields.add(name, value);
      return this;
    }

    /** Builds the representation. */
    public Representation build() {
      return new Representation(this);
    }
  }
}
