package heddle.cli.otlp;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.resources.Resource;
import java.util.Map;
import java.util.UUID;

/**
 * The source of metrics.
 *
 * @param resource this process
 * @param info the instrumentation scope
 */
record Scope(Resource resource, InstrumentationScopeInfo info) {

  /** Each process has its own instance id, so that workers of one load can be distinguished. */
  static Scope of(String name, Map<String, String> resource) {
    AttributesBuilder attributes = Attributes.builder();
    attributes.put("service.instance.id", UUID.randomUUID().toString());
    resource.forEach(attributes::put);
    return new Scope(
        Resource.getDefault().merge(Resource.create(attributes.build())),
        InstrumentationScopeInfo.create(name));
  }
}
