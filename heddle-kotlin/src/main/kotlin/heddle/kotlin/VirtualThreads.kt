package heddle.kotlin

import java.util.concurrent.ThreadFactory
import kotlin.coroutines.ContinuationInterceptor
import kotlin.coroutines.CoroutineContext
import kotlinx.coroutines.CancellableContinuation
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Runnable
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.suspendCancellableCoroutine

private val THREADS: ThreadFactory =
  Thread.ofVirtual().name("heddle-kotlin").inheritInheritableThreadLocals(false).factory()

private object VirtualThreadDispatcher : CoroutineDispatcher() {
  override fun dispatch(context: CoroutineContext, block: Runnable) {
    THREADS.newThread(block).start()
  }

  override fun toString(): String = "Dispatchers.VirtualThreads"
}

/**
 * Runs coroutines on virtual threads: a new one for each time that a coroutine is started or
 * resumed. For blocking code, which holds up no other coroutine here, however much of it there is.
 * Its threads are not limited; [CoroutineDispatcher.limitedParallelism] makes a dispatcher that has
 * a limit. Never closed.
 *
 * Cancelling a coroutine does not interrupt code that blocks. [interruptible] does.
 *
 * Heddle's suspend functions run on the coroutine's thread here, instead of on another one, which
 * saves much of their cost; they can be cancelled as elsewhere. A coroutine that is started with
 * `CoroutineStart.UNDISPATCHED` shares the thread of its caller until it is first dispatched: so
 * the caller then waits for its calls.
 */
@Suppress("UnusedReceiverParameter") // It is found where the other dispatchers are.
public val Dispatchers.VirtualThreads: CoroutineDispatcher
  get() = VirtualThreadDispatcher

/**
 * Runs blocking code on a new virtual thread and suspends until it has ended. When the coroutine is
 * cancelled, the thread is interrupted, and this function throws without waiting for it: blocking
 * calls of Heddle then abort what they do, and close what they hold.
 *
 * ```
 * val report = interruptible { client.get(url).string() }
 * ```
 *
 * @param block must not return what has to be closed: when it returns as the coroutine is
 *   cancelled, its result is dropped
 * @throws kotlinx.coroutines.CancellationException if the coroutine is cancelled
 * @throws Throwable what [block] throws
 */
public suspend fun <T> interruptible(block: () -> T): T = interruptible(null, block)

/** As [interruptible], for a result that has to be closed if the coroutine does not take it. */
internal suspend fun <T> interruptible(undelivered: ((T) -> Unit)?, block: () -> T): T =
  suspendCancellableCoroutine { caller ->
    if (caller.isActive) {
      val thread = THREADS.newThread(BlockingTask(caller, block, undelivered))
      thread.start() // Before it could be interrupted, which has no effect on a new thread.
      caller.invokeOnCancellation { thread.interrupt() }
    }
  }

/**
 * Runs blocking code on a virtual thread and suspends until it has ended. A coroutine on
 * [Dispatchers.VirtualThreads] has one already, for itself, which blocks instead.
 *
 * @param abort ends the code early; called at most once, by any thread, when the coroutine is
 *   cancelled, also before it could take the result; must not wait
 */
internal suspend fun <T> onVirtualThread(abort: () -> Unit, block: () -> T): T {
  val dispatcher = currentCoroutineContext()[ContinuationInterceptor]
  val hasThread = dispatcher === VirtualThreadDispatcher && Thread.currentThread().isVirtual
  return suspendCancellableCoroutine { caller ->
    caller.invokeOnCancellation { abort() }
    val task = BlockingTask(caller, block, undelivered = null)
    if (hasThread) {
      task.run()
    } else {
      THREADS.newThread(task).start()
    }
  }
}

private val DEFAULT_RESUMPTIONS = ResumptionBatch(Dispatchers.Default)

/** Resumes a coroutine with the outcome of blocking code. */
private class BlockingTask<T>(
  private val caller: CancellableContinuation<T>,
  private val block: () -> T,
  private val undelivered: ((T) -> Unit)?,
) : Runnable {
  override fun run() {
    val outcome = runCatching(block)
    if (caller.context[ContinuationInterceptor] === Dispatchers.Default) {
      DEFAULT_RESUMPTIONS.add { resume(outcome) }
    } else {
      resume(outcome)
    }
  }

  private fun resume(outcome: Result<T>) {
    val failure = outcome.exceptionOrNull()
    if (failure != null) {
      caller.resumeWith(outcome)
      return
    }
    @Suppress("UNCHECKED_CAST") // Null only where T is nullable.
    caller.resume(outcome.getOrNull() as T) { _, value, _ -> undelivered?.invoke(value) }
  }
}

/** Runs a task that no one waits for, such as closing what a cancelled coroutine has left. */
internal fun detached(task: () -> Unit) {
  THREADS.newThread(task).start()
}
