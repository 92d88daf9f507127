package heddle.kotlin.sse

import heddle.client.HttpClient
import heddle.http.Request
import heddle.http.Response
import heddle.kotlin.HeddleDsl
import heddle.kotlin.abandon
import heddle.kotlin.closing
import heddle.kotlin.interruptible
import heddle.kotlin.newRequest
import heddle.kotlin.onVirtualThread
import heddle.server.spi.Exchange
import heddle.sse.EventSender
import heddle.sse.EventSource
import heddle.sse.EventStream
import heddle.sse.ServerSentEvent
import java.io.IOException
import kotlin.time.Duration
import kotlin.time.toJavaDuration
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow

/**
 * Events that go on: each time that the flow is collected, an [EventSource] connects, and connects
 * again when its connection ends. Each event is read when the collector asks for it. The connection
 * is closed when the collector ends early or fails, and at once when the coroutine is cancelled.
 *
 * ```
 * client.events(request("https://example.com/prices"))
 *     .take(10)
 *     .collect { println(it.data()) }
 * ```
 *
 * Collecting fails as [EventSource.next] does. The call of each connection has the deadline of its
 * request alone.
 *
 * @param request its body must be replayable
 * @param build sets how long to wait before connecting again, when to give up, where to begin
 */
public fun HttpClient.events(
  request: Request,
  build: @HeddleDsl EventSource.Builder.() -> Unit = {},
): Flow<ServerSentEvent> = flow {
  val source = EventSource.builder(this@events, request).apply(build).build()
  try {
    while (true) {
      emit(onVirtualThread(abort = source::close) { source.next() } ?: break)
    }
  } finally {
    source.close()
  }
}

/** As [events], for a URL that is absolute or follows the client's base URL. */
public fun HttpClient.events(
  url: String,
  build: @HeddleDsl EventSource.Builder.() -> Unit = {},
): Flow<ServerSentEvent> = events(newRequest(url), build)

/**
 * The events of this response, such as that of a language model, which ends with them: see
 * [EventStream]. Each is read when the collector asks for it. The flow can be collected once, and
 * closes the response: at its end, when the collector ends early or fails, and at once when the
 * coroutine is cancelled.
 *
 * Collecting fails as [EventStream.of] and [EventStream.next] do.
 *
 * @param until the data of the event that ends the flow without being in it, such as `[DONE]`; null
 *   if the response ends it
 * @param maxEventBytes the limit for the data of an event and for a line, at least 1
 */
public fun Response.events(
  until: String? = null,
  maxEventBytes: Int = EventStream.DEFAULT_MAX_EVENT_BYTES,
): Flow<ServerSentEvent> = flow {
  closing {
    val events = onVirtualThread(abort = ::abandon) { EventStream.of(this@events, maxEventBytes) }
    if (until != null) {
      events.until(until)
    }
    while (true) {
      emit(onVirtualThread(abort = ::abandon) { events.next() } ?: break)
    }
  }
}

/**
 * Sends the events of a flow as the response of a server, and suspends until the flow has ended. A
 * client that takes no more makes the flow wait. If the client has gone, the flow is cancelled. A
 * handler that calls it returns null. Needs the module `heddle-server`.
 *
 * @param heartbeat the time between empty comments, by which the server notices that a client has
 *   gone while there are no events; must be positive; null for none
 * @throws CancellationException if the coroutine is cancelled
 * @throws IOException if the client has gone
 * @throws IllegalStateException if the response has begun already
 */
public suspend fun Exchange.sendEvents(events: Flow<ServerSentEvent>, heartbeat: Duration? = null) {
  EventSender.open(this).use { sender ->
    if (heartbeat != null) {
      sender.heartbeat(heartbeat.toJavaDuration())
    }
    events.collect { event -> interruptible { sender.send(event) } }
  }
}
