package heddle.adapters.okhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.adapters.okhttp.Stage.Scene;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import mockwebserver3.MockResponse;
import mockwebserver3.SocketEffect;
import okhttp3.MediaType;
import okhttp3.RequestBody;
import okhttp3.ResponseBody;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import retrofit2.Call;
import retrofit2.Callback;
import retrofit2.Converter;
import retrofit2.Invocation;
import retrofit2.Response;
import retrofit2.Retrofit;
import retrofit2.http.Body;
import retrofit2.http.DELETE;
import retrofit2.http.Field;
import retrofit2.http.FormUrlEncoded;
import retrofit2.http.GET;
import retrofit2.http.HEAD;
import retrofit2.http.HTTP;
import retrofit2.http.Header;
import retrofit2.http.OPTIONS;
import retrofit2.http.PATCH;
import retrofit2.http.POST;
import retrofit2.http.PUT;
import retrofit2.http.Streaming;
import retrofit2.http.Tag;
import retrofit2.http.Url;

/** What Retrofit makes of calls is the same over Heddle as over OkHttp itself. */
@Timeout(60)
class RetrofitComparisonTest {
  private static final String TOO_LONG = "a call that takes too long";
  private static final Pattern CUT_BY_TIME =
      Pattern.compile("^(responseFailed|retryDecision) InterruptedIOException\\b");

  /** The service. */
  interface Loom {
    @GET("a")
    Call<String> text();

    @GET("a")
    CompletableFuture<String> later();

    @GET("a")
    Call<ResponseBody> body();

    @Streaming
    @GET("a")
    Call<ResponseBody> stream();

    @GET("a")
    Call<Void> nothing();

    @HEAD("a")
    Call<Void> head();

    @POST("a")
    Call<String> post(@Body String content, @Header("X-Own") String own, @Tag Integer tag);

    @PUT("a")
    Call<String> put(@Body RequestBody content);

    @PATCH("a")
    Call<String> patch(@Body String content);

    @DELETE("a")
    Call<String> delete();

    @OPTIONS("a")
    Call<String> options();

    @HTTP(method = "WEAVE", path = "a", hasBody = true)
    Call<String> weave(@Body String content);

    @FormUrlEncoded
    @POST("a")
    Call<String> form(@Field("colour") String colour, @Field("of") List<String> of);

    @GET
    Call<String> elsewhere(@Url String url);
  }

  /** Texts as they are, but for two that cannot be converted. */
  private static final class Texts extends Converter.Factory {
    @Override
    public Converter<ResponseBody, ?> responseBodyConverter(
        Type type, Annotation[] annotations, Retrofit retrofit) {
      return type != String.class
          ? super.responseBodyConverter(type, annotations, retrofit)
          : (Converter<ResponseBody, String>) body -> {
            try {
              String text = body.string();
              if (text.equals("unreadable")) {
                throw new IllegalStateException("cannot be converted");
              }
              return text;
            } catch (IOException e) {
              throw new IllegalStateException("masked", e);
            }
          };
    }

    @Override
    public @Nullable Converter<?, RequestBody> requestBodyConverter(
        Type type, Annotation[] parameters, Annotation[] methods, Retrofit retrofit) {
      return type != String.class
          ? null
          : (Converter<String, RequestBody>) text -> {
            if (text.equals("unwritable")) {
              throw new UnsupportedOperationException("cannot be converted");
            }
            return RequestBody.create(text, MediaType.get("text/plain"));
          };
    }
  }

  private static Loom loom(Stage stage) {
    return new Retrofit.Builder()
        .baseUrl(stage.url("/"))
        .callFactory(stage.client())
        .addConverterFactory(new Texts())
        .build()
        .create(Loom.class);
  }

  /** Makes a call, and records its result and its state. */
  private static <T> void make(Stage stage, Call<T> call) {
    stage.note(call.isExecuted() + " " + call.isCanceled());
    try {
      note(stage, call.execute());
    } catch (IOException | RuntimeException e) {
      stage.failed(e);
    }
    stage.note(call.isExecuted() + " " + call.isCanceled());
  }

  private static <T> void note(Stage stage, Response<T> response) throws IOException {
    T body = response.body();
    stage.note(response.code() + " " + response.message() + " " + response.isSuccessful());
    stage.note(body instanceof ResponseBody read ? read.string() : String.valueOf(body));
    ResponseBody error = response.errorBody();
    stage.note(error == null ? "no error" : error.contentLength() + " " + error.string());
    Invocation invocation = response.raw().request().tag(Invocation.class);
    stage.note(invocation == null ? "-" : invocation.method().getName());
    stage.note("" + response.raw().request().tag(Integer.class));
  }

  private static Scene after(int code, String body, Making making) {
    return Scene.of(making + " after " + code + " " + body, stage -> {
      MockResponse.Builder response = new MockResponse.Builder().code(code);
      stage.answer(body.isEmpty() ? response : response.body(body));
      make(stage, making.call(loom(stage)));
    });
  }

