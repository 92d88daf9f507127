package heddle.har;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the specification of HAR 1.2 requires of a file, checked with nothing of ours. */
final class HarRules {
  private HarRules() {}

  /** The entries of a file, each of which has all fields that are required, of their types. */
  static List<JsonNode> entries(Path file) throws IOException {
    JsonNode log = JsonMapper.shared().readTree(Files.readAllBytes(file)).path("log");
    assertEquals("1.2", text(log, "version"));
    text(log.path("creator"), "name");
    text(log.path("creator"), "version");
    List<JsonNode> entries = new ArrayList<>();
    for (JsonNode entry : list(log, "entries")) {
      entry(entry);
      entries.add(entry);
    }
    return entries;
  }

  private static void entry(JsonNode entry) {
    Instant.parse(text(entry, "startedDateTime"));
    request(entry.path("request"));
    response(entry.path("response"));
    assertTrue(entry.path("cache").isObject(), entry::toString);
    JsonNode timings = entry.path("timings");
    double total = 0;
    for (String each : List.of("blocked", "dns", "connect", "send", "wait", "receive")) {
      total += Math.max(0, number(timings, each));
    }
    for (String required : List.of("send", "wait", "receive")) {
      assertTrue(number(timings, required) >= 0, timings::toString);
    }
    assertTrue(number(timings, "ssl") <= Math.max(-1, number(timings, "connect")));
    assertEquals(total, number(entry, "time"), 0.01, entry::toString);
  }

  private static void request(JsonNode request) {
    text(request, "method");
    text(request, "url");
    message(request);
    pairs(request, "queryString");
    JsonNode content = request.path("postData");
    if (!content.isMissingNode()) {
      text(content, "mimeType");
      pairs(content, "params");
    }
  }

  private static void response(JsonNode response) {
    number(response, "status");
    text(response, "statusText");
    message(response);
    text(response, "redirectURL");
    number(response.path("content"), "size");
    text(response.path("content"), "mimeType");
  }

  private static void message(JsonNode message) {
    text(message, "httpVersion");
    pairs(message, "headers");
    pairs(message, "cookies");
    number(message, "headersSize");
    number(message, "bodySize");
  }

  private static void pairs(JsonNode parent, String name) {
    for (JsonNode pair : list(parent, name)) {
      text(pair, "name");
      text(pair, "value");
    }
  }

  private static JsonNode list(JsonNode parent, String name) {
    JsonNode list = parent.path(name);
    assertTrue(list.isArray(), () -> name + " in " + parent);
    return list;
  }

  static String text(JsonNode parent, String name) {
    JsonNode text = parent.path(name);
    assertTrue(text.isString(), () -> name + " in " + parent);
    return text.asString();
  }

  static double number(JsonNode parent, String name) {
    JsonNode number = parent.path(name);
    assertTrue(number.isNumber(), () -> name + " in " + parent);
    return number.asDouble();
  }

  /** The value of the first field of this name, or none. */
  static String field(JsonNode message, String name) {
    for (JsonNode each : message.path("headers")) {
      if (each.path("name").asString().equalsIgnoreCase(name)) {
        return each.path("value").asString();
      }
    }
    return "none";
  }
}
