package heddle.adapters.okhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import okhttp3.ResponseBody;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import retrofit2.Call;
import retrofit2.Callback;
import retrofit2.HttpException;
import retrofit2.Response;
import retrofit2.Retrofit;
import retrofit2.converter.gson.GsonConverterFactory;
import retrofit2.http.Body;
import retrofit2.http.GET;
import retrofit2.http.POST;
import retrofit2.http.Path;
import retrofit2.http.Query;
import retrofit2.http.Streaming;

/** Retrofit's services over each of the stacks. */
@Timeout(60)
class RetrofitTest {
  @AutoClose
  private Stack.Running running;

  @AutoClose
  private final MockWebServer server = PromptServer.create();

  /** What the server knows of a thread of a cloth. */
  record Yarn(String colour, int length) {}

  /** The service. */
  interface Weaver {
    @GET("yarns/{id}")
    Call<Yarn> yarn(@Path("id") String id, @Query("unit") String unit);

    @POST("yarns")
    Call<Yarn> spin(@Body Yarn yarn);

    @GET("yarns/{id}")
    CompletableFuture<Yarn> later(@Path("id") String id);

    @GET("yarns/{id}")
    CompletableFuture<Response<Yarn>> answer(@Path("id") String id);

    @Streaming
    @GET("cloth")
    Call<ResponseBody> cloth();
  }

  @BeforeEach
  void startServer() throws IOException {
    server.start();
  }

  private Weaver weaver(Stack.Running running) {
    return new Retrofit.Builder()
        .baseUrl(server.url("/"))
        .callFactory(running.client())
        .addConverterFactory(GsonConverterFactory.create())
        .build()
        .create(Weaver.class);
  }

  private void enqueue(int code, String body) {
    server.enqueue(new MockResponse.Builder()
        .status("HTTP/1.1 " + code + (code == 200 ? " OK" : " Client Error"))
        .addHeader("Content-Type", "application/json")
        .body(body)
        .build());
  }

  @ParameterizedTest
  @EnumSource
  void aCallIsExecutedAndConverted(Stack stack) throws Exception {
    enqueue(200, "{\"colour\":\"red\",\"length\":3}");
    running = stack.start();
    Response<Yarn> response = weaver(running).yarn("a b", "ell").execute();
    assertEquals(new Yarn("red", 3), response.body());
    assertEquals(200, response.code());
    assertEquals("/yarns/a%20b?unit=ell", server.takeRequest().getTarget());
  }

  @ParameterizedTest
  @EnumSource
  void aBodyIsConvertedAndSent(Stack stack) throws Exception {
    enqueue(200, "{\"colour\":\"blue\",\"length\":4}");
    running = stack.start();
    Response<Yarn> response = weaver(running).spin(new Yarn("grün", 5)).execute();
    assertEquals(new Yarn("blue", 4), response.body());
    var request = server.takeRequest();
    assertEquals("application/json; charset=UTF-8", request.getHeaders().get("Content-Type"));
    assertNotNull(request.getBody());
    assertEquals("{\"colour\":\"grün\",\"length\":5}", request.getBody().utf8());
  }

  @ParameterizedTest
  @EnumSource
  void aCallIsEnqueued(Stack stack) throws Exception {
    enqueue(200, "{\"colour\":\"red\",\"length\":3}");
    CompletableFuture<Yarn> got = new CompletableFuture<>();
    running = stack.start();
    weaver(running).yarn("1", "m").enqueue(new Callback<>() {
      @Override
      public void onResponse(Call<Yarn> call, Response<Yarn> response) {
        got.complete(response.body());
      }

      @Override
      public void onFailure(Call<Yarn> call, Throwable e) {
        got.completeExceptionally(e);
      }
    });
    assertEquals(new Yarn("red", 3), got.get());
  }

  @ParameterizedTest
  @EnumSource
  void aFutureIsCompleted(Stack stack) throws Exception {
    enqueue(200, "{\"colour\":\"red\",\"length\":3}");
    running = stack.start();
    assertEquals(new Yarn("red", 3), weaver(running).later("1").get());
  }

  @ParameterizedTest
  @EnumSource
  void aFutureFailsAsItsAnswerSays(Stack stack) throws Exception {
    enqueue(404, "{}");
    enqueue(404, "{\"why\":\"moths\"}");
    running = stack.start();
    ExecutionException failure =
        assertThrows(ExecutionException.class, () -> weaver(running).later("1").get());
    assertEquals(
        "HTTP 404 Client Error",
        assertInstanceOf(HttpException.class, failure.getCause()).getMessage());
    Response<Yarn> answer = weaver(running).answer("1").get();
    assertNull(answer.body());
    assertNotNull(answer.errorBody());
    assertEquals("{\"why\":\"moths\"}", answer.errorBody().string());
  }

  @ParameterizedTest
  @EnumSource
  void cancellingAFutureCancelsItsCall(Stack stack) throws Exception {
    running = stack.start();
    CompletableFuture<Yarn> future = weaver(running).later("1");
    // The server has the request and no answer for it.
    server.takeRequest();
    // Retrofit cancels the call before the future, which the call's failure may end first.
    future.cancel(true);
    assertTrue(future.isCompletedExceptionally());
    List<okhttp3.Call> calls = running.client().dispatcher().runningCalls();
    assertTrue(calls.stream().allMatch(okhttp3.Call::isCanceled));
  }

  @ParameterizedTest
  @EnumSource
  void aStreamedBodyIsReadAsItArrives(Stack stack) throws Exception {
    String cloth = "warp and weft, ".repeat(50_000);
    enqueue(200, cloth);
    running = stack.start();
    try (ResponseBody body = weaver(running).cloth().execute().body()) {
      assertNotNull(body);
      assertEquals(cloth, body.string());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aCallThatWasCancelledFailsSayingSo(Stack stack) throws Exception {
    running = stack.start();
    Call<Yarn> call = weaver(running).yarn("1", "m");
    call.cancel();
    IOException cancelled = assertThrows(IOException.class, call::execute);
    assertEquals("Canceled", cancelled.getMessage());
    assertTrue(call.isCanceled());
  }
}
