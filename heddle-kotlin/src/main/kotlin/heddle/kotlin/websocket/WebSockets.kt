package heddle.kotlin.websocket

import heddle.client.HttpClient
import heddle.http.MalformedUrlException
import heddle.http.Request
import heddle.kotlin.HeddleDsl
import heddle.kotlin.detached
import heddle.kotlin.interruptible
import heddle.server.spi.Exchange
import heddle.websocket.Message
import heddle.websocket.WebSocket
import heddle.websocket.WebSocketClosedException
import heddle.websocket.WebSocketHandler
import heddle.websocket.WebSocketHandshakeException
import heddle.websocket.WebSocketProtocolException
import java.io.IOException
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.runBlocking

/**
 * Opens a WebSocket, runs [use] with it, and closes it. If [use] fails or the coroutine is
 * cancelled, that does not wait for the peer.
 *
 * ```
 * client.webSocket("wss://example.com/chat") { socket ->
 *   socket.awaitSend("Hello")
 *   socket.messages().collect { println(it) }
 * }
 * ```
 *
 * @param url its scheme is ws, wss, http or https; or what the client's base URL precedes
 * @param build sets subprotocols, compression, limits and pings
 * @return what [use] returns
 * @throws MalformedUrlException if it is no URL
 * @throws WebSocketHandshakeException if the server does not open one
 * @throws CancellationException if the coroutine is cancelled
 * @throws IOException as [HttpClient.send] throws
 */
public suspend fun <T> HttpClient.webSocket(
  url: String,
  build: @HeddleDsl WebSocket.Builder.() -> Unit = {},
  use: suspend CoroutineScope.(WebSocket) -> T,
): T = using(WebSocket.builder(this, url).apply(build), use)

/**
 * As [webSocket], for a request with fields or a deadline, which holds until the socket is open.
 *
 * @throws IllegalArgumentException if the request is no GET, or has content
 */
public suspend fun <T> HttpClient.webSocket(
  request: Request,
  build: @HeddleDsl WebSocket.Builder.() -> Unit = {},
  use: suspend CoroutineScope.(WebSocket) -> T,
): T = using(WebSocket.builder(this, request).apply(build), use)

private suspend fun <T> using(
  builder: WebSocket.Builder,
  use: suspend CoroutineScope.(WebSocket) -> T,
): T {
  val socket = builder.awaitOpen()
  var done = false
  try {
    val result = coroutineScope { use(socket) }
    socket.awaitClose()
    done = true
    return result
  } finally {
    if (!done) {
      detached { socket.close() }
    }
  }
}

/**
 * Opens the socket, which the caller closes. A socket that is opened as the coroutine is cancelled
 * is closed.
 *
 * @throws CancellationException if the coroutine is cancelled
 * @throws IOException as [WebSocket.Builder.open] does
 */
public suspend fun WebSocket.Builder.awaitOpen(): WebSocket =
  interruptible(undelivered = { socket -> detached { socket.close() } }) { open() }

/**
 * The messages that the peer sends, until either side closes the socket. Each is received when the
 * collector asks for it, so that a slow one makes the peer wait. One collector at a time. The
 * socket stays open when the collector ends early, and another may go on; it is closed at once when
 * the coroutine is cancelled while it waits, since a message could be lost.
 *
 * The socket answers pings only while messages are collected. Collecting fails with a
 * [WebSocketProtocolException] if the peer breaks a rule, and with a [WebSocketClosedException] if
 * the connection is lost.
 */
public fun WebSocket.messages(): Flow<Message> = flow {
  while (true) {
    emit(awaitReceive() ?: break)
  }
}

/** The texts among the [messages]. Others fail the flow with an [IllegalStateException]. */
public fun WebSocket.texts(): Flow<String> = flow {
  messages().collect { message ->
    check(message is Message.Text) { "the peer has sent a binary message: collect messages()" }
    emit(message.text())
  }
}

/**
 * Waits for the next message. Cancelling the coroutine closes the socket at once.
 *
 * @return null if the socket was closed by either side
 * @throws CancellationException if the coroutine is cancelled
 * @throws IOException as [WebSocket.receive] does
 */
public suspend fun WebSocket.awaitReceive(): Message? =
  interruptible(undelivered = { detached { close() } }) { receive() }

/**
 * Sends a text message; suspends while the peer accepts no data. Cancelling the coroutine meanwhile
 * closes the socket.
 *
 * @throws CancellationException if the coroutine is cancelled
 * @throws IOException as [WebSocket.send] does
 */
public suspend fun WebSocket.awaitSend(text: String): Unit = interruptible { send(text) }

/** As [awaitSend], for a binary message, which must not change meanwhile. */
public suspend fun WebSocket.awaitSend(data: ByteArray): Unit = interruptible { send(data) }

/**
 * Closes the socket as [WebSocket.close] does, and suspends until that is done, for the close
 * timeout at most. Cancelling the coroutine ends the wait.
 *
 * @throws CancellationException if the coroutine is cancelled
 */
public suspend fun WebSocket.awaitClose(): Unit = interruptible { close() }

/**
 * A handler of a server that opens WebSockets and runs [use] with each, on the thread of its
 * request. It is cancelled when the server interrupts that thread.
 *
 * @param build sets subprotocols, compression, origins, limits and pings
 */
public fun webSocketHandler(
  build: @HeddleDsl WebSocketHandler.Builder.() -> Unit = {},
  use: suspend CoroutineScope.(WebSocket, Exchange) -> Unit,
): WebSocketHandler =
  WebSocketHandler.builder().apply(build).build { socket, exchange ->
    runBlocking { use(socket, exchange) }
  }
