package heddle.web;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Form;
import heddle.http.Headers;
import heddle.http.MediaType;
import heddle.http.Method;
import heddle.http.Response;
import heddle.http.syntax.Iri;
import heddle.http.syntax.Octets;
import heddle.testwatch.FuzzTarget;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What clients put into their requests. */
enum WebTarget implements FuzzTarget {
  /** A path is refused, or leads where its segments lead when all of them are encoded anew. */
  PATH("/a/b", "/a/%62?q", "/a/x%2Fy/c", "/f/x/../y", "/%FF/%00", "//a//", "/a/b/c/%2e") {
    @Override
    void run(String text) {
      // The server refuses other targets.
      if (!text.startsWith("/") || !text.chars().allMatch(c -> Octets.isVisible(c) && c != '#')) {
        return;
      }
      RequestPath path;
      try {
        path = RequestPath.parse(text);
      } catch (ProblemException malformed) {
        assertEquals(400, malformed.problem().status().code());
        return;
      }
      List<String> segments = path.segmentsFrom(0);
      assertTrue(segments.stream().noneMatch(each -> each.equals(".") || each.equals("..")));
      RequestPath again = RequestPath.parse(
          segments.stream().map(Iri::encode).collect(Collectors.joining("/", "/", "")));
      assertEquals(segments, again.segmentsFrom(0));
      for (int i = 0; i < path.count(); i++) {
        assertEquals(segments.get(i).hashCode(), path.segmentHash(i));
        assertTrue(path.segmentEquals(i, segments.get(i)));
        assertFalse(path.segmentEquals(i, segments.get(i) + "x"));
        assertEquals(segments.get(i).isEmpty(), path.isEmpty(i));
      }
      Route found = TREE.find(path, Method.GET);
      assertSame(found, TREE.find(again, Method.GET));
      assertEquals(expected(segments), found == null ? null : found.pattern().text());
    }
  },

  /** A query is refused, or has the same parameters when it is encoded anew. */
  QUERY("a=1&b=2", "a+b=%C3%A9", "a=%FF", "&&=&a", "a=%2", "%26=%3D%2B") {
    @Override
    void run(String text) {
      Form form;
      try {
        form = WebExchange.parseQuery(text);
      } catch (ProblemException malformed) {
        assertEquals(400, malformed.problem().status().code());
        return;
      }
      assertEquals(form, WebExchange.parseQuery(form.encoded()));
    }
  },

  /** Cookies are read, whatever is among them. */
  COOKIES("a=1; b=2", "a;;=b; c = d =e ", "a=\"b;c\"") {
    @Override
    void run(String text) {
      Headers headers = field("Cookie", text);
      RequestCookies.all(headers).forEach((name, value) -> {
        assertEquals(value, RequestCookies.first(headers, name));
        assertFalse(name.isEmpty() || name.contains("=") || (name + value).contains(";"));
      });
    }
  },

  /** A preference never leads to a media type that was not offered. */
  ACCEPT("text/html;q=0.5, */*;q=0", "text/*;a=\"b,c\";q=1.000", "a/b;q=2", ",;,") {
    @Override
    void run(String text) {
      MediaType one = MediaType.APPLICATION_JSON;
      MediaType best = Accept.of(field("Accept", text)).best(one, MediaType.TEXT_HTML_UTF8);
      assertTrue(best == null || best == one || best == MediaType.TEXT_HTML_UTF8);
    }
  };

  private static final RouteTree TREE = tree();

  private final List<String> seeds;

  WebTarget(String... seeds) {
    this.seeds = List.of(seeds);
  }

  abstract void run(String text);

  @Override
  public void run(byte[] input) {
    run(new String(input, ISO_8859_1));
  }

  @Override
  public List<byte[]> seeds() {
    return seeds.stream().map(each -> each.getBytes(UTF_8)).toList();
  }

  private static Headers field(String name, String text) {
    String value = text.chars()
        .filter(c -> c >= ' ' && c != 0x7F)
        .mapToObj(Character::toString)
        .collect(Collectors.joining());
    return Headers.of(name, value.strip());
  }

  private static RouteTree tree() {
    RouteGroup routes = new RouteGroup("");
    for (String each : List.of("/a/b", "/a/{x}", "/a/{x}/c", "/{f}/x/{rest...}", "/", "/a/b/")) {
      routes.get(each, exchange -> Response.ok(each));
    }
    RouteTree tree = new RouteTree();
    routes.addTo(tree, routes.scope(null));
    return tree;
  }

  /** The same without a tree. */
  private static @Nullable String expected(List<String> path) {
    int count = path.size();
    String first = path.getFirst();
    if (count == 1) {
      return first.isEmpty() ? "/" : null;
    }
    if (first.equals("a") && count == 2 && !path.get(1).isEmpty()) {
      return path.get(1).equals("b") ? "/a/b" : "/a/{x}";
    }
    if (first.equals("a")
        && count == 3
        && path.get(1).equals("b")
        && path.get(2).isEmpty()) {
      return "/a/b/";
    }
    if (first.equals("a")
        && count == 3
        && path.get(2).equals("c")
        && !path.get(1).isEmpty()) {
      return "/a/{x}/c";
    }
    return count >= 3 && path.get(1).equals("x") && !first.isEmpty() ? "/{f}/x/{rest...}" : null;
  }
}
