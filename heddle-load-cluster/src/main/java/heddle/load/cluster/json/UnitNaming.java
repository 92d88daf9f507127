package heddle.load.cluster.json;

import heddle.load.record.Latency;
import java.time.Duration;
import tools.jackson.databind.PropertyNamingStrategy;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.AnnotatedField;
import tools.jackson.databind.introspect.AnnotatedMethod;
import tools.jackson.databind.introspect.AnnotatedParameter;

/** Adds the unit to the names of durations and latencies that do not have it. */
final class UnitNaming extends PropertyNamingStrategy {

  private static final long serialVersionUID = 1;

  @Override
  public String nameForField(MapperConfig<?> config, AnnotatedField field, String name) {
    return named(field.getRawType(), name);
  }

  @Override
  public String nameForGetterMethod(MapperConfig<?> config, AnnotatedMethod method, String name) {
    return named(method.getRawReturnType(), name);
  }

  @Override
  public String nameForConstructorParameter(
      MapperConfig<?> config, AnnotatedParameter parameter, String name) {
    return named(parameter.getRawType(), name);
  }

  private static String named(Class<?> type, String name) {
    String unit = type == Duration.class ? "Seconds" : type == Latency.class ? "Micros" : "";
    return unit.isEmpty() || name.equals("seconds") ? name : name + unit;
  }
}
