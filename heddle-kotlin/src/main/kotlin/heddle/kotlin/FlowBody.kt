package heddle.kotlin

import heddle.http.Body
import heddle.http.MediaType
import java.io.IOException
import java.io.InputStream
import java.io.InterruptedIOException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.buffer
import kotlinx.coroutines.flow.produceIn
import kotlinx.coroutines.runBlocking

/**
 * Content of unknown length for a request, or for a response of a server. The flow is collected on
 * [Dispatchers.VirtualThreads] while it is sent, and is at most one piece ahead: when the peer
 * takes no more, the flow waits. It is cancelled when the call is, or when the peer wants no more.
 * Sending fails if the flow does.
 *
 * @param mediaType of the content, which becomes Content-Type unless there is such a field
 * @param replayable whether the flow may be collected again, as for a retry or a redirect, and then
 *   brings the same
 */
public fun Flow<ByteArray>.asBody(mediaType: MediaType? = null, replayable: Boolean = false): Body =
  FlowBody(this, mediaType, replayable)

private class FlowBody(
  private val flow: Flow<ByteArray>,
  private val mediaType: MediaType?,
  private val replayable: Boolean,
) : Body() {
  override fun length(): Long = UNKNOWN

  override fun isReplayable(): Boolean = replayable

  override fun mediaType(): MediaType? = mediaType

  override fun stream(): InputStream = FlowInput(flow)
}

/** Waits for the pieces of a flow. Read by one thread; closed by any, which cancels the flow. */
private class FlowInput(flow: Flow<ByteArray>) : InputStream() {
  private val pieces =
    flow.buffer(Channel.RENDEZVOUS).produceIn(CoroutineScope(Dispatchers.VirtualThreads))

  private var piece = ByteArray(0)
  private var position = 0

  override fun read(): Int {
    val one = ByteArray(1)
    return if (read(one, 0, 1) < 0) -1 else one[0].toInt() and 0xff
  }

  override fun read(target: ByteArray, offset: Int, count: Int): Int {
    if (count == 0) {
      return 0
    }
    while (position == piece.size) {
      piece = next() ?: return -1
      position = 0
    }
    val moved = minOf(count, piece.size - position)
    piece.copyInto(target, offset, position, position + moved)
    position += moved
    return moved
  }

  private fun next(): ByteArray? {
    val received =
      try {
        runBlocking { pieces.receiveCatching() }
      } catch (e: InterruptedException) {
        Thread.currentThread().interrupt()
        throw InterruptedIOException("interrupted while waiting for a flow").initCause(e)
      }
    val failure = received.exceptionOrNull()
    if (failure != null) {
      throw failure as? IOException ?: IOException("the flow of a body has failed", failure)
    }
    return received.getOrNull()
  }

  override fun close() {
    pieces.cancel()
  }
}
