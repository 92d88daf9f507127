package heddle.kotlin.sse

import heddle.http.Response
import heddle.kotlin.answeringPeer
import heddle.kotlin.await
import heddle.kotlin.awaitNoneInUse
import heddle.kotlin.httpClient
import heddle.kotlin.request
import heddle.kotlin.web.httpServer
import heddle.kotlin.web.router
import heddle.kotlin.web.suspending
import heddle.sse.NoEventStreamException
import heddle.sse.ServerSentEvent
import heddle.testkit.mock.MockResponse
import heddle.testkit.mock.MockServer
import java.time.Duration as JavaDuration
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.flow.collect
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.flowOf
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.onCompletion
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

@Timeout(60)
internal class EventsTest {
  private fun stream(text: String) =
    MockResponse.ok(text).header("Content-Type", "text/event-stream")

  private fun peerWithOneEvent() =
    answeringPeer("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: a\n\n")

  @Test
  fun eventsOfAResponseEndWithItOrBefore() = runBlocking {
    MockServer.start().use { server ->
      server.handler { stream("id: 7\ndata: a\n\nevent: note\ndata: b\n\ndata: [DONE]\n\n") }
      httpClient().use { client ->
        assertEquals(
          listOf(ServerSentEvent("message", "a", "7"), ServerSentEvent("note", "b", "7")),
          client.await(server.url("/")).events(until = "[DONE]").toList(),
        )
        assertEquals(3, client.await(server.url("/")).events().toList().size)
        client.awaitNoneInUse()
      }
    }
  }

  @Test
  fun responseWithoutEventsFailsTheFlow(): Unit = runBlocking {
    MockServer.start().use { server ->
      server.handler { MockResponse.ok("text") }
      httpClient().use { client ->
        val failure =
          runCatching { client.await(server.url("/")).events().collect() }.exceptionOrNull()
        assertTrue(failure is NoEventStreamException, "$failure")
        client.awaitNoneInUse()
      }
    }
  }

  @Test
  fun eventsGoOnAfterTheirConnectionHasEnded() = runBlocking {
    MockServer.start().use { server ->
      server.enqueue(stream("id: 1\ndata: a\n\nid: 2\ndata: b\n\n"))
      server.enqueue(stream("data: c\n\n"))
      server.enqueue(MockResponse.of(204))
      httpClient { baseUrl(server.url("/")) }
        .use { client ->
          val events = client.events("prices") { reconnectDelay(JavaDuration.ZERO) }
          assertEquals(listOf("a", "b", "c"), events.map { it.data() }.toList())
          assertEquals(listOf(null, "2", "2"), server.requests().map { it.header("Last-Event-ID") })
        }
    }
  }

  @Test
  fun eachCollectorConnects() = runBlocking {
    MockServer.start().use { server ->
      server.handler { stream("data: a\n\n") }
      httpClient().use { client ->
        val events = client.events(request(server.url("/")))
        assertEquals(0, server.requests().size)
        repeat(2) { assertEquals("a", events.first().data()) }
        assertEquals(2, server.requests().size)
        client.awaitNoneInUse()
      }
    }
  }

  @Test
  fun collectorThatStopsClosesTheConnection() = runBlocking {
    val peer = peerWithOneEvent()
    httpClient().use { client ->
      assertEquals("a", client.events(request(peer.url("/"))).first().data())
      peer.awaitScripts()
      client.awaitNoneInUse()
    }
    peer.close()
  }

  @Test
  fun cancellingAWaitForAnEventClosesItsConnection() = runBlocking {
    val peer = peerWithOneEvent()
    httpClient().use { client ->
      val got = CompletableDeferred<Unit>()
      val job =
        launch(Dispatchers.Default) {
          client.events(request(peer.url("/"))).collect { got.complete(Unit) }
        }
      got.await()
      job.cancelAndJoin()
      peer.awaitScripts()
    }
    peer.close()
  }

  @Test
  fun cancellingAWaitForAnEventClosesTheResponse() = runBlocking {
    val peer = peerWithOneEvent()
    httpClient().use { client ->
      val got = CompletableDeferred<Unit>()
      val response = client.await(peer.url("/"))
      val job = launch(Dispatchers.Default) { response.events().collect { got.complete(Unit) } }
      got.await()
      job.cancelAndJoin()
      peer.awaitScripts()
    }
    peer.close()
  }

  @Test
  fun serverSendsTheEventsOfAFlow() = runBlocking {
    val sent = flowOf(ServerSentEvent("message", "a", "1"), ServerSentEvent("note", "b\nc", "2"))
    val routes = router {
      get(
        "/",
        suspending { exchange ->
          exchange.sendEvents(sent)
          null
        },
      )
    }
    httpServer { exchangeHandler(routes) }
      .use { server ->
        httpClient().use { client ->
          val got = client.await("http://localhost:${server.port()}/").events().toList()
          assertEquals(sent.toList(), got)
        }
      }
  }

  @Test
  fun flowIsCancelledWhenTheClientHasGone() = runBlocking {
    val ended = CompletableDeferred<Throwable?>()
    val endless =
      flow {
          emit(ServerSentEvent("message", "a", ""))
          awaitCancellation()
        }
        .onCompletion { ended.complete(it) }
    val routes = router {
      get(
        "/",
        suspending { exchange ->
          exchange.sendEvents(endless, heartbeat = 10.milliseconds)
          Response.ok("never")
        },
      )
    }
    httpServer { exchangeHandler(routes) }
      .use { server ->
        httpClient().use { client ->
          val response = client.await("http://localhost:${server.port()}/")
          assertEquals(1, response.events().take(1).toList().size)
          assertTrue(ended.await() != null)
        }
      }
  }
}
