package heddle.kotlin

import heddle.codec.http2.frame.ErrorCode
import heddle.http.BodyTooLargeException
import heddle.http.MediaType
import heddle.http.Method
import heddle.http.StatusException
import heddle.testkit.mock.MockResponse
import heddle.testkit.mock.MockServer
import java.io.StringReader
import java.util.concurrent.CountDownLatch
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.collect
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.flowOf
import kotlinx.coroutines.flow.onCompletion
import kotlinx.coroutines.flow.onEach
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertArrayEquals
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource
import org.junit.jupiter.params.provider.ValueSource

@Timeout(60)
internal class BodiesTest {
  private companion object {
    /** What a server may send on a stream before the client reads. */
    const val WINDOW = 256 * 1024
  }

  @Test
  fun piecesMakeUpTheContent() = runBlocking {
    val content = ByteArray(1_000_000) { it.toByte() }
    MockServer.start().use { server ->
      server.handler { MockResponse.ok(content) }
      httpClient().use { client ->
        val pieces = client.await(server.url("/")).chunks(1_000).toList()
        assertTrue(pieces.all { it.size in 1..1_000 })
        assertArrayEquals(content, pieces.reduce(ByteArray::plus))
        client.awaitNoneInUse()
        assertArrayEquals(content, client.await(server.url("/")).awaitBytes())
      }
    }
  }

  @Test
  fun serverMaySendAWindowWhileTheCollectorIsBusy() = runBlocking {
    val first = CompletableDeferred<Unit>()
    val goOn = CompletableDeferred<Unit>()
    val peer = http2Peer {
      it.handshake()
      val stream = it.expectHeaders().streamId()
      it.sendHeaders(stream, false, ":status: 200")
      it.sendContent(stream, false, ByteArray(WINDOW))
      runBlocking { first.await() }
      it.expectQuiet() // No WINDOW_UPDATE of the stream for what no one has read.
      goOn.complete(Unit)
      it.expectCredit(stream, 1)
      it.sendData(stream, true, "!")
    }
    http2Client().use { client ->
      var size = 0
      client.await(peer.url("/")).chunks(1_000).collect { piece ->
        if (size == 0) {
          first.complete(Unit)
          goOn.await()
        }
        size += piece.size
      }
      assertEquals(WINDOW + 1, size)
      peer.awaitScripts()
    }
    peer.close()
  }

  internal enum class Ending {
    EARLY {
      override suspend fun collect(flow: Flow<ByteArray>, client: String) {
        assertEquals(5, flow.first().size, client)
      }
    },
    FAILED {
      override suspend fun collect(flow: Flow<ByteArray>, client: String) {
        val failure = runCatching { flow.collect { error("collector") } }.exceptionOrNull()
        assertEquals("collector", failure?.message, client)
      }
    },
    CANCELLED_IN_READ {
      override suspend fun collect(flow: Flow<ByteArray>, client: String) {
        val got = CompletableDeferred<Unit>()
        val job = scope.launch { flow.collect { got.complete(Unit) } }
        got.await()
        job.cancelAndJoin()
      }
    },
    CANCELLED_IN_COLLECTOR {
      override suspend fun collect(flow: Flow<ByteArray>, client: String) {
        val got = CompletableDeferred<Unit>()
        val job =
          scope.launch {
            flow.collect {
              got.complete(Unit)
              awaitCancellation()
            }
          }
        got.await()
        job.cancelAndJoin()
      }
    };

    val scope = kotlinx.coroutines.CoroutineScope(Dispatchers.Default)

    abstract suspend fun collect(flow: Flow<ByteArray>, client: String)
  }

  @ParameterizedTest
  @EnumSource(Ending::class)
  fun endOfACollectionResetsTheStream(ending: Ending) = runBlocking {
    val peer = http2Peer {
      it.handshake()
      val stream = it.expectHeaders().streamId()
      it.sendHeaders(stream, false, ":status: 200")
      it.sendData(stream, false, "Hello")
      it.expectRst(stream, ErrorCode.CANCEL)
    }
    http2Client().use { client ->
      ending.collect(client.chunks(request(peer.url("/"))), "HTTP/2")
      peer.awaitScripts()
    }
    peer.close()
  }

