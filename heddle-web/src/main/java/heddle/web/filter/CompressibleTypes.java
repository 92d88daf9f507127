package heddle.web.filter;

import heddle.http.MediaType;
import java.util.Set;

/** Media types whose content becomes shorter by compression, unlike images or archives. */
final class CompressibleTypes {
  private static final Set<String> APPLICATIONS = Set.of(
      "dns-json",
      "ecmascript",
      "graphql",
      "javascript",
      "json",
      "json5",
      "jsonl",
      "n-triples",
      "postscript",
      "rtf",
      "sql",
      "toml",
      "vnd.api+json",
      "vnd.ms-fontobject",
      "wasm",
      "x-javascript",
      "x-ndjson",
      "x-www-form-urlencoded",
      "x-yaml",
      "xml",
      "xml-dtd",
      "yaml");

  private static final Set<String> FONTS = Set.of("collection", "otf", "sfnt", "ttf");
  private static final Set<String> IMAGES = Set.of("bmp", "vnd.microsoft.icon", "x-icon");
  private static final Set<String> SUFFIXES = Set.of("json", "text", "xml", "yaml");

  private CompressibleTypes() {}

  static boolean contains(MediaType mediaType) {
    String subtype = mediaType.subtype();
    boolean named =
        switch (mediaType.type()) {
          case "text" -> true;
          case "application" -> APPLICATIONS.contains(subtype);
          case "font" -> FONTS.contains(subtype);
          case "image" -> IMAGES.contains(subtype);
          default -> false;
        };
    // RFC 6839: the suffix says which syntax the content has.
    return named
        || SUFFIXES.contains(subtype.substring(subtype.lastIndexOf('+') + 1))
            && subtype.indexOf('+') >= 0;
  }
}
