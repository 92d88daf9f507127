package heddle.codec.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.codec.Role;
import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Http2Exception;
import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.Status;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Peers that send anything: a session never fails in another way than by an error of the
 * connection, and holds no more than its bounds. The seed is new for each run and stands in the
 * message of a failure: put it into {@link #seed} to see the failure again.
 */
class RandomPeerTest {
  private static final int ROUNDS = Integer.getInteger("heddle.random.rounds", 300);
  private static final Http2Limits LIMITS =
      Http2Limits.SERVER.toBuilder().maxStreams(8).build();

  private static long seed() {
    return System.nanoTime();
  }

  /** One session, its driver, and what the driver has to send. */
  private static final class Victim {
    private final Random random;
    private final Role role;
    private final Http2Session session;
    private final List<Http2Stream> streams = new ArrayList<>();
    private long now = 1;
    private boolean broken;
    private long held;

    Victim(Random random) {
      this.random = random;
      role = random.nextBoolean() ? Role.SERVER : Role.CLIENT;
      session = new Http2Session(role, LIMITS);
    }

    void receives(byte[] bytes) {
      for (int at = 0; at < bytes.length && !broken; ) {
        int end = Math.min(bytes.length, at + 1 + random.nextInt(60));
        ByteBuffer in = ByteBuffer.wrap(bytes, at, end - at);
        at = end;
        now += random.nextInt(1_000_000);
        try {
          for (Http2Event event; (event = session.next(in, now)) != null; ) {
            take(event);
          }
          assertEquals(0, in.remaining());
        } catch (Http2Exception e) {
          broken = true;
        }
        session.settle();
        poll();
        act();
        check();
      }
    }

    private void poll() {
      for (Http2Stream next; (next = session.pollRefused()) != null; ) {
        streams.remove(next);
      }
      for (Http2Stream next; (next = session.pollWritable()) != null; ) {
        send(next);
      }
    }

    private void take(Http2Event event) {
      switch (event) {
        case Http2Event.RequestHead head -> streams.add(head.stream());
        case Http2Event.Data data -> {
          held += data.flowControlled();
          if (random.nextInt(4) > 0) {
            session.consumed(data.stream(), data.flowControlled());
            session.connectionConsumed(data.flowControlled());
            held -= data.flowControlled();
          }
        }
        case Http2Event.Reset reset -> streams.remove(reset.stream());
        case Http2Event.StreamError error -> streams.remove(error.stream());
        default -> {}
      }
    }

    /** Does one thing that a driver may do at any time. */
    private void act() {
      if (role == Role.CLIENT && session.canOpenStream() && random.nextInt(3) == 0) {
        boolean whole = random.nextBoolean();
        streams.add(session.request(
            random.nextBoolean() ? Method.GET : Method.HEAD,
            "http",
            "a",
            "/",
            Headers.of("X", "" + random.nextInt(3)),
            whole,
            null));
      } else if (!streams.isEmpty()) {
        onStream(streams.get(random.nextInt(streams.size())));
      }
      switch (random.nextInt(200)) {
        case 0 -> session.goAway(ErrorCode.NO_ERROR, "");
        case 1 -> session.ping(now);
        case 2 -> {
          if (role == Role.SERVER) {
            session.drain();
          }
        }
        default -> {}
      }
      if (random.nextInt(3) == 0) {
        ByteBuffer[] out = session.takeOutput();
        poll();
        if (out != null) {
          session.recycle(out);
        }
      }
    }

    private void onStream(Http2Stream stream) {
      switch (random.nextInt(6)) {
        case 0 -> session.reset(stream, ErrorCode.CANCEL);
        case 1 -> {
          if (stream.headSent && stream.state() != StreamState.HALF_CLOSED_LOCAL) {
            session.trailers(stream, Headers.of("Sum", "7"));
          }
        }
        default -> send(stream);
      }
    }

    private void send(Http2Stream stream) {
      if (!stream.headSent && role == Role.SERVER) {
        session.response(stream, Status.OK, Headers.of("X", "y"), random.nextInt(4) == 0);
      } else if (stream.headSent && stream.state() != StreamState.HALF_CLOSED_LOCAL) {
        session.data(stream, ByteBuffer.allocate(random.nextInt(40_000)), random.nextInt(4) == 0);
      }
    }

    private void check() {
      int open = session.openStreams();
      assertTrue(open >= 0 && open <= 8, "open streams: " + open);
      List<Http2Stream> all = session.streams();
      assertEquals(open, all.size(), all::toString);
      assertTrue(held <= 2L * LIMITS.connectionWindow(LIMITS.maxStreamWindow()), "held " + held);
    }
  }

  @Test
  void noiseNeverBreaksASession() {
    long seed = seed();
    Random random = new Random(seed);
    for (int round = 0; round < 10 * ROUNDS; round++) {
      byte[] noise = new byte[random.nextInt(300)];
      random.nextBytes(noise);
      run(seed, random, random.nextBoolean() ? noise : Wire.join(greeting(), noise));
    }
  }

  @Test
  void framesInAnyOrderNeverBreakASession() {
    long seed = seed();
    Random random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      List<Wire> frames = new ArrayList<>();
      for (int i = random.nextInt(60); i >= 0; i--) {
        frames.add(frame(random));
      }
      byte[] bytes = Wire.all(frames).bytes();
      if (random.nextInt(4) == 0 && bytes.length > 0) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      run(seed, random, Wire.join(greeting(), bytes));
    }
  }

  private static byte[] greeting() {
    return Wire.join(Wire.settings().bytes(), Wire.settingsAck().bytes());
  }

  private static void run(long seed, Random random, byte[] input) {
    Victim victim = new Victim(random);
    try {
      if (victim.role == Role.SERVER) {
        victim.receives(Wire.preface().bytes());
      }
      victim.receives(input);
      if (!victim.broken) {
        victim.session.endOfInput();
      }
    } catch (Http2Exception e) {
      // The input ended in the middle of something.
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError("seed " + seed + ": " + Arrays.toString(input), e);
    }
  }

  private static Wire frame(Random random) {
    int id = 1 + random.nextInt(12);
    boolean odd = random.nextInt(8) > 0;
    int stream = odd ? id | 1 : id;
    ErrorCode code = ErrorCode.of(random.nextInt(14));
    return switch (random.nextInt(22)) {
      case 0, 1 -> Wire.request(stream);
      case 2, 3 -> Wire.upload(stream);
      case 4 -> Wire.headers(stream, Wire.ok("content-length", "3"));
      case 5 -> Wire.response(stream);
      case 6, 7, 8 -> Wire.data(stream, random.nextInt(2), new byte[random.nextInt(20_000)]);
      case 9 -> Wire.rst(stream, code);
      case 10 -> Wire.windowUpdate(random.nextBoolean() ? 0 : stream, random.nextInt(100_000));
      case 11 -> Wire.settings(3, random.nextInt(10), 4, random.nextInt(200_000));
      case 12 -> Wire.settings(1, random.nextInt(5_000), 5, 16_384 + random.nextInt(10_000));
      case 13 -> Wire.ping(random.nextInt());
      case 14 -> Wire.priority(stream, id);
      case 15 -> Wire.lastHeaders(stream, "sum", "7");
      case 16 -> Wire.headers(stream, random.nextInt(64), Wire.block(Wire.get()));
      case 17 -> Wire.continuation(stream, random.nextInt(8), Wire.block("x", "y"));
      case 18 -> Wire.headers(stream, Wire.END_HEADERS, Wire.indexed("x", "" + id));
      case 19 ->
        Wire.raw(random.nextInt(20), random.nextInt(256), stream, new byte[random.nextInt(12)]);
      case 20 -> Wire.headers(stream, ":status", "103");
      default -> random.nextInt(6) == 0 ? Wire.goAway(id, code) : Wire.pingAck(SharedState.DRAIN);
    };
  }
}
