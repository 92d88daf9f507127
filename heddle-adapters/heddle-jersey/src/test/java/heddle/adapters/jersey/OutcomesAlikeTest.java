package heddle.adapters.jersey;

import static heddle.adapters.jersey.Alike.alike;
import static heddle.adapters.jersey.Alike.at;
import static heddle.adapters.jersey.Alike.outcome;

import heddle.testkit.mock.MockFault;
import heddle.testkit.mock.MockHandler;
import heddle.testkit.mock.MockResponse;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.client.ClientRequestFilter;
import jakarta.ws.rs.client.ClientResponseFilter;
import jakarta.ws.rs.client.Entity;
import jakarta.ws.rs.client.WebTarget;
import jakarta.ws.rs.core.GenericType;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import jakarta.ws.rs.ext.ReaderInterceptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.glassfish.jersey.client.ChunkedInput;
import org.glassfish.jersey.client.ClientProperties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Callers get the same from Jersey's own connector and from Heddle's: responses, entities,
 * failures.
 */
@Timeout(60)
final class OutcomesAlikeTest {
  private static final MockHandler OK = request -> MockResponse.ok("ok");

  /** Answers {@code /404} with 404, and so on. */
  private static final MockHandler STATUS = request -> {
    int status = Integer.parseInt(request.target().substring(1));
    return MockResponse.of(status).header("Content-Type", "text/plain").body("said " + status);
  };

  // ---- heads

  @ParameterizedTest
  @ValueSource(ints = {200, 201, 202, 205, 206, 300, 304, 400, 401, 403, 405, 409, 500, 503})
  void statusAndTheKindOfItsException(int status) throws Exception {
    alike(STATUS, target -> {
      String head;
      try (Response response = at(target, "/" + status).get()) {
        head = response.getStatusInfo().getReasonPhrase()
            + response.getStatusInfo().getFamily()
            + response.hasEntity()
            + response.readEntity(String.class);
      }
      return head
          + outcome(() -> at(target, "/" + status).get(String.class))
          + outcome(() -> at(target, "/" + status).post(Entity.text("x"), String.class));
    });
  }

  @Test
  void whatAHeadSays() throws Exception {
    MockHandler answers = request -> MockResponse.ok("{}")
        .header("Content-Type", "application/json;charset=UTF-8")
        .header("Content-Language", "de")
        .header("Date", "Sun, 06 Nov 1994 08:49:37 GMT")
        .header("Last-Modified", "Sat, 05 Nov 1994 08:49:37 GMT")
        .header("ETag", "W/\"warp\"")
        .header("Allow", "GET, PUT")
        .header("Link", "</next>; rel=\"next\"")
        .header("Set-Cookie", "a=1;Path=/")
        .header("Set-Cookie", "b=2;Path=/")
        .header("X-Weft", "one")
        .header("x-weft", "two");
    alike(answers, target -> {
      try (Response response = at(target, "a").get()) {
        List<Object> weft = new ArrayList<>(response.getHeaders().get("X-WEFT"));
        weft.sort(null);
        return response.getMediaType()
            + " " + response.getLanguage()
            + " " + response.getDate().toInstant()
            + " " + response.getLastModified().toInstant()
            + " " + response.getEntityTag()
            + " " + response.getAllowedMethods().stream().sorted().toList()
            + " " + response.getLink("next").getRel()
            + " " + response.getCookies().keySet().stream().sorted().toList()
            + " " + response.getLength()
            + " " + weft;
      }
    });
  }

