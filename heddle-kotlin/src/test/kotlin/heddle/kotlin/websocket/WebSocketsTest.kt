package heddle.kotlin.websocket

import heddle.client.HttpClient
import heddle.kotlin.awaitNoneInUse
import heddle.kotlin.httpClient
import heddle.kotlin.request
import heddle.kotlin.web.httpServer
import heddle.websocket.Message
import heddle.websocket.WebSocket
import heddle.websocket.WebSocketHandshakeException
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
  ) {
    httpServer { exchangeHandler(webSocketHandler { socket, _ -> handle(socket) }) }
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

  @Test
  fun cancellingAWaitForAMessageClosesTheSocket() {
    val ended = CompletableDeferred<Unit>()
    served({ socket ->
      socket.awaitSend("a")
      runCatching { socket.messages().collect {} }
      ended.complete(Unit)
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
