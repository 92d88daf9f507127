package heddle.kotlin.websocket

import heddle.client.HttpClient
import heddle.kotlin.HeldDispatcher
import heddle.kotlin.awaitNoneInUse
import heddle.kotlin.httpClient
import heddle.kotlin.request
import heddle.kotlin.web.httpServer
import heddle.server.spi.ExchangeHandler
import heddle.websocket.Message
import heddle.websocket.WebSocket
import heddle.websocket.WebSocketHandshakeException
import java.util.concurrent.CountDownLatch
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

@Timeout(60)
internal class WebSocketsTest {
  private fun served(
    handle: suspend CoroutineScope.(WebSocket) -> Unit,
    test: suspend CoroutineScope.(HttpClient, String) -> Unit,
  ) = served(webSocketHandler { socket, _ -> handle(socket) }, test)

  private fun served(
    handler: ExchangeHandler,
    test: suspend CoroutineScope.(HttpClient, String) -> Unit,
  ) {
    httpServer { exchangeHandler(handler) }
      .use { server ->
        httpClient().use { client ->
          runBlocking { test(client, "ws://localhost:${server.port()}/") }
        }
      }
  }

  private val echo: suspend CoroutineScope.(WebSocket) -> Unit = { socket ->
    socket.messages().collect { message ->
      when (message) {
        is Message.Text -> socket.awaitSend(message.text())
        is Message.Binary -> socket.awaitSend(message.bytes())
      }
    }
  }

  private suspend fun WebSocket.completeAtItsEnd(ended: CompletableDeferred<Unit>) {
    runCatching { messages().collect {} }
    ended.complete(Unit)
  }

  @Test
  fun messagesGoBothWays() =
    served(echo) { client, url ->
      val got =
        client.webSocket(url) { socket ->
          launch {
            socket.awaitSend("one")
            socket.awaitSend(byteArrayOf(2))
            socket.awaitSend("three")
          }
          socket.messages().take(3).toList()
        }
      assertEquals(
        listOf(Message.Text("one"), Message.Binary(byteArrayOf(2)), Message.Text("three")),
        got,
      )
      client.awaitNoneInUse()
    }

  @Test
  fun collectorMayStopAndGoOn() =
    served(echo) { client, url ->
      client.webSocket(request(url.replace("ws:", "http:"))) { socket ->
        socket.awaitSend("a")
        assertEquals("a", socket.texts().first())
        assertTrue(socket.isOpen)
        socket.awaitSend("b")
        assertEquals("b", socket.texts().first())
      }
    }

  @Test
  fun socketIsClosedAfterItsUse() =
    served(echo) { client, url ->
      val used = client.webSocket(url) { it }
      assertFalse(used.isOpen)
    }

  @Test
  fun failureOfAConversationClosesTheSocket() {
    val ended = CompletableDeferred<Unit>()
    served({ it.completeAtItsEnd(ended) }) { client, url ->
      val failure = runCatching { client.webSocket(url) { error("wanted") } }.exceptionOrNull()
      assertEquals("wanted", failure?.message)
      ended.await()
    }
  }

  @Test
  fun messagesEndWhenThePeerCloses() =
    served({ it.awaitSend("bye") }) { client, url ->
      client.webSocket(url) { socket ->
        assertEquals(listOf("bye"), socket.texts().toList())
        assertNull(socket.awaitReceive())
      }
    }

  @Test
  fun textsRefuseABinaryMessage() =
    served({ it.awaitSend(byteArrayOf(1)) }) { client, url ->
      val failure = runCatching { client.webSocket(url) { it.texts().toList() } }.exceptionOrNull()
      assertTrue(failure is IllegalStateException, "$failure")
      client.awaitNoneInUse()
    }

  /** Cancels a coroutine after its result has arrived and before it is resumed. */
  private fun cancelBeforeTheDelivery(suspended: CountDownLatch, wait: suspend () -> Unit) {
    val held = HeldDispatcher()
    val job = CoroutineScope(held).launch { wait() }
    held.take().run()
    suspended.countDown()
    val delivery = held.take()
    job.cancel()
    delivery.run()
  }

  @Test
  fun socketThatOpensAfterTheCancellationIsClosed() {
    val suspended = CountDownLatch(1)
    val ended = CompletableDeferred<Unit>()
    val handler = webSocketHandler { socket, _ -> socket.completeAtItsEnd(ended) }
    served(
      ExchangeHandler { exchange ->
        suspended.await()
        handler.handle(exchange)
      }
    ) { client, url ->
      cancelBeforeTheDelivery(suspended) { WebSocket.builder(client, url).awaitOpen() }
      ended.await()
      client.awaitNoneInUse()
    }
  }

  @Test
  fun messageThatArrivesAfterTheCancellationClosesTheSocket() {
    val suspended = CountDownLatch(1)
    val ended = CompletableDeferred<Unit>()
    served(
      webSocketHandler { socket, _ ->
        suspended.await()
        socket.awaitSend("a")
        socket.completeAtItsEnd(ended)
      }
    ) { client, url ->
      val socket = WebSocket.builder(client, url).awaitOpen()
      cancelBeforeTheDelivery(suspended) { socket.awaitReceive() }
      ended.await()
      client.awaitNoneInUse()
      assertFalse(socket.isOpen)
    }
  }

  @Test
  fun cancellingAWaitForAMessageClosesTheSocket() {
    val ended = CompletableDeferred<Unit>()
    served({ socket ->
      socket.awaitSend("a")
      socket.completeAtItsEnd(ended)
    }) { client, url ->
      val got = CompletableDeferred<WebSocket>()
      val job =
        launch(Dispatchers.Default) {
          client.webSocket(url) { socket -> socket.messages().collect { got.complete(socket) } }
        }
      val socket = got.await()
      job.cancelAndJoin()
      ended.await()
      client.awaitNoneInUse()
      assertFalse(socket.isOpen)
    }
  }

  @Test
  fun peerWaitsWhileNoOneCollects() {
    val sent = AtomicInteger()
    val message = ByteArray(1 shl 20)
    served({ socket ->
      repeat(MESSAGES) {
        socket.awaitSend(message)
        sent.incrementAndGet()
      }
    }) { client, url ->
      client.webSocket(url) { socket ->
        assertEquals(Message.Binary(message), socket.messages().first())
        // Each message that arrives lets at most a few more go: they are never all on their way.
        socket.messages().take(MESSAGES / 2).collect {}
        assertTrue(sent.get() < MESSAGES, "$sent")
        assertEquals(MESSAGES / 2 - 1, socket.messages().toList().size)
      }
    }
  }

  @Test
  fun socketThatIsNotOpenedIsAnError() {
    httpServer { handler { heddle.http.Response.ok("no socket") } }
      .use { server ->
        httpClient().use { client ->
          val failure =
            runBlocking { runCatching { client.webSocket("ws://localhost:${server.port()}/") {} } }
              .exceptionOrNull()
          assertTrue(failure is WebSocketHandshakeException, "$failure")
        }
      }
  }

  private companion object {
    /** MiB: much more than the buffers of a connection hold. */
    const val MESSAGES = 100
  }
}
