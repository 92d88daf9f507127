package heddle.transport.tcp;

import heddle.http.io.FileInput;
import heddle.transport.Channel;
import heddle.transport.ChannelListener;
import heddle.transport.DeadlinePassedException;
import heddle.transport.EventLoop;
import heddle.transport.Waiting;
import heddle.transport.WriteProgress;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * A TCP connection. Its loop reads it and changes its selection key; writers write to the socket
 * themselves and ask the loop for help only when it takes no more.
 */
final class TcpChannel extends ReadyHandler implements Channel, WriteProgress {
  private static final int READS_PER_PASS = 4; // Full buffers; then other channels get their turn.
  private static final int MEASURED_BYTES = 4 * 1024; // Handling less takes too little time.

  /**
   * A listener that takes longer than this for one read gets less next time, because other channels
   * wait meanwhile: content in pieces of one byte takes a hundred times as long as plain content.
   */
  private static final long LONG_READ_NANOS = 1_000_000;

  private static final int MIN_READ_BYTES = 8 * 1024;

  /**
   * Larger heap buffers are written in steps of this size, because the JDK copies each whole to a
   * direct one that it keeps for the thread. Both half and twice as much cost more for each byte.
   */
  private static final int HEAP_WRITE_BYTES = 144 * 1024;

  /** The most that one gathering write takes: larger ones cost more for each byte. */
  private static final int GATHERED_BYTES = 72 * 1024;

  /**
   * What a virtual thread may write before other threads have had its carrier: a socket takes some
   * megabytes before a write waits, so writers of large responses would keep every carrier for
   * seconds. A turn also ends after {@link #TURN_TICKS}: a writer that takes longer has waited.
   */
  private static final int BYTES_PER_TURN = 256 * 1024;

  /** The least that a write counts as: the system call costs this much, even for one byte. */
  private static final int LEAST_COUNTED_BYTES = 1024;

  private static final int TURN_TICKS = 10;

  /**
   * A tick is 2^20 ns, a little more than a millisecond. Counting ticks in an int keeps an idle
   * channel 8 bytes smaller than nanoseconds in a long would.
   */
  private static final int TICK_SHIFT = 20;

  /** Every fourth turn at the latest goes through the loop, even if it has no news. */
  private static final int MOST_TURNS = 4;

  /** Not a VarHandle, whose first use needs memory. */
  private static final AtomicIntegerFieldUpdater<TcpChannel> CLOSED =
      AtomicIntegerFieldUpdater.newUpdater(TcpChannel.class, "closed");

  private final SelectorLoop loop;
  private final SocketChannel socket;

  /** 0 or 1. */
  private volatile int closed;

  // The loop's own. A key is lost if the selector may keep one that the socket does not know; fewer
  // bytes are read at once while handling a full buffer takes too long.
  private @Nullable SelectionKey key;
  private @Nullable ChannelListener listener;
  private boolean readingPaused;
  private boolean ended;
  private boolean finished;
  private boolean keyLost;
  private int readBytes = Integer.MAX_VALUE;

  /** What broke the channel, or why it did not connect; written before it is seen. */
  private volatile @Nullable IOException cause;

  /** Set by the loop when the connection attempt is over, the failure first. */
  private volatile boolean connectDone;

  /** Null on a channel that was accepted, which asks its socket. */
  private volatile @Nullable Ends ends;

  /** The thread that waits in connect or write, if any: one at a time. */
  private volatile @Nullable Thread waiter;

  // The writer's own: what was written in all, how long it has waited, if ever, what was written in
  // this turn, when that began, and how many followed one another.
  private long written;
  private @Nullable Stalls stalls;
  private int turnBytes;
  private int turnSince;
  private byte turns;

  /** {@link SelectorLoop#news} at the last turn that went through the loop; -1 before the first. */
  private int turnNews = -1;

  // Cleared by the writer before it asks: set by the loop when the socket takes more, and by the
  // thread that runs between two turns.
  private volatile boolean writable;
  private volatile boolean turnBegun;

