package heddle.load.cluster.json;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.Nulls;
import java.lang.reflect.Constructor;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedClass;
import tools.jackson.databind.introspect.AnnotatedParameter;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.jsontype.NamedType;

/**
 * Finds in the declaration of a type what would otherwise be said again in annotations: the
 * implementations of a sealed interface of ours and their names, and which components may be
 * missing.
 */
final class RecordIntrospector extends JacksonAnnotationIntrospector {

  private static final long serialVersionUID = 1;

  @Override
  public JsonTypeInfo.@Nullable Value findPolymorphicTypeInfo(
      MapperConfig<?> config, Annotated annotated) {
    if (annotated instanceof AnnotatedClass && isOfSealed(annotated.getRawType())) {
      return JsonTypeInfo.Value.construct(
          JsonTypeInfo.Id.NAME, JsonTypeInfo.As.PROPERTY, "type", null, false, true, null);
    }
    return super.findPolymorphicTypeInfo(config, annotated);
  }

  private static boolean isOfSealed(Class<?> type) {
    return Stream.concat(Stream.of(type), Arrays.stream(type.getInterfaces()))
        .anyMatch(each -> each.isSealed() && each.getName().startsWith("heddle."));
  }

  @Override
  public @Nullable List<NamedType> findSubtypes(MapperConfig<?> config, Annotated annotated) {
    Class<?> type = annotated.getRawType();
    return annotated instanceof AnnotatedClass && type.isSealed() && isOfSealed(type)
        ? Arrays.stream(type.getPermittedSubclasses())
            .map(each -> new NamedType(each, name(each)))
            .toList()
        : super.findSubtypes(config, annotated);
  }

  @Override
  public @Nullable String findTypeName(MapperConfig<?> config, AnnotatedClass annotated) {
    Class<?> type = annotated.getRawType();
    return isOfSealed(type) ? name(type) : super.findTypeName(config, annotated);
  }

  /** Such as {@code warmUp} for {@code WarmUp}. */
  private static String name(Class<?> type) {
    String name = type.getSimpleName();
    return Character.toLowerCase(name.charAt(0)) + name.substring(1);
  }

  @Override
  public JsonSetter.Value findSetterInfo(MapperConfig<?> config, Annotated annotated) {
    return annotated instanceof AnnotatedParameter parameter
            && parameter.getOwner().getMember() instanceof Constructor<?> creator
            && creator.getAnnotatedParameterTypes()[parameter.getIndex()].isAnnotationPresent(
                Nullable.class)
        ? JsonSetter.Value.forValueNulls(Nulls.SET)
        : super.findSetterInfo(config, annotated);
  }
}
