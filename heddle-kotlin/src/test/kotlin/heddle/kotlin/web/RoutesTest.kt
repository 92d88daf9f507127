package heddle.kotlin.web

import heddle.http.Method
import heddle.http.Response
import heddle.http.Status
import heddle.kotlin.await
import heddle.kotlin.awaitString
import heddle.kotlin.httpClient
import heddle.kotlin.request
import heddle.kotlin.serialization.KotlinxCodec
import heddle.web.Router
import heddle.web.testkit.TestExchange
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineName
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.serialization.Serializable
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

@Timeout(60)
internal class RoutesTest {
  @Serializable internal data class Item(val name: String, val tags: List<String> = listOf())

  private fun call(router: Router, path: String, host: String = "localhost"): Response =
    TestExchange.call(router, request("http://$host$path"))

  private fun text(router: Router, path: String): String = call(router, path).string()

  @Test
  fun routesAnswerByPathMethodAndHost() {
    val router = router {
      get("/users/{id}") { Response.ok("user ${it.path("id").asInt()}") }
      route("/api") {
        filter { exchange, next ->
          next.handle(exchange)?.toBuilder()?.header("X-Api", "1")?.build()
        }
        get("/items") { Response.ok("items") }
        route("/{group}") { get("/size") { Response.ok("size of ${it.path("group").asString()}") } }
      }
      hostRoutes("other.example") { get("/") { Response.ok("other") } }
    }
    assertEquals("user 7", text(router, "/users/7"))
    assertEquals("size of red", text(router, "/api/red/size"))
    assertEquals("other", call(router, "/", "other.example").string())
    val items = call(router, "/api/items")
    assertEquals("1", items.headers().first("X-Api"))
    assertEquals(Status.NOT_FOUND, call(router, "/none").status())
  }

  @Test
  fun malformedPathIsRefused() {
    val failure =
      assertThrows(IllegalArgumentException::class.java) {
        router { get("users") { Response.ok("") } }
      }
    assertEquals("the path users must begin with a slash: write /users", failure.message)
  }

  @Test
  fun handlerOfAnExceptionIsFoundByItsType() {
    val router = router {
      get("/") { throw NoSuchElementException("no user 7") }
      onError<NoSuchElementException> { _, e ->
        Response.builder(Status.NOT_FOUND).body(heddle.http.Body.of("${e.message}")).build()
      }
    }
    val response = call(router, "/")
    assertEquals(Status.NOT_FOUND, response.status())
    assertEquals("no user 7", response.string())
  }

  @Test
  fun valuesAreConvertedByTheCodec() = runBlocking {
    val router = router {
      codec(KotlinxCodec())
      post("/") { exchange ->
        val items = exchange.bodyAs<List<Item>>()
        exchange.respond(201, items.map { it.copy(name = it.name.uppercase()) })
      }
    }
    httpServer { exchangeHandler(router) }
      .use { server ->
        httpClient().use { client ->
          val response =
            client.await("http://localhost:${server.port()}/") {
              method(Method.POST)
              body(KotlinxCodec().body(listOf(Item("a", listOf("x")), Item("b"))))
            }
          assertEquals(Status.CREATED, response.status())
          assertEquals("""[{"name":"A","tags":["x"]},{"name":"B"}]""", response.awaitString())
        }
      }
  }

  @Test
  fun handlerMaySuspend() = runBlocking {
    val router = router {
      get(
        "/",
        suspending(CoroutineName("hello")) { exchange ->
          val before = Thread.currentThread()
          delay(1)
          assertEquals(before, Thread.currentThread())
          exchange.respond("${currentCoroutineContext()[CoroutineName]?.name}")
          Response.ok("${currentCoroutineContext()[CoroutineName]?.name} ${before.isVirtual}")
        },
      )
      codec(KotlinxCodec())
    }
    httpServer { exchangeHandler(router) }
      .use { server ->
        httpClient().use { client ->
          val url = "http://localhost:${server.port()}/"
          assertEquals("hello true", client.await(url).awaitString())
        }
      }
  }

  @Test
  fun handlerIsCancelledWhenItsClientHasGone() = runBlocking {
    val running = CompletableDeferred<Unit>()
    val cancelled = CompletableDeferred<Unit>()
    val router = router {
      get(
        "/",
        suspending {
          running.complete(Unit)
          try {
            awaitCancellation()
          } finally {
            cancelled.complete(Unit)
          }
        },
      )
    }
    httpServer { exchangeHandler(router) }
      .use { server ->
        heddle.kotlin.http2Client().use { client ->
          val job =
            launch(Dispatchers.Default) { client.await("http://localhost:${server.port()}/") }
          running.await()
          job.cancelAndJoin()
          cancelled.await()
          assertTrue(cancelled.isCompleted)
        }
      }
  }
}
