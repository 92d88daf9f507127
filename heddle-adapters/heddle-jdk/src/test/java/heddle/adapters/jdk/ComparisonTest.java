package heddle.adapters.jdk;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.testkit.ScriptedPeer;
import heddle.transport.tcp.TcpNetwork;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses have the same results over Heddle as over the JDK's own client. */
@Timeout(60)
class ComparisonTest {
  private static final String OK = "HTTP/1.1 200 OK\r\n";

  private static List<String> answers(Stack stack, String said, boolean ends, String method)
      throws Exception {
    try (ScriptedPeer peer = ScriptedPeer.each(TcpNetwork.shared(), Outcomes.saying(said, ends));
        HttpClient client = stack.client()) {
      HttpRequest request =
          Outcomes.to(peer).method(method, HttpRequest.BodyPublishers.noBody()).build();
      return Outcomes.of(client, request, BodyHandlers.ofString(), String::valueOf);
    }
  }

  // ---- heads and framing

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
        "HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\nhi",
        "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nhi",
        "HTTP/1.1 299 Odd\r\nContent-Length: 2\r\n\r\nhi",
        "HTTP/1.1 599 Odd\r\nContent-Length: 2\r\n\r\nhi",
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX-A: 1\r\nx-a: 2\r\nX-Empty:\r\nContent-Length: 2\r\n\r\nhi",
        "HTTP/1.1 200 OK\r\nX-A:  spaces \t \r\nContent-Length: 2\r\n\r\nhi",
        "HTTP/1.1 200 OK\r\nX-A: caf\u00e9\r\nContent-Length: 2\r\n\r\nhi",
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=ISO-8859-1\r\n"
            + "Content-Length: 2\r\n\r\n\u00e9\u00fc",
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=none\r\n"
            + "Content-Length: 2\r\n\r\nhi",
        "HTTP/1.1 204 No Content\r\n\r\n",
        "HTTP/1.1 304 Not Modified\r\nETag: a\r\n\r\n",
        "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n",
        "HTTP/1.1 205 Reset\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n2;a=b\r\nhi\r\n0\r\n\r\n",
        "HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\nHTTP/1.1 200 OK\r\n"
            + "Content-Length: 2\r\n\r\nhi",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200 OK\r\n"
            + "Content-Length: 2\r\n\r\nhi",
        "HTTP/1.1 401 Who\r\nContent-Length: 2\r\n\r\nhi",
        "HTTP/1.1 401 Who\r\nWWW-Authenticate:\r\nContent-Length: 2\r\n\r\nhi",
        "HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic realm=a\r\nContent-Length: 2\r\n\r\nhi",
        "HTTP/1.1 302 There\r\nLocation: /b\r\nContent-Length: 2\r\n\r\nhi",
      })
  void acceptedResponsesAreTheSame(String said) throws Exception {
    for (String method : List.of("GET", "HEAD", "OPTIONS")) {
      assertEquals(
          answers(Stack.STOCK, said, false, method), answers(Stack.HEDDLE, said, false, method));
    }
  }

  /** As over the JDK's own client, whose threads may race when a connection ends. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\n\r\nto the end",
        "HTTP/1.0 200 OK\r\n\r\nto the end",
        "HTTP/1.1 200 OK\r\n\r\n",
      })
  void whatEndsWithTheConnectionIsWhole(String said) throws Exception {
    String body = said.substring(said.indexOf("\r\n\r\n") + 4);
    String outcome = "200 HTTP_1_1 {} false " + body;
    assertEquals(List.of(outcome, outcome), answers(Stack.HEDDLE, said, true, "GET"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhi",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nh",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhi\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Len",
        "HTTP/1.1",
      })
  void truncatedOrMalformedContentIsAnException(String said) throws Exception {
    String kind = said.contains("zz") ? "ProtocolException" : "IOException";
    assertEquals(List.of(kind, kind), answers(Stack.HEDDLE, said, true, "GET"));
  }

  // ---- handlers

  private static Map<String, String> handled(Stack stack, String said, Path folder)
      throws Exception {
    Map<String, String> seen = new LinkedHashMap<>();
    Path file = folder.resolve(stack + ".txt");
    try (ScriptedPeer peer = ScriptedPeer.each(TcpNetwork.shared(), Outcomes.saying(said, false));
        HttpClient client = stack.client()) {
      HttpRequest request = Outcomes.to(peer).build();
      seen.put(
          "array",
          Outcomes.of(client, request, BodyHandlers.ofByteArray(), body -> body.length + "")
              .toString());
      seen.put(
          "nothing",
          Outcomes.of(client, request, BodyHandlers.discarding(), String::valueOf)
              .toString());
      seen.put(
          "other",
          Outcomes.of(client, request, BodyHandlers.replacing("other"), body -> body)
              .toString());
      seen.put(
          "charset",
          Outcomes.of(client, request, BodyHandlers.ofString(StandardCharsets.UTF_16), body -> body)
              .toString());
      seen.put(
          "stream",
          Outcomes.of(client, request, BodyHandlers.ofInputStream(), ComparisonTest::readAndClose)
              .toString());
      seen.put(
          "lines",
          Outcomes.of(
                  client,
                  request,
                  BodyHandlers.ofLines(),
                  body -> body.collect(Collectors.joining("|")))
              .toString());
      seen.put(
          "file",
          Outcomes.of(
                  client,
                  request,
                  BodyHandlers.ofFile(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                  body -> Files.readString(body, StandardCharsets.ISO_8859_1))
              .toString());
      seen.put(
          "buffering",
          Outcomes.of(
                  client, request, BodyHandlers.buffering(BodyHandlers.ofString(), 3), body -> body)
              .toString());
      handledOtherwise(client, request, seen);
    }
    return seen;
  }

  private static void handledOtherwise(
      HttpClient client, HttpRequest request, Map<String, String> seen) throws Exception {
    for (long capacity : NewerApi.IS_THERE ? new long[] {0, 5, 1_000_000} : new long[0]) {
      seen.put(
          "at most " + capacity,
          Outcomes.of(
                  client,
                  request,
                  NewerApi.limiting(BodyHandlers.ofString(), capacity),
                  body -> body)
              .toString());
    }
    seen.put(
        "mapped",
        Outcomes.of(
                client,
                request,
                head -> BodySubscribers.mapping(
                    BodySubscribers.ofString(StandardCharsets.UTF_8), String::length),
                String::valueOf)
            .toString());
    seen.put("consumed", consumed(client, request));
    List<String> told = new CopyOnWriteArrayList<>();
    seen.put(
        "line by line",
        Outcomes.of(
                    client,
                    request,
                    BodyHandlers.fromLineSubscriber(new Lines(told), lines -> "finished", null),
                    body -> body)
                .toString()
            + told);
    seen.put(
        "published",
        Outcomes.of(client, request, BodyHandlers.ofPublisher(), ComparisonTest::readPublished)
            .toString());
  }

  private static String readAndClose(InputStream body) throws IOException {
    try (body) {
      return new String(body.readAllBytes(), StandardCharsets.UTF_8) + body.read();
    }
  }

  private static String consumed(HttpClient client, HttpRequest request) throws Exception {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    List<String> ends = new ArrayList<>();
    List<String> outcomes = Outcomes.of(
        client,
        request,
        BodyHandlers.ofByteArrayConsumer(
            part -> part.ifPresentOrElse(all::writeBytes, () -> ends.add("end"))),
        String::valueOf);
    return outcomes + all.toString(StandardCharsets.UTF_8) + ends;
  }

  /** Notes lines. */
  private record Lines(List<String> told) implements Flow.Subscriber<String> {
    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(String line) {
      told.add(line);
    }

    @Override
    public void onError(Throwable failure) {
      told.add(failure.getClass().getSimpleName());
    }

    @Override
    public void onComplete() {
      told.add("end");
    }
  }

  private static String readPublished(Flow.Publisher<List<ByteBuffer>> body) throws IOException {
    HttpResponse.BodySubscriber<String> reading = BodySubscribers.ofString(StandardCharsets.UTF_8);
    body.subscribe(reading);
    try {
      return reading.getBody().toCompletableFuture().get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IOException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 0\r\n\r\n",
        "Content-Length: 2\r\n\r\nhi",
        "Content-Length: 22\r\n\r\none\ntwo\r\nthree\rfour\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n4\r\none\n\r\n5\r\n\ntwo\n\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      })
  void everyHandlerMakesTheSameOfIt(String said, @TempDir Path folder) throws Exception {
    assertEquals(
        handled(Stack.STOCK, OK + said, folder).toString(),
        handled(Stack.HEDDLE, OK + said, folder).toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "attachment; filename=a.txt",
        "attachment; filename=\"a b.txt\"",
        "ATTACHMENT; FileName=A.txt; size=2",
        "attachment; filename=../../up.txt",
        "attachment; filename=/etc/up.txt",
        "attachment; filename=\"\"",
        "attachment; filename=.",
        "attachment; filename=..",
        "attachment; filename=\"a\\\"b.txt\"",
        "attachment",
        "inline; filename=a.txt",
        "",
      })
  void downloadsGetTheSameNames(String disposition, @TempDir Path folder) throws Exception {
    List<String> seen = new ArrayList<>();
    for (Stack stack : Stack.values()) {
      Path own = Files.createDirectory(folder.resolve(stack.name()));
      String said = OK + "Content-Disposition: " + disposition + "\r\nContent-Length: 2\r\n\r\nhi";
      try (ScriptedPeer peer =
              ScriptedPeer.each(TcpNetwork.shared(), Outcomes.saying(said, false));
          HttpClient client = stack.client()) {
        BodyHandler<Path> handler =
            BodyHandlers.ofFileDownload(own, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        seen.add(
            Outcomes.of(client, Outcomes.to(peer).build(), handler, body -> own.relativize(body)
                    .toString())
                .toString());
      }
      try (Stream<Path> files = Files.list(own)) {
        seen.add(files.map(each -> own.relativize(each).toString()).toList().toString());
      }
    }
    assertEquals(seen.subList(0, 2), seen.subList(2, 4));
  }
}