  @ParameterizedTest
  @EnumSource(Ending::class)
  fun endOfACollectionFreesTheConnection(ending: Ending) = runBlocking {
    val peer = answeringPeer("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nHello")
    httpClient().use { client ->
      ending.collect(client.await(peer.url("/")).chunks(), "HTTP/1.1")
      peer.awaitScripts()
      client.awaitNoneInUse()
    }
    peer.close()
  }

  @Test
  fun flowOfARequestSendsItForEachCollector() = runBlocking {
    MockServer.start().use { server ->
      server.handler { MockResponse.ok("one\ntwo") }
      httpClient().use { client ->
        val lines = client.lines(request(server.url("/")))
        assertEquals(0, server.requests().size)
        assertEquals(listOf("one", "two"), lines.toList())
        assertEquals(listOf("one"), lines.take(1).toList())
        assertEquals(2, server.requests().size)
      }
    }
  }

  @Test
  fun flowOfARequestFailsWithTheStatus(): Unit = runBlocking {
    MockServer.start().use { server ->
      server.handler { MockResponse.of(500) }
      httpClient().use { client ->
        val request = request(server.url("/"))
        val failures =
          listOf(client.chunks(request), client.lines(request)).map { flow ->
            runCatching { flow.collect() }.exceptionOrNull()
          }
        assertTrue(failures.all { it is StatusException }, "$failures")
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = [0, -1])
  fun sizesMustBePositive(size: Int) {
    val response = heddle.http.Response.ok("text")
    val failures =
      listOf<() -> Unit>({ response.chunks(size) }, { response.lines(size) }).map {
        assertThrows(IllegalArgumentException::class.java) { it() }.message
      }
    assertEquals(
      listOf(
        "the size of a chunk must be at least 1 byte, but was $size",
        "maxChars must be at least 1, but was $size",
      ),
      failures,
    )
  }

  @Test
  fun linesEndAsTextsDo() {
    val text = "a\nb\r\nc\rd\n\n\r\r\nlast"
    val expected = listOf("a", "b", "c", "d", "", "", "", "last")
    assertEquals(expected, linesOf(LineReader(StringReader(text), 10)))
    val slow =
      object : java.io.Reader() {
        private var next = 0

        override fun read(target: CharArray, offset: Int, length: Int): Int {
          if (next == text.length) {
            return -1
          }
          target[offset] = text[next++]
          return 1
        }

        override fun close() {}
      }
    assertEquals(expected, linesOf(LineReader(slow, 10)))
    assertEquals(listOf<String>(), linesOf(LineReader(StringReader(""), 10)))
    assertEquals(listOf("a"), linesOf(LineReader(StringReader("a\n"), 10)))
  }

  @Test
  fun lineThatIsTooLongIsAnError() {
    assertEquals(listOf("12345"), linesOf(LineReader(StringReader("12345\r\n"), 5)))
    val failure =
      assertThrows(BodyTooLargeException::class.java) {
        linesOf(LineReader(StringReader("123456"), 5))
      }
    assertTrue(failure.message.contains("more than 5 characters"), failure.message)
  }

  private fun linesOf(reader: LineReader): List<String> =
    generateSequence { reader.next() }.flatten().toList()

  @Test
  fun linesAreInTheCharsetOfTheirType() = runBlocking {
    MockServer.start().use { server ->
      server.enqueue(
        MockResponse.ok("é\nü".toByteArray(Charsets.ISO_8859_1))
          .header("Content-Type", "text/plain; charset=iso-8859-1")
      )
      server.enqueue(MockResponse.ok("é\nü".toByteArray()))
      httpClient().use { client ->
        repeat(2) { assertEquals(listOf("é", "ü"), client.await(server.url("/")).lines().toList()) }
      }
    }
  }

  @Test
  fun awaitingContentDoesNotBlockTheThread() = runBlocking {
    val waiting = CountDownLatch(1)
    val peer =
      peer({
        it.expectHead()
        it.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nHello")
        waiting.await()
        it.send("World")
        it.drain()
      })
    httpClient().use { client ->
      val response = client.await(peer.url("/"))
      val text = async(start = CoroutineStart.UNDISPATCHED) { response.awaitString() }
      waiting.countDown()
      assertEquals("HelloWorld", text.await())
    }
    peer.close()
  }

  @Test
  fun flowIsNotReplayableByDefault() {
    val flow = flowOf(byteArrayOf(1))
    assertFalse(flow.asBody().isReplayable)
    assertTrue(flow.asBody(replayable = true).isReplayable)
  }

  @Test
  fun bytesOfAFlowMayBeReadOneByOne() {
    val flow = flowOf(byteArrayOf(), byteArrayOf(-1), byteArrayOf(), byteArrayOf(2))
    flow.asBody().stream().use { content ->
      assertEquals(listOf(255, 2, -1), List(3) { content.read() })
    }
  }

  @Test
  fun flowIsSentAsABody() = runBlocking {
    MockServer.start().use { server ->
      httpClient().use { client ->
        val body = flowOf("one", "two").onEach { kotlinx.coroutines.yield() }
        val bytes = flow { body.collect { emit(it.toByteArray()) } }
        client.await(server.url("/")) {
          method(Method.POST)
          body(bytes.asBody(MediaType.TEXT_PLAIN_UTF8))
        }
        val request = server.takeRequest()
        assertEquals("onetwo", request.text())
        assertEquals("text/plain; charset=utf-8", request.header("Content-Type"))
      }
    }
  }

  @Test
  fun flowWaitsWhileThePeerTakesNoMore() = runBlocking {
    val emitted = AtomicInteger()
    val ended = CompletableDeferred<Throwable?>()
    val endless =
      flow {
          while (true) {
            emit(ByteArray(1_000))
            emitted.incrementAndGet()
          }
        }
        .onCompletion { ended.complete(it) }
    val blocked = CompletableDeferred<Unit>()
    val peer = http2Peer {
      it.handshake()
      val stream = it.expectHeaders().streamId()
      var size = 0
      while (size < 65_535) { // RFC 9113 section 6.5.2: the initial window
        size += it.expectData(stream).data().remaining()
      }
      it.expectQuiet()
      blocked.complete(Unit)
      it.expectRst(stream, ErrorCode.CANCEL)
    }
    http2Client().use { client ->
      val job =
        launch(Dispatchers.Default) {
          client.await(peer.url("/")) {
            method(Method.POST)
            body(endless.asBody())
          }
        }
      blocked.await()
      assertTrue(emitted.get() in 30..200, "$emitted")
      job.cancelAndJoin()
      ended.await()
      peer.awaitScripts()
    }
    peer.close()
  }

  @Test
  fun cancellingACallCancelsTheFlowThatItSends() = runBlocking {
    val waiting = CompletableDeferred<Unit>()
    val ended = CompletableDeferred<Throwable?>()
    val silent =
      flow<ByteArray> {
          waiting.complete(Unit)
          awaitCancellation()
        }
        .onCompletion { ended.complete(it) }
    val peer = peer({ it.drain() })
    httpClient().use { client ->
      val job =
        launch(Dispatchers.Default) {
          client.await(peer.url("/")) {
            method(Method.POST)
            body(silent.asBody())
          }
        }
      waiting.await()
      job.cancelAndJoin()
      assertTrue(ended.await() != null)
      peer.awaitScripts()
    }
    peer.close()
  }

  @Test
  fun failureOfAFlowFailsTheCall(): Unit = runBlocking {
    MockServer.start().use { server ->
      httpClient().use { client ->
        val failing = flow {
          emit(ByteArray(10))
          error("no more")
        }
        val failure =
          runCatching {
              client.await(server.url("/")) {
                method(Method.POST)
                body(failing.asBody())
              }
            }
            .exceptionOrNull()
        val causes = generateSequence(failure) { it.cause }.map { it.message }.toList()
        assertTrue("no more" in causes, "$causes")
      }
    }
  }

  @Test
  fun flowThatIsReplayableIsSentAgain() = runBlocking {
    MockServer.start().use { server ->
      httpClient().use { client ->
        val body = flowOf("text".toByteArray()).asBody(replayable = true)
        assertEquals("text", body.string())
        client.await(server.url("/b")) {
          method(Method.PUT)
          body(body)
        }
        assertEquals("text", server.takeRequest().text())
      }
    }
  }
}
