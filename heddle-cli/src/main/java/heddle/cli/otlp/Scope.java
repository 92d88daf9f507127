package heddle.cli.otlp;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.resources.Resource;
import java.util.Map;
import java.util.UUID;

/**
 * Who sends metrics.
 *
 * @param resource this process
 * @param info what part of it
 */
record Scope(Resource resource, InstrumentationScopeInfo info) {

  /** Each process is an instance of its own: workers of one load are told apart. */
  static Scope of(String name, Map<String, String> resource) {
    AttributesBuilder attributes = Attributes.builder();
    attributes.put("service.instance.id", UUID.randomUUID().toString());
    resource.forEach(attributes::put);
    return new Scope(
        Resource.getDefault().merge(Resource.create(attributes.build())),
        InstrumentationScopeInfo.create(name));
  }
}
