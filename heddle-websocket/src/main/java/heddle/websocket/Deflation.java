package heddle.websocket;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What both sides have agreed on about compression (RFC 7692 section 7.1).
 *
 * @param clientKeepsContext whether the client's messages may refer to earlier ones
 * @param serverKeepsContext whether the server's may
 */
record Deflation(boolean clientKeepsContext, boolean serverKeepsContext) {
  private static final String NAME = "permessage-deflate";
  private static final String CLIENT_FORGETS = "client_no_context_takeover";
  private static final String SERVER_FORGETS = "server_no_context_takeover";
  private static final String SERVER_WINDOW = "server_max_window_bits";

  /** Servers that answer to an offer choose from these. */
  private static final Set<String> PARAMETERS =
      Set.of(CLIENT_FORGETS, SERVER_FORGETS, SERVER_WINDOW);

  /** The value of Sec-WebSocket-Extensions in a request; null for no offer. */
  static @Nullable String offer(Compression compression) {
    return switch (compression) {
      case OFF -> null;
      case EACH_MESSAGE -> NAME + "; " + CLIENT_FORGETS + "; " + SERVER_FORGETS;
      case WITH_CONTEXT -> NAME;
    };
  }

  /**
   * What a server has chosen.
   *
   * @param fields the values of Sec-WebSocket-Extensions in its response
   * @return null for no compression
   * @throws IllegalArgumentException with the reason if it may not choose that (RFC 6455 section
   *     9.1, RFC 7692 section 7.1)
   */
  static @Nullable Deflation agreed(List<String> fields, Compression offered) {
    List<String> extensions = elements(String.join(",", fields), ",");
    if (extensions.isEmpty()) {
      return null;
    }
    List<String> parts = elements(extensions.getFirst(), ";");
    String name = parts.isEmpty() ? "" : parts.getFirst();
    if (offered == Compression.OFF || extensions.size() > 1 || !name.equals(NAME)) {
      throw new IllegalArgumentException(
          "the server chose extensions that were not offered: " + String.join(", ", extensions));
    }
    Set<String> names = new HashSet<>();
    for (String parameter : parts.subList(1, parts.size())) {
      String[] pair = parameter.split("=", 2);
      String key = pair[0].strip();
      boolean valid = PARAMETERS.contains(key)
          && names.add(key)
          && key.equals(SERVER_WINDOW) == (pair.length == 2)
          && (pair.length == 1 || isWindow(pair[1].strip()));
      if (!valid) {
        throw new IllegalArgumentException(
            "the server chose a parameter of " + NAME + " that it may not: " + parameter);
      }
    }
    boolean keeps = offered == Compression.WITH_CONTEXT;
    // The client may forget what it compressed even if the server did not ask for it.
    return new Deflation(keeps && !names.contains(CLIENT_FORGETS), !names.contains(SERVER_FORGETS));
  }

  /** RFC 7692 section 7.1.2: from 8 to 15, perhaps quoted; any such window can be decompressed. */
  private static boolean isWindow(String value) {
    boolean quoted = value.length() > 2 && value.startsWith("\"") && value.endsWith("\"");
    String bits = quoted ? value.substring(1, value.length() - 1) : value;
    return bits.matches("[89]|1[0-5]");
  }

  private static List<String> elements(String list, String separator) {
    List<String> elements = new ArrayList<>();
    for (String element : list.split(separator, -1)) {
      if (!element.isBlank()) {
        elements.add(element.strip().toLowerCase(Locale.ROOT));
      }
    }
    return elements;
  }
}
