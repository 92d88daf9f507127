package heddle.codec.http2;

import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.codec.Role;
import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.Status;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Large answers on many streams, written by threads of which only one runs at a time, as virtual
 * threads do on one carrier: whom the running thread wakes comes before all whom the loop has
 * woken, for as long as there is one. A stream may then hold its turn for long, and the others have
 * to get on with what is left of the room, in pieces that are worth it.
 */
class OneCarrierTest {
  private static final int ANSWERS = 97;
  private static final int AT_ONCE = 32;
  private static final int ANSWER_BYTES = 1 << 20;

  /** Of an odd size, so that windows are no multiples of a frame from then on. */
  private static final int FIRST_ANSWER_BYTES = 100_007;

  private static final int SLICE_BYTES = 256 * 1_024;
  private static final int MOST_TURNS = ANSWERS * 2 * (ANSWER_BYTES / 32_768);

  /** The thread that writes one answer. */
  private static final class Writer {
    final Http2Stream stream;
    final ByteBuffer content;
    boolean begun;
    boolean toldToCome;
    boolean parked;

    Writer(Http2Stream stream, int bytes) {
      this.stream = stream;
      this.content = ByteBuffer.allocate(bytes);
    }

    boolean isDone() {
      return begun && !content.hasRemaining();
    }
  }

  private final Http2Session client = new Http2Session(Role.CLIENT, Http2Limits.CLIENT);
  private final Http2Session server = new Http2Session(Role.SERVER, Http2Limits.SERVER);
  private final Map<Http2Stream, Writer> writers = new HashMap<>();
  private final Queue<Writer> local = new ArrayDeque<>();
  private final Queue<Writer> external = new ArrayDeque<>();
  private final Queue<ByteBuffer> onTheWay = new ArrayDeque<>();
  private final Queue<Http2Event.Data> unread = new ArrayDeque<>();

  /** Who writes to the socket, and lets the others queue first. */
  private @Nullable Writer flushing;

  private int begun;
  private int ended;
  private int turns;
  private long now = 1;

  /** A seed decides how often the loop runs, and how much it takes up each time. */
  static LongStream seeds() {
    return LongStream.rangeClosed(1, 10);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void answersArePassedOnInTurnsThatAreWorthIt(long seed) throws Exception {
    Random random = new Random(seed);
    double loopRuns = 0.02 + random.nextDouble() * 0.5;
    int atOnce = 1 + random.nextInt(30);
    for (int greeting = 0; greeting < 2; greeting++) {
      clientReads(Integer.MAX_VALUE);
      serverReads();
    }
    while (ended < ANSWERS) {
      if (local.isEmpty() && external.isEmpty() || random.nextDouble() < loopRuns) {
        loopRuns(1 + random.nextInt(atOnce), 1 + random.nextInt(atOnce));
      }
      Writer next = local.isEmpty() ? external.poll() : local.poll();
      if (next != null) {
        run(next);
      }
      assertTrue(turns < MOST_TURNS, () -> ended + " answers took " + turns + " turns");
    }
  }

  // ---- the peer and the loop

  private void loopRuns(int pieces, int frames) throws Exception {
    now += 20_000;
    while (begun < ANSWERS && begun - ended < AT_ONCE) {
      client.request(Method.GET, "http", "a", "/", Headers.empty(), true, null);
      begun++;
    }
    clientReads(pieces);
    for (int i = 0; i < frames && !unread.isEmpty(); i++) {
      Http2Event.Data data = unread.remove();
      client.consumed(data.stream(), data.flowControlled());
    }
    serverReads();
  }

  private void clientReads(int pieces) throws Exception {
    for (int i = 0; i < pieces && !onTheWay.isEmpty(); i++) {
      ByteBuffer piece = onTheWay.remove();
      for (Http2Event e = client.next(piece, now); e != null; e = client.next(piece, now)) {
        if (e instanceof Http2Event.Data data) {
          unread.add(data);
          client.connectionConsumed(data.flowControlled());
        }
      }
    }
    client.settle();
  }

  private void serverReads() throws Exception {
    ByteBuffer[] output = client.takeOutput();
    for (ByteBuffer each : output == null ? new ByteBuffer[0] : output) {
      ByteBuffer piece = copy(each);
      for (Http2Event e = server.next(piece, now); e != null; e = server.next(piece, now)) {
        if (e instanceof Http2Event.RequestHead head) {
          int bytes = writers.isEmpty() ? FIRST_ANSWER_BYTES : ANSWER_BYTES;
          Writer writer = new Writer(head.stream(), bytes);
          writers.put(head.stream(), writer);
          external.add(writer);
        }
      }
    }
    if (output != null) {
      client.recycle(output);
    }
    server.settle();
    wake(external);
    if (writers.isEmpty()) {
      write();
    }
  }

  private static ByteBuffer copy(ByteBuffer bytes) {
    return ByteBuffer.allocate(bytes.remaining()).put(bytes.duplicate()).flip();
  }

  private void wake(Queue<Writer> queue) {
    for (Http2Stream s = server.pollWritable(); s != null; s = server.pollWritable()) {
      Writer writer = writers.get(s);
      writer.toldToCome = true;
      if (writer.parked) {
        writer.parked = false;
        queue.add(writer);
      }
    }
  }

  // ---- the threads that answer

  private void run(Writer writer) {
    if (writer == flushing) {
      write();
      flushing = null;
      if (writer.isDone() || park(writer)) {
        return;
      }
    }
    boolean blocked = queue(writer);
    ended += writer.isDone() ? 1 : 0;
    if ((blocked || writer.isDone()) && flushing == null) {
      flushing = writer;
      local.add(writer);
    } else if (!writer.isDone() && !park(writer)) {
      local.add(writer);
    }
  }

  /** False when there is no reason to. */
  private static boolean park(Writer writer) {
    writer.parked = !writer.toldToCome;
    return writer.parked;
  }

  /** Queues what there is room for; whether that was not enough. */
  private boolean queue(Writer writer) {
    if (!writer.begun) {
      writer.begun = true;
      server.response(writer.stream, Status.OK, Headers.empty(), false);
    }
    ByteBuffer content = writer.content;
    while (content.hasRemaining()) {
      writer.toldToCome = false;
      ByteBuffer slice = content.duplicate();
      slice.limit(Math.min(content.limit(), (content.position() / SLICE_BYTES + 1) * SLICE_BYTES));
      boolean last = slice.limit() == content.limit();
      int taken = server.data(writer.stream, slice, last);
      content.position(slice.position());
      turns += taken > 0 ? 1 : 0;
      if (slice.hasRemaining()) {
        writer.toldToCome |= taken > 0;
        return true;
      }
    }
    return false;
  }

  private void write() {
    for (ByteBuffer[] out = server.takeOutput(); out != null; out = server.takeOutput()) {
      wake(local);
      for (ByteBuffer each : out) {
        onTheWay.add(copy(each));
      }
      server.recycle(out);
    }
    wake(local);
  }
}
