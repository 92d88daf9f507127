package heddle.kotlin

import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.atomic.AtomicInteger
import kotlin.coroutines.EmptyCoroutineContext
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.Runnable

/**
 * Resumes coroutines on [dispatcher], together where several are ready at once: handing work to
 * another pool's threads costs as much as a good part of a small call.
 *
 * The first virtual thread that has a coroutine to resume lets the others run that are ready to.
 * Then all that have come meanwhile are passed on as one task. Each coroutine is still dispatched
 * by itself, so that those that compute share the dispatcher's threads.
 */
internal class ResumptionBatch(private val dispatcher: CoroutineDispatcher) {
  private val waiting = ConcurrentLinkedQueue<Runnable>()

  /** Resumptions that are in [waiting] or just run. Who raises it from 0 dispatches the batch. */
  private val outstanding = AtomicInteger()

  private val batch = Runnable(::resumeWaiting)

  /**
   * Runs [resumption] on [dispatcher], exactly once; on the calling thread if [dispatcher] fails.
   *
   * @param resumption must only resume a coroutine of [dispatcher]; what it throws goes to the
   *   thread that runs it, and does not keep the others from being run
   */
  fun add(resumption: Runnable) {
    waiting.add(resumption)
    if (outstanding.getAndIncrement() == 0) {
      Thread.yield()
      dispatch()
    }
  }

  private fun resumeWaiting() {
    var done = 0
    try {
      while (true) {
        val next = waiting.poll() ?: break
        done++
        next.run()
      }
    } finally {
      if (outstanding.addAndGet(-done) > 0) {
        dispatch()
      }
    }
  }

  private fun dispatch() {
    try {
      dispatcher.dispatch(EmptyCoroutineContext, batch)
    } catch (failure: Throwable) {
      resumeWaiting() // Nothing else would resume them.
      throw failure
    }
  }
}
