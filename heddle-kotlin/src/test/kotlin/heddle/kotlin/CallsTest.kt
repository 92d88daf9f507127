package heddle.kotlin

import heddle.codec.http2.frame.ErrorCode
import heddle.http.HeaderName
import heddle.http.StatusException
import heddle.http.failure.ConnectFailedException
import heddle.http.failure.DeadlineExceededException
import heddle.testkit.mock.MockResponse
import heddle.testkit.mock.MockServer
import java.util.concurrent.CountDownLatch
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.nanoseconds
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.TimeoutCancellationException
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.test.TestScope
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.withTimeoutOrNull
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource

@Timeout(60)
internal class CallsTest {
  private fun dispatcher(onVirtualThreads: Boolean) =
    if (onVirtualThreads) Dispatchers.VirtualThreads else Dispatchers.Default

  @Test
  fun coroutineWithAVirtualThreadCallsOnIt() = runBlocking {
    MockServer.start().use { server ->
      httpClient().use { client ->
        val request = request(server.url("/"))
        withContext(Dispatchers.VirtualThreads) {
          val own = Thread.currentThread()
          assertSame(own, client.await(request) { Thread.currentThread() })
        }
        withContext(Dispatchers.Default) {
          assertTrue(client.await(request) { Thread.currentThread() }.isVirtual)
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = [false, true])
  fun callsRunAtTheSameTime(onVirtualThreads: Boolean) = runBlocking {
    MockServer.start().use { server ->
      val all = CountDownLatch(100)
      server.handler { request ->
        all.countDown()
        all.await()
        MockResponse.ok(request.target())
      }
      httpClient { pool { maxPerRoute(100) } }
        .use { client ->
          val texts =
            (1..100)
              .map { i ->
                async(dispatcher(onVirtualThreads)) {
                  client.await(server.url("/$i")).awaitString()
                }
              }
              .awaitAll()
          assertEquals((1..100).map { "/$it" }, texts)
        }
    }
  }

  @Test
  fun failureOfACallIsThrown(): Unit = runBlocking {
    val closed = MockServer.start().also { it.close() }
    httpClient().use { client ->
      val failure = runCatching { client.await(closed.url("/")) }.exceptionOrNull()
      assertTrue(failure is ConnectFailedException, "$failure")
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = [false, true])
  fun cancellingResetsTheStream(onVirtualThreads: Boolean) = runBlocking {
    val arrived = CompletableDeferred<Unit>()
    val peer = http2Peer {
      it.handshake()
      val stream = it.expectHeaders().streamId()
      arrived.complete(Unit)
      it.expectRst(stream, ErrorCode.CANCEL)
      it.expectQuiet()
    }
    http2Client().use { client ->
      val job = launch(dispatcher(onVirtualThreads)) { client.await(peer.url("/")) }
      arrived.await()
      job.cancelAndJoin()
      peer.awaitScripts()
    }
    peer.close()
  }

  @ParameterizedTest
  @ValueSource(booleans = [false, true])
  fun cancellingClosesTheConnection(onVirtualThreads: Boolean) = runBlocking {
    val arrived = CompletableDeferred<Unit>()
    val peer =
      peer({
        it.expectHead()
        arrived.complete(Unit)
        it.drain()
      })
    httpClient().use { client ->
      val job = launch(dispatcher(onVirtualThreads)) { client.await(peer.url("/")) }
      arrived.await()
      job.cancelAndJoin()
      peer.awaitScripts()
      client.awaitNoneInUse()
    }
    peer.close()
  }

  /** In virtual time, which passes when the request has arrived. */
  @Test
  fun timeoutOfACoroutineResetsTheStream() {
    val arrived = CountDownLatch(1)
    val peer = http2Peer {
      it.handshake()
      val stream = it.expectHeaders().streamId()
      arrived.countDown()
      it.expectRst(stream, ErrorCode.CANCEL)
    }
    http2Client().use { client ->
      val scope = TestScope()
      val outcome = scope.async { withTimeoutOrNull(1.minutes) { client.await(peer.url("/")) } }
      scope.testScheduler.runCurrent()
      arrived.await()
      assertFalse(outcome.isCompleted)
      scope.testScheduler.advanceTimeBy(1.minutes + 1.seconds)
      assertTrue(outcome.isCompleted)
      assertNull(runBlocking { outcome.await() })
      peer.awaitScripts()
    }
    peer.close()
  }

  @Test
  fun responseThatArrivesAfterTheCancellationIsClosed() {
    val held = HeldDispatcher()
    val suspended = CountDownLatch(1)
    val peer =
      peer({
        it.expectHead()
        suspended.await()
        it.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nHello")
        it.drain()
      })
    httpClient().use { client ->
      val job = CoroutineScope(held).launch { client.await(peer.url("/")) }
      held.take().run()
      suspended.countDown()
      val delivery = held.take() // The response is there, and the coroutine not resumed yet.
      assertEquals(1, client.inUse())
      job.cancel()
      delivery.run()
      peer.awaitScripts()
      runBlocking { client.awaitNoneInUse() }
    }
    peer.close()
  }

  @ParameterizedTest
  @ValueSource(booleans = [false, true])
  fun cancellingWhileTheResponseIsReadClosesTheConnection(onVirtualThreads: Boolean) = runBlocking {
    val reading = CompletableDeferred<Unit>()
    val peer = answeringPeer("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nHello")
    httpClient().use { client ->
      val job =
        launch(dispatcher(onVirtualThreads)) {
          client.await(request(peer.url("/"))) {
            reading.complete(Unit)
            it.string()
          }
        }
      reading.await()
      job.cancelAndJoin()
      peer.awaitScripts()
    }
    peer.close()
  }

  @Test
  fun responseIsClosedWhenItHasBeenReadInPart() = runBlocking {
    val peer = answeringPeer("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nHello")
    httpClient().use { client ->
      assertEquals('H'.code, client.await(request(peer.url("/"))) { it.body().stream().read() })
      peer.awaitScripts()
    }
    peer.close()
  }

  @Test
  fun callThatWasCancelledBeforeIsNotSent() = runBlocking {
    MockServer.start().use { server ->
      httpClient().use { client ->
        val job =
          launch(start = kotlinx.coroutines.CoroutineStart.LAZY) { client.await(server.url("/")) }
        job.cancelAndJoin()
        assertEquals(0, server.requests().size)
      }
    }
  }

  @Test
  fun callsOfADeadlineKnowIt() = runBlocking {
    MockServer.start().use { server ->
      server.handler { MockResponse.ok("${it.header("Millis-Left")}") }
      httpClient { deadlineHeader(HeaderName.of("Millis-Left")) }
        .use { client ->
          suspend fun left() = client.await(server.url("/")).awaitString().toInt()
          suspend fun leftOfRead() = client.await(request(server.url("/"))) { it.string() }.toInt()
          withDeadline(20.seconds) {
            assertTrue(left() in 1..20_000)
            assertTrue(leftOfRead() in 1..20_000)
            withDeadline(40.seconds) { assertTrue(left() <= 20_000) }
            withDeadline(10.seconds) { assertTrue(left() <= 10_000) }
          }
          assertTrue(left() > 20_000)
        }
    }
  }

  @Test
  fun deadlineEndsACall(): Unit = runBlocking {
    val peer = peer({ it.drain() })
    httpClient().use { client ->
      val failure =
        runCatching { withDeadline(50_000.nanoseconds * 1000) { client.await(peer.url("/")) } }
          .exceptionOrNull()
      assertTrue(
        failure is TimeoutCancellationException || failure is DeadlineExceededException,
        "$failure",
      )
      peer.awaitScripts()
    }
    peer.close()
  }

  @Test
  fun deadlineCancelsCodeThatMakesNoCall() {
    assertThrows(TimeoutCancellationException::class.java) {
      runBlocking { withDeadline(1.nanoseconds) { awaitCancellation() } }
    }
  }

  @Test
  fun deadlineMustBePositive() {
    val failure =
      assertThrows(IllegalArgumentException::class.java) {
        runBlocking { withDeadline(Duration.ZERO) {} }
      }
    assertEquals("the time to a deadline must be positive, but was 0s", failure.message)
  }

  @Test
  fun valueOfAStatusOfFailureIsAnException(): Unit = runBlocking {
    MockServer.start().use { server ->
      server.enqueue(MockResponse.of(404))
      httpClient().use { client ->
        val failure =
          runCatching { client.awaitAs<List<String>>(server.url("/")) }.exceptionOrNull()
        assertTrue(failure is StatusException, "$failure")
      }
    }
  }

  @Test
  fun blockingCallsAreBuiltAsWell() {
    MockServer.start().use { server ->
      httpClient { baseUrl(server.url("/v1")) }
        .use { client ->
          client.send("/users/{id}", 7) { header("Accept", "text/plain") }.close()
          val request = server.takeRequest()
          assertEquals("/v1/users/7", request.target())
          assertEquals("text/plain", request.header("Accept"))
        }
    }
  }

  @Test
  fun withTimeoutThrowsWhatItAlwaysThrows(): Unit = runBlocking {
    val peer = peer({ it.drain() })
    httpClient().use { client ->
      val failure =
        runCatching { withTimeout(50) { client.await(peer.url("/")) } }.exceptionOrNull()
      assertTrue(failure is CancellationException, "$failure")
      peer.awaitScripts()
    }
    peer.close()
  }
}