  /** Both addresses, which outlive the socket; that of this end is known once it has connected. */
  private record Ends(@Nullable SocketAddress from, SocketAddress to) {}

  TcpChannel(SelectorLoop loop, SocketChannel socket) {
    this.loop = loop;
    this.socket = socket;
  }

  /** Sets the addresses of an accepted Unix domain socket, whose adaptor does not know them. */
  void accepted(SocketAddress local) throws IOException {
    ends = new Ends(local, socket.getRemoteAddress());
  }

  /** Connects; parks the calling thread until that has succeeded or failed. */
  void connect(SocketAddress address, Deadline deadline) throws IOException {
    ends = new Ends(null, address);
    // To a near peer the handshake is often over when the first call returns: asking once more
    // costs less than parking, and far less memory than a stack parked this deep.
    if (socket.connect(address) || socket.finishConnect()) {
      ends = new Ends(socket.getLocalAddress(), address);
      return;
    }
    waiter = Thread.currentThread();
    loop.execute(() -> setInterest(SelectionKey.OP_CONNECT, true));
    Waiting.until(() -> connectDone || isClosed(), loop, deadline, "connecting to " + address);
    waiter = null;
    if (!connectDone) {
      throw new ClosedChannelException();
    }
    IOException failure = cause;
    if (failure != null) {
      throw failure;
    }
    ends = new Ends(socket.getLocalAddress(), address);
  }

  @Override
  public void start(ChannelListener newListener) {
    loop.execute(() -> {
      listener = newListener;
      if (isClosed()) {
        newListener.onClosed(cause);
      } else {
        setInterest(SelectionKey.OP_READ, !readingPaused);
      }
    });
  }

  @Override
  public void write(ByteBuffer buffer, Deadline deadline) throws IOException {
    checkOpen();
    int most = buffer.isDirect() ? Integer.MAX_VALUE : HEAP_WRITE_BYTES;
    int limit = buffer.limit();
    while (true) {
      awaitTurn(deadline);
      int step = Math.min(limit - buffer.position(), most);
      int written = socket.write(buffer.limit(buffer.position() + step));
      buffer.limit(limit);
      took(written);
      if (!buffer.hasRemaining()) {
        return;
      }
      if (written < step) {
        awaitWritable(deadline);
      }
    }
  }

  /** The socket itself is closed a little later, on the loop. */
  private void checkOpen() throws ClosedChannelException {
    if (isClosed()) {
      throw new ClosedChannelException();
    }
  }

  @Override
  public void write(ByteBuffer[] buffers, Deadline deadline) throws IOException {
    if (buffers.length == 1) {
      write(buffers[0], deadline);
      return;
    }
    checkOpen();
    int first = 0;
    while (first < buffers.length) {
      ByteBuffer buffer = buffers[first];
      if (!buffer.hasRemaining()) {
        first++;
      } else if (buffer.remaining() > GATHERED_BYTES) {
        write(buffer, deadline);
      } else {
        awaitTurn(deadline);
        int written = (int) socket.write(buffers, first, gatherable(buffers, first));
        took(written);
        if (written == 0) {
          awaitWritable(deadline);
        }
      }
    }
  }

  @Override
  public boolean sendsFiles() {
    return true;
  }

  @Override
  public void write(FileInput file, Deadline deadline) throws IOException {
    checkOpen();
    while (file.remaining() > 0) {
      awaitTurn(deadline);
      long sent = file.sendTo(socket, BYTES_PER_TURN);
      if (sent < 0) {
        return;
      }
      took((int) sent);
      if (sent == 0) {
        awaitWritable(deadline);
      }
    }
  }

  private void took(int bytes) {
    turnBytes += Math.max(bytes, LEAST_COUNTED_BYTES);
    written += bytes;
    loop.countWritten(bytes);
    if (bytes > 0 && stalls != null) {
      stalls.silentNanos = 0;
    }
  }

