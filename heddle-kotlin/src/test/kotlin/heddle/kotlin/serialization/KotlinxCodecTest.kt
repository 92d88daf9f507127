package heddle.kotlin.serialization

import heddle.http.BodyCodecException
import heddle.http.GenericType
import heddle.http.Method
import heddle.kotlin.await
import heddle.kotlin.awaitAs
import heddle.kotlin.awaitBody
import heddle.kotlin.bodyAs
import heddle.kotlin.httpClient
import heddle.kotlin.request
import heddle.testkit.mock.MockResponse
import heddle.testkit.mock.MockServer
import kotlinx.coroutines.runBlocking
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonPrimitive
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

@Timeout(60)
internal class KotlinxCodecTest {
  @Serializable internal data class User(val id: Int, val name: String, val email: String? = null)

  @Serializable internal data class Page<T>(val items: List<T>, val next: Int? = null)

  @Serializable
  internal sealed interface Shape {
    @Serializable @SerialName("circle") data class Circle(val radius: Double) : Shape

    @Serializable @SerialName("square") data class Square(val side: Double) : Shape
  }

  @Serializable
  internal data class Percent(val value: Int) {
    init {
      require(value in 0..100) { "a percentage is from 0 to 100, not $value" }
    }
  }

  internal class Plain(val id: Int)

  private val codec = KotlinxCodec()

  private fun json(value: Any): String = codec.encode(value).string()

  private inline fun <reified T : Any> decoded(text: String): Any =
    codec.decode(text.byteInputStream(), object : GenericType<T>() {}.type())

  @Test
  fun valuesAreWrittenAsTheirClassesSay() {
    assertEquals("""{"id":7,"name":"Jo"}""", json(User(7, "Jo")))
    assertEquals("""[{"id":7,"name":"Jo"}]""", json(listOf(User(7, "Jo"))))
    assertEquals("""[1,null]""", json(listOf(1, null)))
    assertEquals("""[["a"],[]]""", json(listOf(listOf("a"), listOf<String>())))
    assertEquals("""{"a":{"id":7,"name":"Jo"}}""", json(mapOf("a" to User(7, "Jo"))))
    assertEquals("""["a"]""", json(setOf("a")))
    assertEquals("[]", json(listOf<User>()))
    assertEquals("{}", json(mapOf<String, User>()))
    assertEquals("7", json(JsonPrimitive(7)))
    assertEquals("application/json", codec.encode(User(7, "Jo")).mediaType().toString())
    assertTrue(codec.encode(User(7, "Jo")).isReplayable)
  }

  @Test
  fun typeOfAValueIsKeptWhereItIsGiven() {
    assertEquals(
      """[{"type":"circle","radius":1.0},{"type":"square","side":2.0}]""",
      codec.body<List<Shape>>(listOf(Shape.Circle(1.0), Shape.Square(2.0))).string(),
    )
    assertEquals("""{"items":[1]}""", codec.body(Page(listOf(1))).string())
    assertEquals("null", codec.body<User?>(null).string())
  }

  @Test
  fun valuesAreReadAsTheirTypesSay() {
    assertEquals(User(7, "Jo"), decoded<User>("""{"id":7,"name":"Jo","unknown":[1]}"""))
    assertEquals(listOf(User(7, "Jo")), decoded<List<User>>("""[{"id":7,"name":"Jo"}]"""))
    assertEquals(Page(listOf("a"), 2), decoded<Page<String>>("""{"items":["a"],"next":2}"""))
    assertEquals(Shape.Square(2.0), decoded<Shape>("""{"type":"square","side":2.0}"""))
    assertEquals(mapOf("a" to 1), decoded<Map<String, Int>>("""{"a":1}"""))
  }

  @Test
  fun settingsAreThoseOfTheJson() {
    val strict = KotlinxCodec(Json { encodeDefaults = true })
    assertEquals("""{"id":7,"name":"Jo","email":null}""", strict.encode(User(7, "Jo")).string())
    assertThrows(BodyCodecException::class.java) {
      strict.decode("""{"id":7,"name":"Jo","x":1}""".byteInputStream(), User::class.java)
    }
  }

  @Test
  fun whatCannotBeConvertedIsAnErrorThatSaysWhy() {
    fun problem(action: () -> Unit): String =
      assertThrows(BodyCodecException::class.java) { action() }.message

    val plain = problem { codec.encode(Plain(7)) }
    assertTrue("Plain cannot be written" in plain && "Serializable" in plain, plain)
    val mixed = problem { codec.encode(listOf("a", 1)) }
    assertTrue("several classes" in mixed && "KotlinxCodec.body" in mixed, mixed)
    assertTrue("Serializable" in problem { codec.body(Plain(7)) })
    assertTrue("Serializable" in problem { decoded<Plain>("{}") })
    assertTrue("'name'" in problem { decoded<User>("""{"id":7}""") })
    assertTrue("it is null" in problem { decoded<User>("null") })
    assertTrue("from 0 to 100, not 101" in problem { decoded<Percent>("""{"value":101}""") })
    val cut = problem { decoded<User>("""{"id":7,"na""") }
    assertTrue("Unexpected EOF" in cut, cut)
  }

  @Test
  fun callsConvertTheirContent() = runBlocking {
    MockServer.start().use { server ->
      server.handler { MockResponse.ok("""[{"id":7,"name":"Jo"}]""") }
      httpClient { codec(codec) }
        .use { client ->
          val users = listOf(User(7, "Jo"))
          assertEquals(users, client.awaitAs<List<User>>(server.url("/")))
          assertEquals(users, client.awaitAs<List<User>>(request(server.url("/"))))
          assertEquals(users, client.await(server.url("/")).awaitBody<List<User>>())
          assertEquals(users, client.get(server.url("/")).bodyAs<List<User>>())
          client.await(server.url("/")) {
            method(Method.POST)
            body(User(8, "Al"))
          }
          assertEquals("""{"id":8,"name":"Al"}""", server.requests().last().text())
        }
    }
  }

  @Test
  fun malformedContentOfAResponseIsAnErrorThatNamesIt() = runBlocking {
    MockServer.start().use { server ->
      server.handler {
        MockResponse.ok("""[{"id":"seven"}]""").header("Content-Type", "application/json")
      }
      httpClient { codec(codec) }
        .use { client ->
          val failure =
            runCatching { client.awaitAs<List<User>>(server.url("/users")) }.exceptionOrNull()
          val message = failure!!.message!!
          assertTrue(failure is BodyCodecException, message)
          assertTrue("application/json content of 200 for GET " in message, message)
          assertTrue("/users" in message && "User" in message && "id" in message, message)
        }
    }
  }
}
