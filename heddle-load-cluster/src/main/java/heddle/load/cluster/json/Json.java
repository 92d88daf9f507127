package heddle.load.cluster.json;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.annotation.Nulls;
import heddle.load.record.Distribution;
import heddle.load.record.FailureKind;
import heddle.load.record.GeneratorCost;
import heddle.load.schedule.RateCurve;
import heddle.load.schedule.Segment;
import heddle.load.schedule.Stage;
import heddle.load.schedule.Strand;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.exc.InvalidNullException;
import tools.jackson.databind.exc.InvalidTypeIdException;
import tools.jackson.databind.exc.ValueInstantiationException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.TypeDeserializer;
import tools.jackson.databind.jsontype.TypeSerializer;
import tools.jackson.databind.module.SimpleModule;

/**
 * JSON from and to records, for files and for lines between processes. Durations are numbers of
 * seconds and latencies numbers of microseconds, and the names of their fields end in {@code
 * Seconds} and {@code Micros}. An implementation of a sealed interface has its name in the field
 * {@code type}. Components that are not declared as nullable are required. Thread-safe.
 */
public final class Json {

  private static final JsonMapper MAPPER = JsonMapper.builder()
      .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
      .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
      .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
      .changeDefaultVisibility(all -> all.withIsGetterVisibility(JsonAutoDetect.Visibility.NONE))
      .changeDefaultPropertyInclusion(_ ->
          JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
      .changeDefaultNullHandling(_ -> JsonSetter.Value.forValueNulls(Nulls.FAIL))
      .annotationIntrospector(new RecordIntrospector())
      .propertyNamingStrategy(new UnitNaming())
      .addMixIn(FailureKind.class, Labelled.class)
      .addMixIn(RateCurve.class, Stages.class)
      .addMixIn(GeneratorCost.class, CpuShare.class)
      .addModule(new SimpleModule()
          .addSerializer(Duration.class, new Seconds())
          .addDeserializer(Duration.class, new OfSeconds())
          .addSerializer(Path.class, written(Path.class, Path::toString))
          .addDeserializer(Path.class, read(Path::of))
          .addSerializer(Strand.class, written(Strand.class, Strand::toString))
          .addDeserializer(Strand.class, read(Strand::parse))
          .addSerializer(Segment.class, written(Segment.class, Segment::toString))
          .addDeserializer(Segment.class, read(Segment::parse))
          .addSerializer(Distribution.class, written(Distribution.class, Distribution::encoded))
          .addDeserializer(Distribution.class, read(Distribution::parse)))
      .build();

  private Json() {}

  /** Values that are written as the text of their label. */
  private interface Labelled {
    @JsonValue
    String label();
  }

  /** A curve is written as the list of its stages. */
  private interface Stages {
    @JsonValue
    List<Stage> stages();
  }

  /** A cost is written with the share of the cores' time that it is. */
  private interface CpuShare {
    @JsonProperty
    double cpuShare();
  }

  /** The value on one line, without a line break. */
  public static String line(Object value) {
    return MAPPER.writeValueAsString(value);
  }

  /** The value on several lines, the last of which ends with a line break. */
  public static String pretty(Object value) {
    return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(value) + "\n";
  }

  /**
   * Reads one value.
   *
   * @throws IllegalArgumentException if it is malformed; the message says where and how
   */
  public static <T> T read(String text, Class<T> type) {
    try {
      T value = MAPPER.readValue(text, type);
      if (value == null) {
        throw new IllegalArgumentException("it is not a JSON object");
      }
      return value;
    } catch (JacksonException e) {
      throw new IllegalArgumentException(problem(e), e);
    }
  }

  /** Reads an object whose fields are not known, in their order; throws as {@link #read}. */
  public static Map<String, Object> object(String text) {
    try {
      Map<String, Object> fields = MAPPER.readValue(text, new TypeReference<>() {});
      if (fields == null) {
        throw new IllegalArgumentException("it is not a JSON object");
      }
      return fields;
    } catch (JacksonException e) {
      throw new IllegalArgumentException(problem(e), e);
    }
  }

  /** Equal records as one list for each component, which is far shorter than an object each. */
  public static Map<String, List<@Nullable Object>> columns(List<? extends Record> rows) {
    List<Map<String, Object>> all = rows.stream()
        .map(row -> MAPPER.convertValue(row, new TypeReference<Map<String, Object>>() {}))
        .toList();
    Map<String, List<@Nullable Object>> columns = new LinkedHashMap<>();
    for (Map<String, Object> row : all) {
      row.keySet().forEach(name -> columns.computeIfAbsent(name, _ -> new ArrayList<>()));
    }
    columns.forEach((name, values) -> all.forEach(row -> values.add(row.get(name))));
    return columns;
  }

  /**
   * Reads what {@link #columns} has returned.
   *
   * @throws IllegalArgumentException if the columns are not of equal length, or a row is malformed
   */
  public static <T extends Record> List<T> rows(
      Map<String, List<@Nullable Object>> columns, Class<T> type) {
    int length = columns.values().stream().mapToInt(List::size).findFirst().orElse(0);
    List<T> rows = new ArrayList<>();
    columns.forEach((name, values) -> {
      if (values.size() != length) {
        throw new IllegalArgumentException(
            name + " has " + values.size() + " values, and the first column " + length);
      }
    });
    for (int i = 0; i < length; i++) {
      Map<String, @Nullable Object> row = new LinkedHashMap<>();
      for (Map.Entry<String, List<@Nullable Object>> column : columns.entrySet()) {
        row.put(column.getKey(), column.getValue().get(i));
      }
      try {
        rows.add(MAPPER.convertValue(row, type));
      } catch (JacksonException e) {
        throw new IllegalArgumentException("sample " + i + ": " + problem(e), e);
      }
    }
    return rows;
  }

  private static String problem(JacksonException thrown) {
    String place = place(thrown);
    return switch (thrown) {
      case StreamReadException _ ->
        "it is not a JSON object, or an incomplete one: line "
            + thrown.getLocation().getLineNr() + ", column "
            + thrown.getLocation().getColumnNr();
      case InvalidNullException _ -> "it lacks " + place;
      case InvalidTypeIdException type ->
        place + " is of no known type: "
            + (type.getTypeId() == null ? "no type" : type.getTypeId());
      case ValueInstantiationException _
      when thrown.getCause() != null ->
        said(place, String.valueOf(thrown.getCause().getMessage()));
      default ->
        place.isEmpty()
            ? "it is not a JSON object, or an incomplete one: " + thrown.getOriginalMessage()
            : said(place, thrown.getOriginalMessage());
    };
  }

  private static String said(String place, String what) {
    return place.isEmpty() ? what : place + ": " + what;
  }

  /** Such as {@code results[3].runs[0].round}. */
  private static String place(JacksonException thrown) {
    return thrown.getPath().stream()
        .map(each -> each.getPropertyName() == null
            ? "[" + each.getIndex() + "]"
            : "." + each.getPropertyName())
        .collect(Collectors.joining())
        .replaceFirst("^\\.", "");
  }

  private static <T> ValueSerializer<T> written(Class<T> type, Function<T, String> text) {
    return new ValueSerializer<>() {
      @Override
      public void serialize(T value, JsonGenerator out, SerializationContext context) {
        out.writeString(text.apply(value));
      }

      @Override
      public Class<T> handledType() {
        return type;
      }

      @Override
      public void serializeWithType(
          T value, JsonGenerator out, SerializationContext context, TypeSerializer types) {
        serialize(value, out, context);
      }
    };
  }

  private static <T> ValueDeserializer<T> read(Function<String, T> parse) {
    return new ValueDeserializer<>() {
      @Override
      public T deserialize(JsonParser in, DeserializationContext context) {
        String text = in.getValueAsString();
        if (text == null) {
          return context.reportInputMismatch(this, "it must be a text");
        }
        try {
          return parse.apply(text);
        } catch (IllegalArgumentException e) {
          return context.reportInputMismatch(this, "%s", e.getMessage());
        }
      }

      @Override
      public Object deserializeWithType(
          JsonParser in, DeserializationContext context, TypeDeserializer types) {
        return deserialize(in, context);
      }
    };
  }

  /** Seconds; up to 104 days no nanosecond is lost. */
  private static final class Seconds extends ValueSerializer<Duration> {
    @Override
    public void serialize(Duration value, JsonGenerator out, SerializationContext context) {
      out.writeNumber(value.toNanos() / 1e9);
    }
  }

  private static final class OfSeconds extends ValueDeserializer<Duration> {
    @Override
    public Duration deserialize(JsonParser in, DeserializationContext context) {
      return in.currentToken().isNumeric()
          ? Duration.ofNanos(Math.round(in.getDoubleValue() * 1e9))
          : context.reportInputMismatch(this, "it must be a number of seconds");
    }
  }
}
