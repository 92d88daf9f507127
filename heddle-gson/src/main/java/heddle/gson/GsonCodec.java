package heddle.gson;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.Gson;
import com.google.gson.JsonIOException;
import com.google.gson.JsonParseException;
import heddle.http.Body;
import heddle.http.BodyCodec;
import heddle.http.BodyCodecException;
import heddle.http.MediaType;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.reflect.Type;

/** JSON by Gson. Thread-safe. */
public final class GsonCodec implements BodyCodec {
  private static final MediaType JSON = MediaType.of("application", "json");

  private final Gson gson;

  /** With the defaults of Gson. */
  public GsonCodec() {
    this(new Gson());
  }

  /** With the settings of this one. */
  public GsonCodec(Gson gson) {
    this.gson = gson;
  }

  @Override
  public Body encode(Object value) throws IOException {
    try {
      return Body.of(gson.toJson(value).getBytes(UTF_8), JSON);
    } catch (JsonParseException | IllegalArgumentException e) {
      throw new BodyCodecException(
          "a " + value.getClass().getName() + " cannot be written: " + e.getMessage(), e);
    }
  }

  @Override
  public Object decode(InputStream content, Type type) throws IOException {
    try {
      Object value = gson.fromJson(new InputStreamReader(content, UTF_8), type);
      if (value == null) {
        throw new BodyCodecException("it is null", null);
      }
      return value;
    } catch (JsonIOException e) {
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e);
    } catch (JsonParseException e) {
      throw e.getCause() instanceof IOException cause && isOfStream(cause)
          ? cause
          : new BodyCodecException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Gson reports malformed JSON by IOExceptions, from its own package or an EOFException. */
  private static boolean isOfStream(IOException cause) {
    return !cause.getClass().getName().startsWith("com.google.gson.")
        && !(cause instanceof java.io.EOFException);
  }
}
