package heddle.jackson2;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import heddle.http.Body;
import heddle.http.BodyCodec;
import heddle.http.BodyCodecException;
import heddle.http.MediaType;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Type;

/**
 * JSON by Jackson 2. By default fields that a type does not have are ignored, and modules on the
 * class path are used. Thread-safe.
 */
public final class Jackson2Codec implements BodyCodec {
  private static final MediaType JSON = MediaType.of("application", "json");

  private final ObjectMapper mapper;

  /** With the defaults. */
  public Jackson2Codec() {
    this(JsonMapper.builder()
        .findAndAddModules()
        .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
        .build());
  }

  /** With the settings of this mapper. */
  public Jackson2Codec(ObjectMapper mapper) {
    this.mapper = mapper;
  }

  @Override
  public Body encode(Object value) throws IOException {
    try {
      return Body.of(mapper.writeValueAsBytes(value), JSON);
    } catch (JsonProcessingException e) {
      throw new BodyCodecException(
          "a " + value.getClass().getName() + " cannot be written: " + e.getOriginalMessage(), e);
    }
  }

  @Override
  public Object decode(InputStream content, Type type) throws IOException {
    JavaType wanted = mapper.constructType(type);
    try {
      Object value =
          mapper.readerFor(wanted).without(StreamReadFeature.AUTO_CLOSE_SOURCE).readValue(content);
      if (value == null) {
        throw new BodyCodecException("it is null", null);
      }
      return value;
    } catch (JsonProcessingException e) {
      throw new BodyCodecException(e.getOriginalMessage(), e);
    }
  }
}
