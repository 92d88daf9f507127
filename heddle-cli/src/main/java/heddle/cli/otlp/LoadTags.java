package heddle.cli.otlp;

import heddle.http.Request;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import java.util.List;

/**
 * Attributes of all metrics of a load, with the names of the semantic conventions. Attributes in
 * which its requests differ are omitted.
 */
public final class LoadTags {

  private final Attributes attributes;

  private LoadTags(Attributes attributes) {
    this.attributes = attributes;
  }

  /** The common attributes of these requests. */
  public static LoadTags of(List<Request> requests) {
    AttributesBuilder tags = Attributes.builder();
    Request first = requests.getFirst();
    if (requests.stream().allMatch(each -> each.method().equals(first.method()))) {
      tags.put("http.request.method", first.method().name());
    }
    if (requests.stream().allMatch(each -> each.origin().equals(first.origin()))) {
      tags.put("server.address", first.origin().host());
      tags.put("server.port", first.origin().port());
      tags.put("url.scheme", first.origin().scheme());
    }
    return new LoadTags(tags.build());
  }

  Attributes attributes() {
    return attributes;
  }
}
