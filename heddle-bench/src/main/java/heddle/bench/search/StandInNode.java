package heddle.bench.search;

import heddle.bench.routes.Beat;
import heddle.http.Body;
import heddle.http.MediaType;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.load.cluster.json.Json;
import heddle.server.spi.Handler;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Stands in for a node of OpenSearch if that is not available: it answers the few requests of a
 * race like a node, with refreshes at fixed times. It only keeps the ids of documents. Safe for use
 * by many threads.
 *
 * <ul>
 *   <li>{@code PUT} or {@code POST /{index}/_doc/{id}}, {@code POST /{index}/_doc}: indexes a
 *       document, a JSON object; with {@code ?refresh=wait_for} the answer waits for the refresh
 *       that makes it searchable; with {@code ?refresh} or {@code ?refresh=true} there is a refresh
 *       at once
 *   <li>{@code GET /{index}/_count}: the number of searchable documents
 *   <li>{@code POST /{index}/_refresh}: refreshes at once
 *   <li>{@code GET /}: the name of the node
 * </ul>
 */
public final class StandInNode implements Handler, AutoCloseable {

  private static final Map<String, Object> SHARDS =
      Map.of("total", 1, "successful", 1, "skipped", 0, "failed", 0);

  private final Map<String, Generations> indices = new ConcurrentHashMap<>();
  private final Beat refreshes;

  /**
   * Creates a node without documents, which refreshes until it is closed.
   *
   * @param interval the interval between refreshes, above 0; that of OpenSearch is 1 s
   */
  public StandInNode(Duration interval) {
    refreshes = new Beat(interval, () -> indices.values().forEach(Generations::refresh));
  }

  /**
   * Answers a request: 404 for an unknown path or index, 405 for a method that the path does not
   * support, 406 for content that is not declared as JSON, 400 for content that is not a JSON
   * object.
   *
   * @throws IOException if the content of the request cannot be read
   * @throws InterruptedException if the thread is interrupted while it waits for a refresh
   */
  @Override
  public Response handle(Request request) throws IOException, InterruptedException {
    List<String> path = Arrays.asList(request.path().substring(1).split("/", -1));
    if (path.equals(List.of(""))) {
      return isRead(request) ? json(Status.OK, Map.of("name", "stand-in")) : notAllowed(request);
    }
    String what = path.size() < 2 ? "" : path.get(1);
    boolean isDocument = what.equals("_doc") && path.size() <= 3 && !path.contains("");
    if (isDocument) {
      boolean isWritten = request.method().equals(Method.POST)
          || (request.method().equals(Method.PUT) && path.size() == 3);
      String id = path.size() == 3 ? path.get(2) : UUID.randomUUID().toString();
      return isWritten ? index(path.getFirst(), id, request) : notAllowed(request);
    }
    if (path.size() == 2 && what.equals("_count")) {
      return isRead(request) ? count(path.getFirst()) : notAllowed(request);
    }
    if (path.size() == 2 && what.equals("_refresh")) {
      return request.method().equals(Method.POST) ? refresh(path.getFirst()) : notAllowed(request);
    }
    return problem(
        Status.NOT_FOUND,
        "no_handler",
        "a stand-in has /{index}/_doc/{id}, /{index}/_count and /{index}/_refresh, not "
            + request.path());
  }

  private Response index(String name, String id, Request request)
      throws IOException, InterruptedException {
    String type = request.headers().first("Content-Type");
    if (type == null || !type.startsWith("application/json")) {
      return problem(
          Status.NOT_ACCEPTABLE,
          "media_type_header_exception",
          "the content must be application/json, not " + type);
    }
    try {
      var _ = Json.object(request.body().string());
    } catch (IllegalArgumentException e) {
      return problem(Status.BAD_REQUEST, "mapper_parsing_exception", "not a JSON object: " + e);
    }
    Generations index = indices.computeIfAbsent(name, _ -> new Generations());
    Generations.Indexed indexed = index.index(id);
    boolean isForced = isForced(request.query());
    if (isForced) {
      index.refresh();
    } else if (("&" + request.query() + "&").contains("&refresh=wait_for&")) {
      indexed.searchable().await();
    }
    boolean isNew = indexed.version() == 1;
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("_index", name);
    answer.put("_id", id);
    answer.put("_version", indexed.version());
    answer.put("result", isNew ? "created" : "updated");
    if (isForced) {
      answer.put("forced_refresh", true);
    }
    answer.put("_shards", SHARDS);
    answer.put("_seq_no", indexed.sequence());
    answer.put("_primary_term", 1);
    return json(isNew ? Status.CREATED : Status.OK, answer);
  }

  private static boolean isForced(@Nullable String query) {
    String all = "&" + query + "&";
    return all.contains("&refresh&")
        || all.contains("&refresh=&")
        || all.contains("&refresh=true&");
  }

  private Response count(String name) {
    Generations index = indices.get(name);
    return index == null
        ? unknown(name)
        : json(Status.OK, Map.of("count", index.searchable(), "_shards", SHARDS));
  }

  private Response refresh(String name) {
    Generations index = indices.get(name);
    if (index == null) {
      return unknown(name);
    }
    index.refresh();
    return json(Status.OK, Map.of("_shards", SHARDS));
  }

  private static boolean isRead(Request request) {
    return request.method().equals(Method.GET) || request.method().equals(Method.HEAD);
  }

  private static Response unknown(String index) {
    return problem(Status.NOT_FOUND, "index_not_found_exception", "no such index [" + index + "]");
  }

  private static Response notAllowed(Request request) {
    return problem(
        Status.METHOD_NOT_ALLOWED,
        "method_not_allowed",
        request.method() + " is not allowed for " + request.path());
  }

  private static Response problem(Status status, String type, String reason) {
    return json(
        status, Map.of("error", Map.of("type", type, "reason", reason), "status", status.code()));
  }

  private static Response json(Status status, Map<String, Object> content) {
    return Response.builder(status)
        .body(Body.of(Json.line(content), MediaType.APPLICATION_JSON))
        .build();
  }

  /** Stops refreshing; requests that wait for a refresh continue to wait. */
  @Override
  public void close() {
    refreshes.close();
  }
}
