package heddle.kotlin

import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.CountDownLatch
import java.util.concurrent.CyclicBarrier
import java.util.concurrent.atomic.AtomicInteger
import java.util.concurrent.atomic.AtomicIntegerArray
import kotlin.coroutines.CoroutineContext
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Runnable
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

@Timeout(60)
internal class ResumptionBatchTest {
  private val dispatched = ConcurrentLinkedQueue<Runnable>()
  private val batch = ResumptionBatch(dispatcher { dispatched.add(it) })

  @Test
  fun resumptionsThatWaitShareOneTask() {
    val resumed = AtomicInteger()
    repeat(9) { batch.add { resumed.incrementAndGet() } }
    assertEquals(0, resumed.get())
    assertEquals(1, dispatched.size)
    dispatched.remove().run()
    assertEquals(9, resumed.get())
    batch.add { resumed.incrementAndGet() }
    dispatched.remove().run()
    assertEquals(10, resumed.get())
  }

  @Test
  fun failureOfOneLeavesTheOthersToTheNextTask() {
    val resumed = AtomicInteger()
    batch.add { error("broken") }
    repeat(2) { batch.add { resumed.incrementAndGet() } }
    assertThrows(IllegalStateException::class.java) { dispatched.remove().run() }
    assertEquals(0, resumed.get())
    dispatched.remove().run()
    assertEquals(2, resumed.get())
  }

  /** Nothing waits for a task that never runs. */
  @Test
  fun resumptionsRunAtOnceIfTheDispatcherFails() {
    val resumed = AtomicInteger()
    val closed = ResumptionBatch(dispatcher { throw OutOfMemoryError("as if") })
    repeat(2) { number ->
      assertThrows(OutOfMemoryError::class.java) { closed.add { resumed.incrementAndGet() } }
      assertEquals(number + 1, resumed.get())
    }
  }

  @Test
  fun resumptionsOfManyThreadsRunOnceEach() {
    val runs = AtomicIntegerArray(20_000)
    val finished = CountDownLatch(runs.length())
    val busy = ResumptionBatch(Dispatchers.Default)
    repeat(runs.length()) { number ->
      Thread.startVirtualThread {
        busy.add {
          runs.incrementAndGet(number)
          finished.countDown()
        }
      }
    }
    finished.await()
    repeat(runs.length()) { number -> assertEquals(1, runs.get(number)) }
  }

  /** Both must have a thread of the dispatcher, at once. */
  @Test
  fun coroutinesThatWereResumedTogetherRunSideBySide() = runBlocking {
    val ready = CyclicBarrier(2)
    val running = CyclicBarrier(2)
    repeat(2) {
      launch(Dispatchers.Default) {
        interruptible { ready.await() }
        assertFalse(Thread.currentThread().isVirtual)
        running.await()
      }
    }
  }

  private fun dispatcher(dispatch: (Runnable) -> Unit) =
    object : CoroutineDispatcher() {
      override fun dispatch(context: CoroutineContext, block: Runnable) = dispatch(block)
    }
}