  /** Which call is made. */
  private enum Making {
    TEXT,
    BODY,
    STREAM,
    NOTHING,
    POST;

    Call<?> call(Loom loom) {
      return switch (this) {
        case TEXT -> loom.text();
        case BODY -> loom.body();
        case STREAM -> loom.stream();
        case NOTHING -> loom.nothing();
        case POST -> loom.post("content", "own", 7);
      };
    }
  }

  static Stream<Arguments> answers() {
    List<Scene> scenes = Stream.of(Making.values())
        .flatMap(making -> Stream.of(
            after(200, "hello", making),
            after(200, "", making),
            after(200, "unreadable", making),
            after(204, "", making),
            after(205, "", making),
            after(404, "no", making),
            after(500, "", making)))
        .toList();
    return Stage.overHeddle(scenes);
  }

  static Stream<Arguments> others() {
    return Stage.overHeddle(List.of(
        Scene.of("each method", stage -> {
          for (int i = 0; i < 8; i++) {
            stage.answer(200, i == 0 ? "" : "answer " + i);
          }
          Loom loom = loom(stage);
          make(stage, loom.head());
          make(stage, loom.put(RequestBody.create("bytes", null)));
          make(stage, loom.patch("patch"));
          make(stage, loom.delete());
          make(stage, loom.options());
          make(stage, loom.weave("cloth"));
          make(stage, loom.form("rot & blau", List.of("1", "2")));
          make(stage, loom.elsewhere("/b?c=d"));
        }),
        Scene.of(
            "content that cannot be converted",
            stage -> make(stage, loom(stage).post("unwritable", "own", 7))),
        Scene.of(
            "an unknown server",
            stage -> make(stage, loom(stage).elsewhere("http://no-such-host.invalid/"))),
        Scene.of("content that breaks off", stage -> {
          for (int i = 0; i < 2; i++) {
            stage.answer(new MockResponse.Builder()
                .body("x".repeat(100_000))
                .onResponseBody(new SocketEffect.CloseSocket()));
          }
          make(stage, loom(stage).text());
          make(stage, loom(stage).stream());
        }),
        Scene.of("a future", stage -> {
          stage.answer(200, "now");
          stage.answer(404, "never");
          stage.note(loom(stage).later().get());
          try {
            loom(stage).later().get();
          } catch (ExecutionException e) {
            stage.note("failed " + e.getCause());
          }
        })));
  }

  static Stream<Arguments> states() {
    return Stage.overHeddle(List.of(
        Scene.of("a call that is made twice, and its clone", stage -> {
          stage.answer(200, "one");
          stage.answer(200, "two");
          Call<String> call = loom(stage).text();
          make(stage, call);
          make(stage, call);
          make(stage, call.clone());
        }),
        Scene.of("a call that is cancelled before", stage -> {
          Call<String> call = loom(stage).text();
          call.cancel();
          make(stage, call);
          CompletableFuture<String> end = new CompletableFuture<>();
          Call<String> queued = call.clone();
          queued.cancel();
          queued.enqueue(ending(end));
          stage.note(end.get());
        }),
        Scene.of(TOO_LONG, stage -> {
          stage.answer(new MockResponse.Builder().headersDelay(20, TimeUnit.SECONDS));
          Call<String> call = loom(stage).text();
          call.timeout().timeout(200, TimeUnit.MILLISECONDS);
          make(stage, call);
        }),
        Scene.of("a call that is enqueued", stage -> {
          stage.answer(200, "one");
          stage.answer(200, "unreadable");
          for (int i = 0; i < 2; i++) {
            CompletableFuture<String> end = new CompletableFuture<>();
            loom(stage).text().enqueue(ending(end));
            stage.note(end.get());
          }
        })));
  }

  private static Callback<String> ending(CompletableFuture<String> end) {
    return new Callback<>() {
      @Override
      public void onResponse(Call<String> call, Response<String> response) {
        end.complete("answered " + response.body());
      }

      @Override
      public void onFailure(Call<String> call, Throwable e) {
        end.complete("failed " + e.getClass().getSimpleName() + " " + e.getMessage());
      }
    };
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource({"answers", "others", "states"})
  void theSameIsSeen(Scene scene, Stack stack) throws Exception {
    assertEquals(told(scene, Stack.STOCK), told(scene, stack));
  }

  /**
   * If a call takes too long, another thread cancels it, and may do so first or last: whether its
   * listener sees the cancelling or the timeout is left to chance.
   */
  private static String told(Scene scene, Stack stack) throws Exception {
    boolean late = scene.name().equals(TOO_LONG);
    return Stage.play(scene, stack).stream()
        .filter(each -> !each.equals("canceled"))
        .map(each -> late ? CUT_BY_TIME.matcher(each).replaceFirst("$1 IOException") : each)
        .collect(Collectors.joining("\n"));
  }
}
