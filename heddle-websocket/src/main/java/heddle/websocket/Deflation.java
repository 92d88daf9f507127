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
  private static final String CLIENT_WINDOW = "client_max_window_bits";

  /** The window that this side compresses with, as the JDK does: 32 KiB. */
  private static final int WINDOW_BITS = 15;

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

  /**
   * What a server agrees to.
   *
   * @param field the value of Sec-WebSocket-Extensions in its response
   */
  record Answer(Deflation deflation, String field) {}

  /**
   * Chooses the first offer of a client that this side can accept; those that are malformed, or
   * need a smaller window, are declined (RFC 7692 sections 5.1 and 7.1).
   *
   * @param fields the values of Sec-WebSocket-Extensions in its request
   * @return null for no compression
   */
  static @Nullable Answer accept(List<String> fields, Compression allowed) {
    if (allowed == Compression.OFF) {
      return null;
    }
    for (String extension : elements(String.join(",", fields), ",")) {
      List<String> parts = elements(extension, ";");
      if (!parts.isEmpty() && parts.getFirst().equals(NAME)) {
        Answer answer = accept(parts.subList(1, parts.size()), allowed == Compression.WITH_CONTEXT);
        if (answer != null) {
          return answer;
        }
      }
    }
    return null;
  }

  private static @Nullable Answer accept(List<String> parameters, boolean keeps) {
    Set<String> names = new HashSet<>();
    for (String parameter : parameters) {
      String[] pair = parameter.split("=", 2);
      String key = pair[0].strip();
      String value = pair.length == 1 ? null : pair[1].strip();
      boolean acceptable =
          switch (key) {
            case CLIENT_FORGETS, SERVER_FORGETS -> value == null;
            // Any window of the client's can be decompressed.
            case CLIENT_WINDOW -> value == null || isWindow(value);
            case SERVER_WINDOW -> value != null && unquoted(value).equals("" + WINDOW_BITS);
            default -> false;
          };
      if (!acceptable || !names.add(key)) {
        return null;
      }
    }
    boolean clientKeeps = keeps && !names.contains(CLIENT_FORGETS);
    boolean serverKeeps = keeps && !names.contains(SERVER_FORGETS);
    String field = NAME
        + (clientKeeps ? "" : "; " + CLIENT_FORGETS)
        + (serverKeeps ? "" : "; " + SERVER_FORGETS)
        + (names.contains(SERVER_WINDOW) ? "; " + SERVER_WINDOW + "=" + WINDOW_BITS : "");
    return new Answer(new Deflation(clientKeeps, serverKeeps), field);
  }

  private static String unquoted(String value) {
    boolean quoted = value.length() > 2 && value.startsWith("\"") && value.endsWith("\"");
    return quoted ? value.substring(1, value.length() - 1) : value;
  }

  /** RFC 7692 section 7.1.2: from 8 to 15, perhaps quoted; any such window can be decompressed. */
  private static boolean isWindow(String value) {
    return unquoted(value).matches("[89]|1[0-5]");
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
