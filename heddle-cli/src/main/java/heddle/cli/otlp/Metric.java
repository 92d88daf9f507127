package heddle.cli.otlp;

import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.metrics.data.Data;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import io.opentelemetry.sdk.resources.Resource;

/** A metric in the form of the exporter. */
record Metric(
    Scope scope, String name, String description, String unit, MetricDataType type, Data<?> data)
    implements MetricData {

  @Override
  public Resource getResource() {
    return scope.resource();
  }

  @Override
  public InstrumentationScopeInfo getInstrumentationScopeInfo() {
    return scope.info();
  }

  @Override
  public String getName() {
    return name;
  }

  @Override
  public String getDescription() {
    return description;
  }

  @Override
  public String getUnit() {
    return unit;
  }

  @Override
  public MetricDataType getType() {
    return type;
  }

  @Override
  public Data<?> getData() {
    return data;
  }
}