  /** How many buffers from the first one on go into one gathering write. */
  private static int gatherable(ByteBuffer[] buffers, int first) {
    int bytes = 0;
    int last = first;
    while (last < buffers.length && bytes + buffers[last].remaining() <= GATHERED_BYTES) {
      bytes += buffers[last].remaining();
      last++;
    }
    return last - first;
  }

  /**
   * At the end of a turn, waits until a thread has run that the loop starts: those that the loop
   * started or woke before get a carrier earlier. {@link Thread#yield} would not do, because the
   * thread is resumed before those that a platform thread, such as the loop, has made ready; nor
   * would waiting for the loop itself, which may answer before the writer has parked. While the
   * loop has no news, there is no such thread to wait for, and a yield is enough.
   */
  @SuppressWarnings("ThreadPriorityCheck") // A matter of fairness: nothing relies on it.
  private void awaitTurn(Deadline deadline) throws IOException {
    int now = (int) (loop.clock().nanoTime() >> TICK_SHIFT);
    if (now - turnSince > TURN_TICKS) {
      turnSince = now;
      turnBytes = 0;
    }
    if (turnBytes < BYTES_PER_TURN) {
      return;
    }
    turnBytes = 0;
    Thread writer = Thread.currentThread();
    if (!writer.isVirtual() || writer.isInterrupted() || deadline.isPast(loop.clock())) {
      return;
    }
    if (loop.news() == turnNews && ++turns < MOST_TURNS) {
      Thread.yield();
      return;
    }
    turnBegun = false;
    waiter = writer;
    loop.execute(this::letOthersRun);
    Waiting.until(() -> turnBegun || isClosed(), loop, deadline, "waiting for a turn to write");
    waiter = null;
    turns = 0;
    checkOpen();
  }

  private void letOthersRun() {
    turnNews = loop.news();
    try {
      Thread.ofVirtual().name("heddle-turn").start(this::beginTurn);
    } catch (RuntimeException | Error e) {
      beginTurn();
      throw e;
    }
  }

  private void beginTurn() {
    turnBegun = true;
    wakeWaiter();
  }

  @Override
  public WriteProgress writeProgress() {
    return this;
  }

  @Override
  public long bytes() {
    return written;
  }

  @Override
  public long stalledNanos() {
    return stalls == null ? 0 : stalls.nanos;
  }

  @Override
  public long silentNanos() {
    return stalls == null ? 0 : stalls.silentNanos;
  }

  @Override
  public void restart() {
    written = 0;
    stalls = null;
  }

  private void waited(long nanos) {
    if (stalls == null) {
      stalls = new Stalls();
    }
    stalls.nanos += nanos;
    stalls.silentNanos += nanos;
  }

  /**
   * Waits until the socket takes more or the deadline passes; throws only if it has passed before.
   * A socket is writable once a third of its buffer is free, so it may well take some bytes after
   * the deadline: then the peer has read, if slowly.
   */
  private void awaitWritable(Deadline deadline) throws IOException {
    long since = loop.clock().nanoTime();
    // No thread will wait, so the loop need not watch for room.
    if (since >= deadline.nanos()) {
      throw new DeadlinePassedException("the peer takes no more at once");
    }
    writable = false;
    waiter = Thread.currentThread();
    loop.execute(() -> setInterest(SelectionKey.OP_WRITE, true));
    try {
      Waiting.until(() -> writable || isClosed(), loop, deadline, "waiting for the peer to read");
    } catch (DeadlinePassedException e) {
      // The caller tries once more, and the next call throws.
    } finally {
      waited(loop.clock().nanoTime() - since);
    }
    waiter = null;
    turnBytes = 0;
    checkOpen();
  }

  @Override
  void onReady(int readyOps) {
    if ((readyOps & SelectionKey.OP_CONNECT) != 0) {
      finishConnect();
    }
    if ((readyOps & SelectionKey.OP_WRITE) != 0) {
      setInterest(SelectionKey.OP_WRITE, false);
      writable = true;
      wakeWaiter();
    }
    if ((readyOps & SelectionKey.OP_READ) != 0) {
      readAll();
    }
  }

