package heddle.kotlin

import heddle.client.HttpClient
import heddle.http.HttpVersion
import heddle.testkit.Http2Peer
import heddle.testkit.ScriptedPeer
import heddle.transport.tcp.TcpNetwork
import java.util.concurrent.LinkedBlockingQueue
import kotlin.coroutines.CoroutineContext
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.Runnable
import kotlinx.coroutines.delay

/** A server on loopback whose connections follow these scripts, byte for byte. */
internal fun peer(vararg scripts: ScriptedPeer.Script): ScriptedPeer =
  ScriptedPeer.inOrder(TcpNetwork.shared(), *scripts)

/**
 * A server on loopback that answers one request with this text and waits for the client to close.
 */
internal fun answeringPeer(answer: String): ScriptedPeer =
  peer({
    it.expectHead()
    it.send(answer)
    it.drain()
  })

/** A server on loopback with one connection, frame for frame. */
internal fun http2Peer(script: (Http2Peer) -> Unit): ScriptedPeer =
  peer(Http2Peer.server { script(it) })

/** How many connections and streams calls hold. */
internal fun HttpClient.inUse(): Int = pool().routes().sumOf { it.inUse() }

/** Waits until calls hold nothing: a cancelled one lets go a moment later. */
internal suspend fun HttpClient.awaitNoneInUse() {
  while (inUse() > 0) {
    delay(1)
  }
}

internal fun http2Client() = httpClient { version(HttpVersion.HTTP_2) }

/** Runs nothing by itself: a test runs what was dispatched. */
internal class HeldDispatcher : CoroutineDispatcher() {
  private val tasks = LinkedBlockingQueue<Runnable>()

  override fun dispatch(context: CoroutineContext, block: Runnable) {
    tasks.add(block)
  }

  /** Waits for a task. */
  fun take(): Runnable = tasks.take()
}
