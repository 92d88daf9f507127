package heddle.kotlin

import heddle.client.HttpClient
import heddle.client.settings.PoolLimits
import heddle.client.settings.Timeouts
import heddle.http.Headers
import heddle.http.MalformedUrlException
import heddle.http.Request
import java.net.URI
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/** Marks the receivers of nested builders, so that an inner one does not reach an outer one. */
@DslMarker @Target(AnnotationTarget.CLASS, AnnotationTarget.TYPE) public annotation class HeddleDsl

/**
 * A client with the settings that [build] makes; those that it does not mention are the defaults.
 *
 * ```
 * val client = httpClient {
 *   baseUrl("https://example.com/v1")
 *   timeouts { call(5.seconds) }
 *   pool { maxPerRoute(20) }
 * }
 * ```
 *
 * @throws IllegalArgumentException if a setting is out of its range, with the range
 */
public fun httpClient(build: @HeddleDsl HttpClient.Builder.() -> Unit = {}): HttpClient =
  HttpClient.builder().apply(build).build()

/** Sets the timeouts, where those that [build] does not mention are the defaults. */
public fun HttpClient.Builder.timeouts(
  build: @HeddleDsl Timeouts.Builder.() -> Unit
): HttpClient.Builder = timeouts(Timeouts.builder().apply(build).build())

/** Sets the limits of the pool, where those that [build] does not mention are the defaults. */
public fun HttpClient.Builder.pool(
  build: @HeddleDsl PoolLimits.Builder.() -> Unit
): HttpClient.Builder = poolLimits(PoolLimits.builder().apply(build).build())

/**
 * A request, a GET unless [build] sets another method.
 *
 * ```
 * val request = request("https://example.com/users/{id}", 7) {
 *   header("Accept", "application/json")
 *   deadline(5.seconds)
 * }
 * ```
 *
 * @param url absolute, http or https; may have placeholders, each for a value
 * @param values for the placeholders, in their order; percent-encoded
 * @throws MalformedUrlException if it is no URL, or has another number of placeholders
 * @throws IllegalArgumentException if a field, a parameter or the deadline is malformed
 */
public fun request(
  url: String,
  vararg values: Any,
  build: @HeddleDsl Request.Builder.() -> Unit = {},
): Request = Request.builder(url, *values).apply(build).build()

/** As [request], for a URL that was built or parsed. */
public fun request(url: URI, build: @HeddleDsl Request.Builder.() -> Unit = {}): Request =
  Request.builder(url).apply(build).build()

/**
 * A request of this client: with its codec, and with its base URL before URLs without scheme and
 * host. Sends nothing. Otherwise as [request].
 *
 * @throws MalformedUrlException as [request], and if the client has no base URL for [url]
 */
public fun HttpClient.newRequest(
  url: String,
  vararg values: Any,
  build: @HeddleDsl Request.Builder.() -> Unit = {},
): Request = request(url, *values).apply(build).build()

/** Fields with the values that [build] adds. */
public fun headers(build: @HeddleDsl Headers.Builder.() -> Unit): Headers =
  Headers.builder().apply(build).build()

/** The first value of a field, or null; case does not matter in its name. */
public operator fun Headers.get(name: String): String? = first(name)

/**
 * A URL of parts, which are percent-encoded.
 *
 * ```
 * val url = url("https://example.com/v1") {
 *   segments("users", "jo/ann")
 *   query("page", 2)
 * } // https://example.com/v1/users/jo%2Fann?page=2
 * ```
 *
 * @param base absolute, http or https, without placeholders; with or without a slash at its end
 * @throws MalformedUrlException if [base] is no URL, or a segment is empty, `.` or `..`
 * @throws IllegalArgumentException if [base] has a query, or [base] or a segment a fragment
 */
public fun url(base: String, build: UrlBuilder.() -> Unit = {}): URI =
  UrlBuilder(base).apply(build).build()

/** Collects the parts of a [url]. Not safe for use by several threads. */
@HeddleDsl
public class UrlBuilder internal constructor(private val base: String) {
  private val segments = ArrayList<Any>()
  private val parameters = ArrayList<Pair<String, Any>>()

  /** Adds segments to the path; a slash in one is encoded. None may be empty, `.` or `..`. */
  public fun segments(vararg values: Any) {
    segments.addAll(values)
  }

  /** Adds a parameter to the query; nothing if [value] is null. A name may be repeated. */
  public fun query(name: String, value: Any?) {
    if (value != null) {
      parameters.add(name to value)
    }
  }

  internal fun build(): URI {
    require('?' !in base && '#' !in base) {
      "the base of a URL must have neither query nor fragment, but is $base"
    }
    val template = base.removeSuffix("/") + "/{segment}".repeat(segments.size)
    val whole = if (segments.isEmpty()) base else template
    val request = Request.builder(whole, *segments.toTypedArray())
    parameters.forEach { (name, value) -> request.query(name, value) }
    return URI(request.build().absoluteTarget())
  }
}

/** The most time for a whole call: see [Request.Builder.deadline]. It must be positive. */
public fun Request.Builder.deadline(time: Duration): Request.Builder =
  deadline(time.toJavaDuration())

/** The most time for a whole call: see [Timeouts.Builder.call]. */
public fun Timeouts.Builder.call(time: Duration): Timeouts.Builder = call(time.toJavaDuration())

/** The most time until there is a response: see [Timeouts.Builder.head]. */
public fun Timeouts.Builder.head(time: Duration): Timeouts.Builder = head(time.toJavaDuration())

/** The most time to connect: see [Timeouts.Builder.connect]. */
public fun Timeouts.Builder.connect(time: Duration): Timeouts.Builder =
  connect(time.toJavaDuration())

/** The most time for a handshake: see [Timeouts.Builder.tls]. */
public fun Timeouts.Builder.tls(time: Duration): Timeouts.Builder = tls(time.toJavaDuration())

/** How long the server may be silent: see [Timeouts.Builder.silence]. */
public fun Timeouts.Builder.silence(time: Duration): Timeouts.Builder =
  silence(time.toJavaDuration())

/** How long [HttpClient.close] waits for calls: see [Timeouts.Builder.close]. */
public fun Timeouts.Builder.close(time: Duration): Timeouts.Builder = close(time.toJavaDuration())

/** How long a call may wait for a connection: see [PoolLimits.Builder.acquireTimeout]. */
public fun PoolLimits.Builder.acquireTimeout(time: Duration): PoolLimits.Builder =
  acquireTimeout(time.toJavaDuration())

/** How long connections stay open that no call uses: see [PoolLimits.Builder.idleTimeout]. */
public fun PoolLimits.Builder.idleTimeout(time: Duration): PoolLimits.Builder =
  idleTimeout(time.toJavaDuration())