  private void finishConnect() {
    setInterest(SelectionKey.OP_CONNECT, false);
    try {
      socket.finishConnect();
    } catch (IOException e) {
      cause = e;
    }
    connectDone = true;
    wakeWaiter();
  }

  private void readAll() {
    for (int reads = 0; reads < READS_PER_PASS; reads++) {
      if (readingPaused || ended || isClosed() || !readOnce()) {
        return;
      }
    }
  }

  /** Reads once and tells the listener; answers whether to read more in this pass. */
  private boolean readOnce() {
    ChannelListener receiver = listener;
    if (receiver == null) {
      return false;
    }
    ByteBuffer buffer = loop.directBuffer();
    try {
      int most = Math.min(Math.min(readBytes, receiver.readLimit()), buffer.capacity());
      int count = socket.read(buffer.limit(most));
      if (count >= MEASURED_BYTES) {
        return readMuch(receiver, buffer, count) && count == most;
      }
      if (count > 0) {
        hand(receiver, buffer, count);
      } else if (count < 0) {
        ended = true;
        setInterest(SelectionKey.OP_READ, false);
        receiver.onEnd();
      }
    } catch (IOException e) {
      closeBecauseOf(e);
    } catch (RuntimeException | Error e) {
      onFailure(e);
    }
    return false;
  }

  private void hand(ChannelListener receiver, ByteBuffer buffer, int count) {
    loop.countRead(count);
    receiver.onBytes(count <= receiver.contentAhead() ? buffer.flip() : loop.readBytes());
  }

  /** Answers whether the listener was fast, so that it may have more in this pass. */
  private boolean readMuch(ChannelListener receiver, ByteBuffer buffer, int count) {
    long before = loop.clock().nanoTime();
    hand(receiver, buffer, count);
    boolean fast = loop.clock().nanoTime() - before < LONG_READ_NANOS;
    if (!fast) {
      readBytes = Math.max(MIN_READ_BYTES, count / 4);
      loop.handOverSoon();
    } else if (count >= readBytes) {
      readBytes = 2 * readBytes >= buffer.capacity() ? Integer.MAX_VALUE : 2 * readBytes;
    }
    return fast;
  }

  @Override
  void onFailure(Throwable failure) {
    IOException why;
    try {
      why = new IOException("the channel's listener or selection key failed", failure);
    } catch (OutOfMemoryError e) {
      why = loop.lost();
    }
    closeBecauseOf(why);
  }

  @Override
  public void pauseReading() {
    setReading(true);
  }

  @Override
  public void resumeReading() {
    setReading(false);
  }

  private void setReading(boolean paused) {
    if (!loop.inLoop()) {
      loop.execute(() -> setReading(paused));
    } else if (readingPaused != paused) {
      readingPaused = paused;
      setInterest(SelectionKey.OP_READ, !paused && !ended && listener != null);
    }
  }

  @Override
  public void shutdownOutput() {
    try {
      socket.shutdownOutput();
    } catch (ClosedChannelException e) {
      return; // Closed already, by us or because the peer reset it: no output is left to end.
    } catch (IOException e) {
      closeBecauseOf(e);
    }
  }

  @Override
  public void close() {
    closeBecauseOf(null);
  }

  @Override
  public void abort() {
    try {
      // A socket that is closed without lingering says so with a reset.
      if (socket.supportedOptions().contains(StandardSocketOptions.SO_LINGER)) {
        socket.setOption(StandardSocketOptions.SO_LINGER, 0); // A Unix domain socket has none.
      }
    } catch (IOException e) {
      // It is closed already.
    }
    close();
  }

  private void closeBecauseOf(@Nullable IOException reason) {
    if (isClosed()) {
      return;
    }
    cause = reason;
    if (CLOSED.compareAndSet(this, 0, 1)) {
      try {
        wakeWaiter();
      } finally {
        finishCloseSoon();
      }
    }
  }

