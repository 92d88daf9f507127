package heddle.kotlin

import heddle.client.HttpClient
import heddle.http.BodyTooLargeException
import heddle.http.GenericType
import heddle.http.Request
import heddle.http.Response
import java.io.IOException
import java.io.InputStreamReader
import java.io.Reader
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow

/** The bytes of each piece of [chunks], if no other number is given: 16 KiB. */
public const val DEFAULT_CHUNK_BYTES: Int = 16 * 1024

/** The characters of a line of [lines], if no other limit is given: 1 Mi. */
public const val DEFAULT_MAX_LINE_CHARS: Int = 1 shl 20

/**
 * Reads the whole content as a value, by the codec of the request or the client, or the installed
 * one. Blocks the calling thread; [awaitBody] suspends. [T] may have type arguments.
 *
 * @throws heddle.http.StatusException if the status is not one of success (2xx)
 * @throws heddle.http.BodyCodecException if the content is no such value
 * @throws IllegalStateException if there is no codec
 * @throws IOException if the content cannot be read to its end
 */
public inline fun <reified T : Any> Response.bodyAs(): T = `as`(object : GenericType<T>() {})

/** As [bodyAs], without blocking the thread. Cancelling the coroutine closes the response. */
public suspend inline fun <reified T : Any> Response.awaitBody(): T {
  val type = object : GenericType<T>() {}
  return read { it.`as`(type) }
}

/**
 * Reads the whole content, at most 64 MiB, as [Response.bytes] does, without blocking the thread.
 * Cancelling the coroutine closes the response.
 *
 * @throws CancellationException if the coroutine is cancelled
 * @throws IOException as [Response.bytes] does
 */
public suspend fun Response.awaitBytes(): ByteArray = read { it.bytes() }

/**
 * Reads the whole content as text, at most 64 MiB, as [Response.string] does, without blocking the
 * thread. Cancelling the coroutine closes the response.
 *
 * @throws CancellationException if the coroutine is cancelled
 * @throws IOException as [Response.string] does
 */
public suspend fun Response.awaitString(): String = read { it.string() }

/** Runs blocking code that reads, on a virtual thread unless all content is there. */
@PublishedApi
internal suspend fun <T> Response.read(block: (Response) -> T): T =
  if (body().inMemory() != null) {
    block(this)
  } else {
    onVirtualThread(abort = ::abandon) { block(this) }
  }

/**
 * The content in pieces, as they arrive. Each is read when the collector asks for it, so that a
 * slow one makes the server wait. The flow can be collected once, and closes the response: at its
 * end, when the collector ends early or fails, and at once when the coroutine is cancelled.
 *
 * @param size the most bytes of a piece, at least 1
 * @throws IllegalArgumentException if the size is less than 1
 */
public fun Response.chunks(size: Int = DEFAULT_CHUNK_BYTES): Flow<ByteArray> {
  require(size >= 1) { "the size of a chunk must be at least 1 byte, but was $size" }
  return flow {
    closing {
      val content = body().stream()
      val buffer = ByteArray(size)
      while (true) {
        val count = onVirtualThread(abort = ::abandon) { content.read(buffer) }
        if (count < 0) {
          break
        }
        emit(buffer.copyOf(count))
      }
    }
  }
}

/**
 * The lines of a text, in the charset of its media type or UTF-8, without their ends (LF, CR or
 * CRLF). Read and closed as [chunks] are; what has arrived of the next lines is held meanwhile,
 * some 8 KiB at most.
 *
 * @param maxChars of a line, at least 1; a longer one fails with a [BodyTooLargeException]
 * @throws IllegalArgumentException if the limit is less than 1
 */
public fun Response.lines(maxChars: Int = DEFAULT_MAX_LINE_CHARS): Flow<String> {
  require(maxChars >= 1) { "maxChars must be at least 1, but was $maxChars" }
  return flow {
    closing {
      val charset = body().mediaType()?.charset() ?: Charsets.UTF_8
      val reader = LineReader(InputStreamReader(body().stream(), charset), maxChars)
      while (true) {
        val lines = onVirtualThread(abort = ::abandon) { reader.next() } ?: break
        lines.forEach { emit(it) }
      }
    }
  }
}

/**
 * The content of the response to a request, which is sent anew each time that the flow is
 * collected, with the deadline of the collector: see [Response.chunks].
 *
 * Collecting fails with a [heddle.http.StatusException] if the status is not one of success (2xx),
 * and as [await] does.
 *
 * @throws IllegalArgumentException if the size is less than 1
 */
public fun HttpClient.chunks(request: Request, size: Int = DEFAULT_CHUNK_BYTES): Flow<ByteArray> {
  require(size >= 1) { "the size of a chunk must be at least 1 byte, but was $size" }
  return flow { succeeding(request).chunks(size).collect(::emit) }
}

/** The lines of the response to a request: see [HttpClient.chunks] and [Response.lines]. */
public fun HttpClient.lines(
  request: Request,
  maxChars: Int = DEFAULT_MAX_LINE_CHARS,
): Flow<String> {
  require(maxChars >= 1) { "maxChars must be at least 1, but was $maxChars" }
  return flow { succeeding(request).lines(maxChars).collect(::emit) }
}

private suspend fun HttpClient.succeeding(request: Request): Response =
  await(request).let { response -> response.read { it.requireSuccess() } }

/** Runs what reads this response, and closes it. */
internal inline fun Response.closing(read: () -> Unit) {
  try {
    read()
  } finally {
    abandon()
  }
}

/** Closes a response of which no one wants the rest. Does not wait. */
internal fun Response.abandon() {
  try {
    close()
  } catch (_: IOException) {
    // Its connection is closed in any case, and no one reads the rest.
  }
}

/** Splits a text into lines, as many at a time as one read has brought. */
internal class LineReader(private val source: Reader, private val maxChars: Int) {
  private val buffer = CharArray(8 * 1024)
  private val rest = StringBuilder()
  private var afterCarriageReturn = false
  private var ended = false

  /** Waits for more text; the lines that are complete then, or null at the end. */
  fun next(): List<String>? {
    if (ended) {
      return null
    }
    val lines = ArrayList<String>()
    val count = source.read(buffer)
    if (count < 0) {
      ended = true
      if (rest.isNotEmpty()) {
        lines.add(take())
      }
    }
    for (i in 0 until count) {
      add(buffer[i], lines)
    }
    return lines
  }

  private fun add(char: Char, lines: MutableList<String>) {
    val isSecondOfEnd = char == '\n' && afterCarriageReturn
    afterCarriageReturn = char == '\r'
    when {
      isSecondOfEnd -> {}
      char == '\n' || char == '\r' -> lines.add(take())
      rest.length == maxChars ->
        throw BodyTooLargeException(
          "a line has more than $maxChars characters, which is the limit: give a higher" +
            " maxChars, or read the content as chunks",
          null,
          null,
        )
      else -> rest.append(char)
    }
  }

  private fun take(): String = rest.toString().also { rest.setLength(0) }
}
