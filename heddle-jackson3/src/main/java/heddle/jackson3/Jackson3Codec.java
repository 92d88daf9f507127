package heddle.jackson3;

import heddle.http.Body;
import heddle.http.BodyCodec;
import heddle.http.BodyCodecException;
import heddle.http.MediaType;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Type;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/**
 * JSON by Jackson 3. By default fields that a type does not have are ignored, and modules on the
 * class path are used. Thread-safe.
 */
public final class Jackson3Codec implements BodyCodec {
  private static final MediaType JSON = MediaType.of("application", "json");

  private final ObjectMapper mapper;

  /** With the defaults. */
  public Jackson3Codec() {
    this(JsonMapper.builder().findAndAddModules().build());
  }

  /** With the settings of this mapper. */
  public Jackson3Codec(ObjectMapper mapper) {
    this.mapper = mapper;
  }

  @Override
  public Body encode(Object value) throws IOException {
    try {
      return Body.of(mapper.writeValueAsBytes(value), JSON);
    } catch (JacksonException e) {
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
    } catch (JacksonIOException e) {
      IOException cause = e.getCause();
      throw cause == null ? new IOException(e) : cause;
    } catch (JacksonException e) {
      throw new BodyCodecException(e.getOriginalMessage(), e);
    }
  }
}
