package heddle.web;

import heddle.http.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The routes of a host, as a tree of the segments of their paths. Of the routes that match a path,
 * the one is chosen that is more exact in the first segment in which they differ: a literal before
 * a parameter before the rest of the path. A route without the request's method is passed over.
 * Routes are added before the tree is used, which is then safe for use by many threads.
 */
final class RouteTree {
  private final Node root = new Node();

  /**
   * Adds a route.
   *
   * @throws IllegalArgumentException if there is one with the same method for the same paths
   */
  void add(Route route) {
    Node node = root;
    for (PathPattern.Segment segment : route.pattern().segments()) {
      node = switch (segment) {
        case PathPattern.Literal literal -> node.literals.getOrAdd(literal.text());
        case PathPattern.Variable variable -> {
          node.variable = node.variable == null ? new Node() : node.variable;
          yield node.variable;
        }
        case PathPattern.Rest rest -> {
          node.rest = node.rest == null ? new Node() : node.rest;
          yield node.rest;
        }
      };
    }
    node.add(route);
  }

  /** The route for a request; null if there is none. */
  @Nullable
  Route find(RequestPath path, Method method) {
    return find(root, path, 0, method);
  }

  /** Visits a node at most once, because one path leads to it. */
  private static @Nullable Route find(Node node, RequestPath path, int index, Method method) {
    if (index == path.count()) {
      return node.route(method);
    }
    Node literal = node.literals.get(path, index);
    Route found = literal == null ? null : find(literal, path, index + 1, method);
    if (found == null && node.variable != null && !path.isEmpty(index)) {
      found = find(node.variable, path, index + 1, method);
    }
    return found == null && node.rest != null ? node.rest.route(method) : found;
  }

  /** Passes all routes whose path matches to an action, for all methods. */
  void forEach(RequestPath path, Consumer<Route> action) {
    forEach(root, path, 0, action);
  }

  private static void forEach(Node node, RequestPath path, int index, Consumer<Route> action) {
    if (index == path.count()) {
      node.routes.forEach(action);
      return;
    }
    Node literal = node.literals.get(path, index);
    if (literal != null) {
      forEach(literal, path, index + 1, action);
    }
    if (node.variable != null && !path.isEmpty(index)) {
      forEach(node.variable, path, index + 1, action);
    }
    if (node.rest != null) {
      node.rest.routes.forEach(action);
    }
  }

  /** Passes all routes to an action. */
  void forEach(Consumer<Route> action) {
    root.forEach(action);
  }

  /** What the segments up to here lead to. */
  private static final class Node {
    final Literals literals = new Literals();
    final List<Route> routes = new ArrayList<>();

    @Nullable
    Node variable;

    @Nullable
    Node rest;

    void add(Route route) {
      for (Route other : routes) {
        if (Objects.equals(route.method(), other.method())) {
          throw new IllegalArgumentException(
              "two routes answer the same requests: %s and %s: remove one of them"
                  .formatted(other, route));
        }
      }
      routes.add(route);
    }

    void forEach(Consumer<Route> action) {
      routes.forEach(action);
      for (Node each : literals.nodes) {
        if (each != null) {
          each.forEach(action);
        }
      }
      if (variable != null) {
        variable.forEach(action);
      }
      if (rest != null) {
        rest.forEach(action);
      }
    }

    @Nullable
    Route route(Method method) {
      Route best = null;
      for (int i = 0; i < routes.size(); i++) {
        Route each = routes.get(i);
        Method own = each.method();
        if (own != null && own.equals(method)) {
          return each;
        }
        // RFC 9110 section 9.3.2: HEAD is GET without the content, which the server drops.
        boolean isGet = own == Method.GET && method == Method.HEAD;
        if (isGet || own == null && best == null) {
          best = each;
        }
      }
      return best;
    }
  }

  /** Nodes by the texts of segments, found without making a text. */
  private static final class Literals {
    private static final int FIRST_SLOTS = 4; // a power of 2

    private @Nullable String[] texts = new @Nullable String[FIRST_SLOTS];
    private @Nullable Node[] nodes = new @Nullable Node[FIRST_SLOTS];
    private int size;

    @Nullable
    Node get(RequestPath path, int segment) {
      if (size == 0) {
        return null;
      }
      int mask = texts.length - 1;
      int slot = spread(path.segmentHash(segment)) & mask;
      while (true) {
        String text = texts[slot];
        if (text == null) {
          return null;
        }
        if (path.segmentEquals(segment, text)) {
          return nodes[slot];
        }
        slot = slot + 1 & mask;
      }
    }

    Node getOrAdd(String text) {
      int slot = slotOf(text);
      Node known = nodes[slot];
      if (known != null) {
        return known;
      }
      Node added = new Node();
      texts[slot] = text;
      nodes[slot] = added;
      size++;
      if (2 * size > texts.length) {
        grow();
      }
      return added;
    }

    private int slotOf(String text) {
      int mask = texts.length - 1;
      int slot = spread(text.hashCode()) & mask;
      while (texts[slot] != null && !text.equals(texts[slot])) {
        slot = slot + 1 & mask;
      }
      return slot;
    }

    private void grow() {
      @Nullable String[] oldTexts = texts;
      @Nullable Node[] oldNodes = nodes;
      texts = new @Nullable String[2 * oldTexts.length];
      nodes = new @Nullable Node[2 * oldNodes.length];
      for (int i = 0; i < oldTexts.length; i++) {
        String text = oldTexts[i];
        if (text != null) {
          int slot = slotOf(text);
          texts[slot] = text;
          nodes[slot] = oldNodes[i];
        }
      }
    }

    private static int spread(int hash) {
      return hash ^ hash >>> 16;
    }
  }
}
