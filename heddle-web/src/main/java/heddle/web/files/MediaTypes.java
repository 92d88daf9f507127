package heddle.web.files;

import heddle.http.MediaType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Media types by the endings of file names. */
final class MediaTypes {
  private static final Map<String, MediaType> BUILT_IN = table(
      """
          html htm     text/html; charset=utf-8
          xhtml        application/xhtml+xml
          css          text/css; charset=utf-8
          js mjs       text/javascript; charset=utf-8
          json map     application/json
          webmanifest  application/manifest+json
          jsonld       application/ld+json
          geojson      application/geo+json
          xml          application/xml
          atom         application/atom+xml
          rss          application/rss+xml
          txt text log text/plain; charset=utf-8
          md           text/markdown; charset=utf-8
          csv          text/csv; charset=utf-8
          ics          text/calendar; charset=utf-8
          vtt          text/vtt; charset=utf-8
          wasm         application/wasm
          svg          image/svg+xml
          png          image/png
          apng         image/apng
          jpg jpeg     image/jpeg
          gif          image/gif
          webp         image/webp
          avif         image/avif
          ico          image/x-icon
          bmp          image/bmp
          tif tiff     image/tiff
          woff         font/woff
          woff2        font/woff2
          ttf          font/ttf
          otf          font/otf
          mp3          audio/mpeg
          m4a          audio/mp4
          oga ogg opus audio/ogg
          wav          audio/wav
          flac         audio/flac
          mp4 m4v      video/mp4
          webm         video/webm
          ogv          video/ogg
          mov          video/quicktime
          pdf          application/pdf
          epub         application/epub+zip
          rtf          application/rtf
          zip          application/zip
          gz           application/gzip
          br           application/octet-stream
          zst          application/zstd
          tar          application/x-tar
          7z           application/x-7z-compressed
          bz2          application/x-bzip2
          xz           application/x-xz
          jar          application/java-archive
          doc          application/msword
          docx         application/vnd.openxmlformats-officedocument.wordprocessingml.document
          xls          application/vnd.ms-excel
          xlsx         application/vnd.openxmlformats-officedocument.spreadsheetml.sheet
          ppt          application/vnd.ms-powerpoint
          pptx         application/vnd.openxmlformats-officedocument.presentationml.presentation
          odt          application/vnd.oasis.opendocument.text
          ods          application/vnd.oasis.opendocument.spreadsheet
          odp          application/vnd.oasis.opendocument.presentation
          """);

  private final Map<String, MediaType> added;

  MediaTypes(Map<String, MediaType> added) {
    this.added = Map.copyOf(added);
  }

  private static Map<String, MediaType> table(String text) {
    Map<String, MediaType> table = new HashMap<>();
    text.lines().forEach(line -> {
      int slash = line.indexOf('/');
      int type = line.lastIndexOf(' ', slash) + 1;
      MediaType parsed = MediaType.parse(line.substring(type));
      Arrays.stream(line.substring(0, type).split(" +"))
          .forEach(ending -> table.put(ending, parsed));
    });
    return Map.copyOf(table);
  }

  /** The media type of a file with this name; application/octet-stream if its ending is unknown. */
  MediaType of(String name) {
    int dot = name.lastIndexOf('.');
    String ending = dot < 0 ? "" : name.substring(dot + 1).toLowerCase(Locale.ROOT);
    MediaType known = added.get(ending);
    return known != null ? known : BUILT_IN.getOrDefault(ending, MediaType.OCTET_STREAM);
  }
}
