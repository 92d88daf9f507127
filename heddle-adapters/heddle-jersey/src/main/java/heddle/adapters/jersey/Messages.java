package heddle.adapters.jersey;

import heddle.adapters.support.MessageFields;
import heddle.adapters.support.ResponseContent;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import jakarta.ws.rs.core.Response.StatusType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.glassfish.jersey.client.ClientRequest;
import org.glassfish.jersey.client.ClientResponse;
import org.glassfish.jersey.message.internal.Statuses;

/** Converts requests and responses between Jersey and Heddle. */
final class Messages {
  /**
   * A response for Jersey.
   *
   * @param entity which any thread may close; the response itself belongs to the reading thread
   */
  record Received(ClientResponse response, InputStream entity) {}

  private Messages() {}

  // ---- requests

  /**
   * Converts method and URL of a request.
   *
   * @throws IllegalArgumentException if one of them cannot be sent
   */
  static Request.Builder head(ClientRequest request) {
    // A URI may contain characters outside ASCII, a request line must not (RFC 3986 section 2).
    return Request.builder(URI.create(request.getUri().toASCIIString()))
        .method(Method.of(request.getMethod()));
  }

  /**
   * Converts the fields of a request. Several values of one are joined, as by Jersey's own
   * connectors.
   *
   * @throws IllegalArgumentException if one cannot be sent; the message says which
   */
  static Headers fields(ClientRequest request) {
    Headers.Builder fields = Headers.builder();
    for (Map.Entry<String, List<String>> each : request.getStringHeaders().entrySet()) {
      HeaderName name = HeaderName.of(each.getKey());
      if (MessageFields.isSetByBody(name)) {
        continue;
      }
      // RFC 6265 section 5.4 separates cookies by semicolons, not by commas.
      String value = String.join(name == HeaderName.COOKIE ? "; " : ",", each.getValue());
      fields.add(name, trimmed(value));
    }
    return fields.build();
  }

  /** Removes surrounding white space, which is not part of a value (RFC 9110 section 5.5). */
  private static String trimmed(String value) {
    int begin = 0;
    int end = value.length();
    while (begin < end && isBlank(value.charAt(begin))) {
      begin++;
    }
    while (begin < end && isBlank(value.charAt(end - 1))) {
      end--;
    }
    return value.substring(begin, end);
  }

  private static boolean isBlank(char each) {
    return each == ' ' || each == '\t';
  }

  // ---- responses

  /**
   * Converts a response. Closing its entity closes it; without content it is closed here.
   *
   * @throws IOException if the content cannot be opened
   */
  static Received received(ClientRequest request, Response response) throws IOException {
    ClientResponse told =
        new ClientResponse(status(response.status()), request, resolved(request, response));
    for (Headers.Field field : response.headers()) {
      told.header(field.name().toString(), field.value());
    }
    InputStream entity;
    if (response.body().length() == 0) {
      response.close();
      entity = new ByteArrayInputStream(new byte[0]);
    } else {
      entity =
          new EntityStream(request, new ResponseContent(response, CallOptions.ADVICE::translate));
    }
    told.setEntityStream(entity);
    return new Received(told, entity);
  }

  private static StatusType status(Status status) {
    String reason = status.reason();
    return reason.isEmpty() ? Statuses.from(status.code()) : Statuses.from(status.code(), reason);
  }

  /** The URI of the response: after redirects, not that of the original request. */
  private static URI resolved(ClientRequest request, Response response) {
    Request answered = response.request();
    return answered == null || response.earlier().isEmpty()
        ? request.getUri()
        : URI.create(answered.origin() + answered.target());
  }
}
