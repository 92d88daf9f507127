package heddle.kotlin

import java.util.concurrent.CountDownLatch
import java.util.concurrent.CyclicBarrier
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.yield
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNotEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

@Timeout(60)
internal class VirtualThreadsTest {
  @Test
  fun coroutinesRunOnVirtualThreads() = runBlocking {
    withContext(Dispatchers.VirtualThreads) {
      val first = Thread.currentThread()
      assertTrue(first.isVirtual)
      assertTrue(first.name.startsWith("heddle-kotlin"), first.name)
      yield()
      assertTrue(Thread.currentThread().isVirtual)
      assertNotEquals(first, Thread.currentThread())
    }
  }

  /** More than Dispatchers.IO has threads: all of them must block at once to go on. */
  @Test
  fun manyCoroutinesMayBlockAtOnce() = runBlocking {
    val barrier = CyclicBarrier(1_000)
    repeat(1_000) { launch(Dispatchers.VirtualThreads) { barrier.await() } }
  }

  @Test
  fun cancellingInterruptsBlockingCode() = runBlocking {
    val blocked = CompletableDeferred<Unit>()
    val interrupted = CompletableDeferred<Boolean>()
    val job =
      launch(Dispatchers.Default) {
        interruptible {
          assertTrue(Thread.currentThread().isVirtual)
          blocked.complete(Unit)
          try {
            CountDownLatch(1).await()
          } catch (_: InterruptedException) {
            interrupted.complete(true)
          }
        }
      }
    blocked.await()
    job.cancelAndJoin()
    assertTrue(interrupted.await())
  }

  @Test
  fun outcomeOfBlockingCodeIsReturnedOrThrown() {
    assertEquals(7, runBlocking { interruptible { 7 } })
    assertNull(runBlocking { interruptible<String?> { null } })
    val failure =
      assertThrows(IllegalStateException::class.java) {
        runBlocking { interruptible { error("broken") } }
      }
    assertEquals("broken", failure.message)
  }
}