  @Test
  void redirectThatIsRelativeOrLeadsNowhere() throws Exception {
    MockHandler answers = request -> switch (request.target()) {
      case "/nowhere" -> MockResponse.of(302).body("stay");
      case "/relative" -> MockResponse.of(301).header("Location", "circle/../there?a=%20");
      case "/there?a=%20" -> MockResponse.ok("there");
      default -> MockResponse.of(404);
    };
    alike(answers, target -> outcome(() -> at(target, "relative").get(String.class)));
    alike(
        answers,
        target -> outcome(() -> {
          try (Response response = at(target, "nowhere").get()) {
            return response.getStatus() + response.readEntity(String.class);
          }
        }));
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 302, 307})
  void putAndDeleteStayWhatTheyAreAfterARedirect(int status) throws Exception {
    MockHandler answers = request -> request.target().equals("/a")
        ? MockResponse.of(status).header("Location", "/b")
        : MockResponse.ok(request.method() + request.text());
    alike(
        answers,
        target -> at(target, "a").put(Entity.text("warp"), String.class)
            + at(target, "a").delete(String.class));
  }

  // ---- entities

  @Test
  void bufferedEntityIsReadTwice() throws Exception {
    alike(OK, target -> {
      try (Response response = at(target, "a").get()) {
        return String.valueOf(response.bufferEntity())
            + response.readEntity(String.class)
            + response.readEntity(byte[].class).length;
      }
    });
  }

  @Test
  void entityAfterTheResponseWasClosedOrRead() throws Exception {
    alike(OK, target -> {
      Response closed = at(target, "a").get();
      closed.close();
      Response read = at(target, "a").get();
      String text = read.readEntity(String.class);
      return outcome(() -> closed.readEntity(String.class))
          + outcome(closed::hasEntity)
          + text
          + outcome(() -> read.readEntity(String.class));
    });
  }

  @Test
  void streamOfAnEntity() throws Exception {
    MockHandler answers = request -> MockResponse.ok(new byte[100_000]).chunked();
    alike(answers, target -> {
      try (InputStream content = at(target, "a").get(InputStream.class)) {
        long skipped = content.skip(10);
        return skipped + content.readNBytes(90).length + " " + content.readAllBytes().length
            + content.read() + content.read(new byte[3]);
      }
    });
  }

  @Test
  void chunksOfAnEntity() throws Exception {
    MockHandler answers = request -> MockResponse.ok("one\r\ntwo\r\nthree\r\n").chunked();
    alike(answers, target -> {
      List<String> chunks = new ArrayList<>();
      try (ChunkedInput<String> input =
          at(target, "a").get(new GenericType<ChunkedInput<String>>() {})) {
        for (String chunk = input.read(); chunk != null; chunk = input.read()) {
          chunks.add(chunk);
        }
      }
      return chunks;
    });
  }

  @Test
  void codingThatIsNotDecoded() throws Exception {
    MockHandler answers =
        request -> MockResponse.ok("not really").header("Content-Encoding", "gzip");
    alike(answers, target -> {
      try (Response response = at(target, "a").get()) {
        return response.getHeaderString("Content-Encoding") + response.readEntity(String.class);
      }
    });
  }

  @Test
  void filterAndInterceptorOfAResponse() throws Exception {
    ClientResponseFilter filter = (request, response) -> {
      response.getHeaders().putSingle("X-Seen", request.getMethod() + response.getStatus());
      response.setEntityStream(new ByteArrayInputStream("other".getBytes(StandardCharsets.UTF_8)));
    };
    ReaderInterceptor interceptor = context -> context.proceed() + "!";
    alike(OK, target -> {
      try (Response response =
          target.register(filter).register(interceptor).request().get()) {
        return response.getHeaderString("X-Seen") + response.readEntity(String.class);
      }
    });
  }

  // ---- failures

  @Test
  void filtersThatThrow() throws Exception {
    ClientRequestFilter before = context -> {
      throw new IOException("broken");
    };
    ClientResponseFilter after = (request, response) -> {
      throw new IllegalStateException("broken");
    };
    alike(OK, target -> {
      WebTarget no = target.path("no").register(before);
      WebTarget late = target.path("late").register(after);
      return outcome(() -> no.request().get())
          + outcome(() -> late.request().get())
          + outcome(() -> no.request().async().get().get())
          + outcome(() -> late.request().async().get().get());
    });
  }

  @Test
  void writersThatThrow() throws Exception {
    StreamingOutput refused = out -> {
      throw new WebApplicationException(409);
    };
    StreamingOutput broken = out -> {
      throw new IllegalStateException("broken");
    };
    alike(OK, target -> {
      List<String> all = new ArrayList<>();
      for (StreamingOutput each : List.of(refused, broken)) {
        Entity<StreamingOutput> entity = Entity.entity(each, MediaType.TEXT_PLAIN_TYPE);
        all.add(outcome(() -> at(target, "a").post(entity)));
      }
      return all;
    });
  }

  @Test
  void entityWithoutAReaderOrAWriter() throws Exception {
    alike(
        request -> MockResponse.ok("x").header("Content-Type", "application/x-loom"),
        target -> outcome(() -> at(target, "a").get(Duration.class))
            + outcome(() -> at(target, "a").async().get(Duration.class).get())
            + outcome(
                () -> at(target, "a").post(Entity.entity(Duration.ZERO, "application/x-loom"))));
  }

  @Test
  void timeOutBeforeAndWithinAResponse() throws Exception {
    MockHandler answers = request -> request.target().equals("/head")
        ? MockResponse.fault(MockFault.blackHole())
        : MockResponse.ok("slow").with(MockFault.slowBody(1, Duration.ofHours(1)));
    alike(answers, target -> {
      WebTarget hasty = target.property(ClientProperties.READ_TIMEOUT, 100);
      String head = outcome(() -> at(hasty, "head").post(Entity.text("x")));
      try (Response response = at(hasty, "body").get()) {
        return head + outcome(() -> response.readEntity(String.class));
      }
    });
  }
}
