package heddle.web;

import heddle.http.BodyCodec;
import heddle.http.MediaType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the content of requests is read, and values become content.
 *
 * @param own null for the installed codec
 * @param mediaTypes that it reads; empty for JSON
 * @param maxBytes the most content that is read
 */
record BodySettings(@Nullable BodyCodec own, List<MediaType> mediaTypes, long maxBytes) {
  static final BodySettings DEFAULTS = new BodySettings(null, List.of(), 1L << 20);

  BodySettings with(BodyCodec codec, List<MediaType> types) {
    return new BodySettings(codec, List.copyOf(types), maxBytes);
  }

  BodySettings with(long bytes) {
    return new BodySettings(own, mediaTypes, bytes);
  }

  /**
   * What converts values.
   *
   * @throws IllegalStateException if there is none
   */
  BodyCodec codec() {
    return own != null ? own : BodyCodec.installed();
  }

  /** Whether the codec reads content of this media type, ignoring its parameters. */
  boolean reads(@Nullable MediaType type) {
    if (type == null) {
      return false;
    }
    if (mediaTypes.isEmpty()) {
      return type.type().equals("application")
          && (type.subtype().equals("json") || type.subtype().endsWith("+json"));
    }
    return mediaTypes.stream()
        .anyMatch(each -> each.type().equals(type.type()) && each.subtype().equals(type.subtype()));
  }

  /** What the codec reads, as the value of Accept. */
  String readable() {
    return mediaTypes.isEmpty()
        ? MediaType.APPLICATION_JSON.toString()
        : String.join(", ", mediaTypes.stream().map(MediaType::toString).toList());
  }
}
