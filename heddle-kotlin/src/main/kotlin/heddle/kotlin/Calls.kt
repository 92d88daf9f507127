package heddle.kotlin

import heddle.client.Deadlines
import heddle.client.HttpCall
import heddle.client.HttpClient
import heddle.http.GenericType
import heddle.http.MalformedUrlException
import heddle.http.Request
import heddle.http.Response
import java.io.IOException
import java.time.Duration as JavaDuration
import kotlin.coroutines.AbstractCoroutineContextElement
import kotlin.coroutines.CoroutineContext
import kotlin.time.Duration
import kotlin.time.TimeSource
import kotlin.time.toJavaDuration
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.TimeoutCancellationException
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout

/**
 * Sends the request and suspends until the head of the response has come; a small body has come
 * with it. The caller reads the body to its end or closes the response, as `use` does.
 *
 * Cancelling the coroutine, such as by `withTimeout`, [cancels][HttpCall.cancel] the call at once:
 * its connection is closed, or over HTTP/2 its stream reset. A response that comes too late is
 * closed.
 *
 * @throws CancellationException if the coroutine is cancelled
 * @throws IOException as [HttpCall.execute] does
 * @throws IllegalStateException if the call was executed before
 */
public suspend fun HttpCall.await(): Response {
  val deadline = currentCoroutineContext()[CallDeadline]
  return onVirtualThread(abort = ::cancel) { within(deadline) { execute() } }
}

/**
 * Sends a request: see [HttpCall.await].
 *
 * @throws CancellationException if the coroutine is cancelled
 * @throws IOException as [HttpClient.send] does
 */
public suspend fun HttpClient.await(request: Request): Response = newCall(request).await()

/**
 * Sends a request of this client, a GET unless [build] sets another method: see [HttpCall.await].
 *
 * ```
 * client.await("https://example.com/users/{id}", 7) { header("Accept", "text/plain") }
 *     .use { println(it.awaitString()) }
 * ```
 *
 * @param url absolute, or to be put behind the client's base URL; may have placeholders
 * @param values for the placeholders, in their order; percent-encoded
 * @throws MalformedUrlException as [newRequest] does
 * @throws CancellationException if the coroutine is cancelled
 * @throws IOException as [HttpClient.send] does
 */
public suspend fun HttpClient.await(
  url: String,
  vararg values: Any,
  build: @HeddleDsl Request.Builder.() -> Unit = {},
): Response = await(newRequest(url, *values, build = build))

/**
 * Sends a request, reads the response with [read], and closes it, all on one virtual thread, where
 * [read] may block: no coroutine is resumed between. Cancelling the coroutine cancels the call,
 * also while [read] waits for content.
 *
 * ```
 * val lines = client.await(request) { it.string().lines() }
 * ```
 *
 * @param read must not return the response, nor what reads it
 * @throws CancellationException if the coroutine is cancelled
 * @throws IOException as [HttpClient.send] does
 * @throws Throwable what [read] throws
 */
public suspend fun <T> HttpClient.await(request: Request, read: (Response) -> T): T {
  val deadline = currentCoroutineContext()[CallDeadline]
  val call = newCall(request)
  return onVirtualThread(abort = call::cancel) { within(deadline) { call.execute().use(read) } }
}

/**
 * Sends a request and converts the content of the response, as [bodyAs] does.
 *
 * @throws CancellationException if the coroutine is cancelled
 * @throws heddle.http.StatusException if the status is not one of success (2xx)
 * @throws heddle.http.BodyCodecException if the content is no such value
 * @throws IllegalStateException if there is no codec
 * @throws IOException as [HttpClient.send] does
 */
public suspend inline fun <reified T : Any> HttpClient.awaitAs(request: Request): T {
  val type = object : GenericType<T>() {}
  return await(request) { it.`as`(type) }
}

/** As [awaitAs], for a request that is built as by [newRequest]. */
public suspend inline fun <reified T : Any> HttpClient.awaitAs(
  url: String,
  vararg values: Any,
  noinline build: @HeddleDsl Request.Builder.() -> Unit = {},
): T = awaitAs(newRequest(url, *values, build = build))

/**
 * Sends a request of this client on the calling thread, which blocks; best on a virtual one. A GET
 * unless [build] sets another method. The caller closes the response.
 *
 * @throws MalformedUrlException as [newRequest] does
 * @throws IOException as [HttpClient.send] does
 */
public fun HttpClient.send(
  url: String,
  vararg values: Any,
  build: @HeddleDsl Request.Builder.() -> Unit,
): Response = send(newRequest(url, *values, build = build))

/**
 * Runs [block] with a time limit for all that it does, as `withTimeout` does, and gives the calls
 * in it the same deadline: they fail early when they cannot be made in time, and tell it servers if
 * the client has a [deadline header][HttpClient.Builder.deadlineHeader]. With `withTimeout` alone
 * calls are cancelled when the time is over, but do not know the time before. The earliest of
 * nested deadlines holds.
 *
 * Calls read the system's clock, also in tests whose coroutines run in virtual time.
 *
 * @param time must be positive
 * @throws IllegalArgumentException if it is not
 * @throws TimeoutCancellationException if the time is over before [block] has ended
 * @throws heddle.http.failure.DeadlineExceededException if a call notices that first
 */
public suspend fun <T> withDeadline(time: Duration, block: suspend CoroutineScope.() -> T): T {
  require(time.isPositive()) { "the time to a deadline must be positive, but was $time" }
  val end = TimeSource.Monotonic.markNow() + time
  val outer = currentCoroutineContext()[CallDeadline]
  val earlier = if (outer != null && outer.end < end) outer else CallDeadline(end)
  return withTimeout(time) { withContext(earlier) { block() } }
}

/** The deadline that calls of a coroutine have in common. */
internal class CallDeadline(val end: TimeSource.Monotonic.ValueTimeMark) :
  AbstractCoroutineContextElement(CallDeadline) {
  companion object Key : CoroutineContext.Key<CallDeadline>
}

/** Runs what makes a call, by a deadline if there is one. */
internal inline fun <T> within(deadline: CallDeadline?, crossinline operation: () -> T): T {
  if (deadline == null) {
    return operation()
  }
  val left = (-deadline.end.elapsedNow()).toJavaDuration()
  // One that has passed: the call fails as soon as it has begun.
  val time = if (left.isPositive) left else JavaDuration.ofNanos(1)
  return Deadlines.within<T, Exception>(time) { operation() }
}
