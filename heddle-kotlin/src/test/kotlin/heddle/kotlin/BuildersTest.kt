package heddle.kotlin

import heddle.client.HttpClient
import heddle.http.Body
import heddle.http.Headers
import heddle.http.MalformedUrlException
import heddle.http.Method
import heddle.http.Request
import java.net.URI
import java.time.Duration as JavaDuration
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource

internal class BuildersTest {
  @Test
  fun requestIsThatOfTheJavaBuilder() {
    val body = Body.of("text")
    val kotlin =
      request("https://example.com/users/{id}", "jo/ann") {
        method(Method.PUT)
        query("page", 2)
        header("Accept", "text/plain")
        body(body)
        deadline(5.seconds)
      }
    val java =
      Request.builder("https://example.com/users/{id}", "jo/ann")
        .method(Method.PUT)
        .query("page", 2)
        .header("Accept", "text/plain")
        .body(body)
        .deadline(JavaDuration.ofSeconds(5))
        .build()
    assertEquals(java.method(), kotlin.method())
    assertEquals(java.origin(), kotlin.origin())
    assertEquals(java.target(), kotlin.target())
    assertEquals(java.headers(), kotlin.headers())
    assertEquals(java.deadline(), kotlin.deadline())
    assertEquals(java.template(), kotlin.template())
    assertEquals(body, kotlin.body())
  }

  @Test
  fun requestOfAClientHasItsBaseUrl() {
    httpClient { baseUrl("https://example.com/v1") }
      .use { client ->
        val request = client.newRequest("/users/{id}", 7) { method(Method.DELETE) }
        assertEquals("/v1/users/7", request.target())
        assertEquals(Method.DELETE, request.method())
        assertEquals("https://example.com:443", request.origin().toString())
      }
  }

  @Test
  fun settingsOfAClientAreThoseThatWereGiven() {
    httpClient {
        label("shop")
        timeouts {
          call(5.seconds)
          head(4.seconds)
          connect(3.seconds)
          tls(2.seconds)
          silence(6.seconds)
          close(1.seconds)
        }
        pool {
          maxPerRoute(2)
          acquireTimeout(1.seconds)
          idleTimeout(9.seconds)
        }
      }
      .use { assertEquals("shop", it.label()) }
    lateinit var timeouts: heddle.client.settings.Timeouts
    HttpClient.builder().timeouts {
      call(5.seconds)
      silence(6.seconds)
      timeouts = build()
    }
    assertEquals(JavaDuration.ofSeconds(5), timeouts.call())
    assertEquals(JavaDuration.ofSeconds(6), timeouts.silence())
    assertEquals(heddle.client.settings.Timeouts.DEFAULTS.connect(), timeouts.connect())
  }

  @Test
  fun settingsOutOfTheirRangeAreRefused() {
    val failure =
      assertThrows(IllegalArgumentException::class.java) {
        request("https://example.com/") { deadline(Duration.ZERO) }
      }
    assertEquals("the deadline must be more than zero, but was PT0S", failure.message)
    assertThrows(IllegalArgumentException::class.java) { httpClient { pool { maxPerRoute(-1) } } }
  }

  @Test
  fun partsOfAUrlAreEncoded() {
    assertEquals(
      URI("https://example.com/v1/users/jo%2Fann%20%C3%A9?q=a%26b&page=2&page=3"),
      url("https://example.com/v1") {
        segments("users", "jo/ann é")
        query("q", "a&b")
        query("none", null)
        query("page", 2)
        query("page", 3)
      },
    )
    assertEquals(URI("https://example.com/v1/7"), url("https://example.com/v1/") { segments(7) })
    assertEquals(URI("https://example.com/v1/"), url("https://example.com/v1/"))
    assertEquals(
      URI("http://example.com:81/?a=b"),
      url("http://example.com:81") { query("a", "b") },
    )
    assertEquals("/v1/7", request(url("https://example.com/v1") { segments(7) }).target())
  }

  @ParameterizedTest
  @ValueSource(strings = ["", ".", ".."])
  fun segmentThatWouldNameAnotherResourceIsRefused(segment: String) {
    assertThrows(MalformedUrlException::class.java) {
      url("https://example.com/files") { segments(segment) }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = ["https://example.com/?a=b", "https://example.com/#top"])
  fun baseOfAUrlHasNoQueryAndNoFragment(base: String) {
    val failure = assertThrows(IllegalArgumentException::class.java) { url(base) { segments("x") } }
    assertTrue(failure.message!!.contains(base), failure.message)
  }

  @Test
  fun fieldsAreThoseOfTheJavaBuilder() {
    val fields = headers {
      add("Accept", "text/plain")
      add("X-Id", "1")
      set("X-Id", "2")
    }
    assertEquals(Headers.of("Accept", "text/plain", "X-Id", "2"), fields)
    assertEquals("text/plain", fields["accept"])
    assertNull(fields["Cookie"])
  }
}
