package heddle.bench.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Body;
import heddle.http.MediaType;
import heddle.http.Method;
import heddle.http.Origin;
import heddle.http.Request;
import heddle.http.Response;
import heddle.load.cluster.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StandInNodeTest {

  private static final String DOCUMENT = "{\"text\":\"abc\"}";

  /** Refreshes only when it is asked to. */
  private final StandInNode patient = new StandInNode(Duration.ofDays(1));

  private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();

  @AfterEach
  void close() {
    callers.shutdownNow();
    patient.close();
  }

  @Test
  void newDocumentsAreCreatedAndThenUpdated() throws Exception {
    Map<String, Object> first = index("/races/_doc/a", 201);
    assertEquals("created", first.get("result"));
    assertEquals("a", first.get("_id"));
    assertEquals(1, first.get("_version"));
    assertFalse(first.containsKey("forced_refresh"));
    assertEquals(true, index("/races/_doc/b?refresh", 201).get("forced_refresh"));
    Map<String, Object> second = index("/races/_doc/a", 200);
    assertEquals("updated", second.get("result"));
    assertEquals(2, second.get("_version"));
    assertNotEquals(first.get("_seq_no"), second.get("_seq_no"));
  }

  @Test
  void documentsWithoutAnIdGetOne() throws Exception {
    assertNotEquals(
        index("/races/_doc", 201).get("_id"), index("/races/_doc", 201).get("_id"));
  }

  @Test
  void documentsAreCountedOnlyAfterARefresh() throws Exception {
    index("/races/_doc", 201);
    assertEquals(0, count());
    send(Method.POST, "/races/_refresh").close();
    assertEquals(1, count());
    index("/races/_doc?refresh", 201);
    assertEquals(2, count());
  }

  @Test
  void whoeverWaitsIsAnsweredByTheNextRefresh() throws Exception {
    List<CompletableFuture<Map<String, Object>>> waiting = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      waiting.add(CompletableFuture.supplyAsync(this::indexAndWait, callers));
    }
    // Each has been taken once the sequence says so.
    while ((Integer) index("/races/_doc/probe", 0).get("_seq_no") < 20) {
      Thread.onSpinWait();
    }
    assertFalse(waiting.stream().anyMatch(CompletableFuture::isDone));
    while (count() < 21) {
      send(Method.POST, "/races/_refresh").close();
    }
    for (CompletableFuture<Map<String, Object>> each : waiting) {
      assertEquals("created", each.get(10, TimeUnit.SECONDS).get("result"));
    }
  }

  @Test
  void itRefreshesByItself() throws Exception {
    try (StandInNode node = new StandInNode(Duration.ofMillis(20))) {
      for (int i = 0; i < 3; i++) {
        Response response = node.handle(document("/races/_doc?refresh=wait_for"));
        assertEquals(201, response.status().code());
      }
      try (Response count = node.handle(request(Method.GET, "/races/_count"))) {
        assertEquals(3, Json.object(count.string()).get("count"));
      }
    }
  }

  @Test
  void whatANodeRefusesIsRefused() throws Exception {
    assertEquals(404, status(request(Method.GET, "/races/_count")));
    assertEquals(404, status(request(Method.GET, "/races/_search")));
    assertEquals(405, status(request(Method.DELETE, "/races/_doc/a")));
    assertEquals(405, status(request(Method.PUT, "/races/_doc")));
    assertEquals(406, status(post("abc", MediaType.OCTET_STREAM)));
    assertEquals(400, status(post("{\"text\":", MediaType.APPLICATION_JSON)));
    assertEquals(400, status(post("7", MediaType.APPLICATION_JSON)));
    try (Response response = patient.handle(request(Method.GET, "/races/_count"))) {
      assertTrue(response.string().contains("index_not_found_exception"));
    }
  }

  private Map<String, Object> indexAndWait() {
    try {
      return index("/races/_doc?refresh=wait_for", 201);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Any status where 0 is expected. */
  private Map<String, Object> index(String target, int status) throws Exception {
    try (Response response = patient.handle(document(target))) {
      assertEquals(
          status == 0 ? response.status().code() : status, response.status().code());
      return Json.object(response.string());
    }
  }

  private int count() throws Exception {
    try (Response response = send(Method.GET, "/races/_count")) {
      return (Integer) Json.object(response.string()).get("count");
    }
  }

  private Response send(Method method, String target) throws Exception {
    return patient.handle(request(method, target));
  }

  private int status(Request request) throws Exception {
    try (Response response = patient.handle(request)) {
      return response.status().code();
    }
  }

  private static Request document(String target) {
    return request(Method.POST, target).toBuilder()
        .header("Content-Type", "application/json")
        .body(Body.of(DOCUMENT))
        .build();
  }

  private static Request post(String content, MediaType type) {
    return request(Method.POST, "/races/_doc").toBuilder()
        .header("Content-Type", type.toString())
        .body(Body.of(content))
        .build();
  }

  private static Request request(Method method, String target) {
    return Request.builder(new Origin("http", "localhost", 9200), method, target)
        .build();
  }
}