  private void finishCloseSoon() {
    try {
      loop.execute(this::finishClose);
    } catch (Error e) {
      // No memory or stack for the task: redoLostWork does it.
      loop.workLost();
    }
  }

  private void finishClose() {
    if (finished) {
      return;
    }
    if (keyLost) {
      dropLostKey();
    }
    finished = true;
    loop.forget(this);
    ChannelListener receiver = listener;
    try {
      closeSocket();
    } catch (IOException e) {
      if (cause == null) {
        cause = e;
      }
    } finally {
      if (receiver != null) {
        receiver.onClosed(cause);
      }
    }
  }

  /**
   * A selector without memory can fail after it has made a key and before the socket knows it. That
   * key has to go before the socket closes: otherwise it stays, and gets the events of the next
   * socket with this one's descriptor. Fails if there is still no memory.
   */
  private void dropLostKey() {
    Selector selector = loop.selector();
    if (selector.isOpen()) {
      try {
        // A key cannot be taken from a socket that never had one: now it has.
        socket.register(selector, 0, this);
      } catch (ClosedChannelException e) {
        throw new IllegalStateException("closed before its keys were dropped: " + socket, e);
      }
      for (SelectionKey each : selector.keys()) {
        if (each.attachment() == this) {
          each.cancel();
        }
      }
    }
    keyLost = false;
  }

  private void closeSocket() throws IOException {
    try {
      SelectionKey registered = key;
      if (registered != null) {
        registered.cancel();
      }
    } finally {
      socket.close();
    }
  }

  /** A writer that waits for its turn or for room is woken, and looks again. */
  @Override
  void redoLostWork() {
    if (isClosed()) {
      finishClose();
      return;
    }
    if (listener != null) {
      setInterest(SelectionKey.OP_READ, !readingPaused && !ended);
    }
    if (waiter != null) {
      beginTurn();
      setInterest(
          socket.isConnectionPending() ? SelectionKey.OP_CONNECT : SelectionKey.OP_WRITE, true);
    }
    SelectionKey registered = key;
    if (registered != null && registered.isValid()) {
      SelectorLoop.renewInterest(registered);
    }
  }

  /** A socket that is not registered yet loses nothing. */
  @Override
  void onLoopLost(IOException why) {
    if (key != null) {
      closeBecauseOf(why);
    }
  }

  @Override
  void onLoopEnd() {
    close();
  }

  private void wakeWaiter() {
    Thread thread = waiter;
    if (thread != null) {
      loop.unpark(thread);
    }
  }

  /** On the loop: adds or removes an operation; registers the socket when it is not yet. */
  private void setInterest(int op, boolean interested) {
    if (isClosed()) {
      return;
    }
    try {
      SelectionKey registered = key;
      if (registered == null) {
        key = socket.register(loop.selector(), interested ? op : 0, this);
      } else if (interested) {
        registered.interestOpsOr(op);
      } else {
        registered.interestOpsAnd(~op);
      }
    } catch (IOException e) {
      closeBecauseOf(e);
    } catch (RuntimeException | Error e) {
      keyLost = key == null;
      onFailure(e);
    }
  }

  private boolean isClosed() {
    return closed != 0;
  }

  @Override
  public boolean isOpen() {
    return !isClosed();
  }

  @Override
  public SocketAddress localAddress() {
    Ends known = ends;
    SocketAddress from = known == null ? null : known.from();
    return connected(from != null ? from : socket.socket().getLocalSocketAddress());
  }

  @Override
  public SocketAddress remoteAddress() {
    Ends known = ends;
    return connected(known != null ? known.to() : socket.socket().getRemoteSocketAddress());
  }

  private static SocketAddress connected(@Nullable SocketAddress address) {
    if (address == null) {
      throw new IllegalStateException("the channel is not connected");
    }
    return address;
  }

  @Override
  public EventLoop loop() {
    return loop;
  }

  @Override
  public String toString() {
    return "TcpChannel[" + socket + "]";
  }
}
