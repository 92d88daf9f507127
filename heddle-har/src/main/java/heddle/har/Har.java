package heddle.har;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** A file in the HTTP Archive format 1.2, as it is written. What is null is omitted. */
record Har(Log log) {
  /** What stands for a number that is not known, or that does not apply. */
  static final int UNKNOWN = -1;

  /** Writes the fields in the order of the components. */
  static final JsonMapper JSON = JsonMapper.builder()
      .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
      .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
      .changeDefaultPropertyInclusion(before ->
          JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
      .build();

  /** The entries stand before the comment, so that a recorder can append to them. */
  record Log(String version, Creator creator, List<Entry> entries, @Nullable String comment) {}

  record Creator(String name, String version) {}

  /** An exchange; {@code time} in milliseconds. */
  record Entry(
      String startedDateTime,
      double time,
      Request request,
      Response response,
      Cache cache,
      Timings timings,
      @Nullable String serverIPAddress,
      @Nullable String connection) {}

  record Request(
      String method,
      String url,
      String httpVersion,
      List<Cookie> cookies,
      List<Field> headers,
      List<Field> queryString,
      @Nullable PostData postData,
      long headersSize,
      long bodySize) {}

  /**
   * A response.
   *
   * @param error what the exchange failed with; browsers write it here too
   */
  record Response(
      int status,
      String statusText,
      String httpVersion,
      List<Cookie> cookies,
      List<Field> headers,
      Content content,
      String redirectURL,
      long headersSize,
      long bodySize,
      @JsonProperty("_error") @Nullable String error) {}

  /** A name and a value: of a field, of a parameter of a query or a form. */
  record Field(String name, String value) {}

  record Cookie(
      String name,
      String value,
      @Nullable String path,
      @Nullable String domain,
      @Nullable String expires,
      @Nullable Boolean httpOnly,
      @Nullable Boolean secure) {}

  /**
   * The content of a request.
   *
   * @param encoding {@code base64} if it is not text, for which the format has no field
   */
  record PostData(
      String mimeType,
      List<Field> params,
      @Nullable String text,
      @JsonProperty("_encoding") @Nullable String encoding,
      @Nullable String comment) {}

  /**
   * The content of a response.
   *
   * @param incomplete true if the caller did not read all of it
   */
  record Content(
      long size,
      @Nullable Long compression,
      String mimeType,
      @Nullable String text,
      @Nullable String encoding,
      @JsonProperty("_incomplete") @Nullable Boolean incomplete,
      @Nullable String comment) {}

  /** Required, and empty if nothing is known of a cache. */
  record Cache() {}

  /** In milliseconds; {@code connect} includes {@code ssl}. */
  record Timings(
      double blocked,
      double dns,
      double connect,
      double send,
      @JsonProperty("wait") double await,
      double receive,
      double ssl) {}
}
