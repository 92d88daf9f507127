package heddle.testkit;

import static heddle.testkit.TlsWorld.HOST;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.transport.Channel;
import heddle.transport.TlsHandshakeException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.FutureTask;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Handshakes that are to cost the other side memory or time. */
@Timeout(60)
class TlsFloodTest {
  private static final byte CLIENT_HELLO = 1;
  private static final byte SERVER_HELLO = 2;
  private static final int LARGEST_RECORD = 16 * 1024;

  private final TlsWorld world = new TlsWorld(SimNetwork.create());

  @AfterEach
  void close() {
    world.close();
  }

  private static ByteBuffer handshakeRecord(int length) {
    return ByteBuffer.allocate(5 + length)
        .put((byte) 22)
        .putShort((short) 0x303)
        .putShort((short) length);
  }

  /** The first record of a message that is announced as 16 MiB. */
  private static ByteBuffer begun(byte type) {
    ByteBuffer begun = handshakeRecord(LARGEST_RECORD).put(type).put((byte) 0xFF);
    begun.putShort((short) 0xFFFF).rewind();
    return begun;
  }

  private static ByteBuffer continued() {
    return handshakeRecord(LARGEST_RECORD).rewind();
  }

  /** Sends a message of 16 MiB; answers how much of it was taken before the channel closed. */
  private long sendGiant(Channel channel, byte type) {
    long sent = 0;
    try {
      channel.write(begun(type), world.soon());
      while (sent < 16 << 20) {
        sent += LARGEST_RECORD;
        channel.write(continued(), world.soon());
      }
    } catch (IOException e) {
      // It is closed, as it should be.
      return sent;
    }
    return sent;
  }

  @Test
  void messageThatIsAnnouncedAs16MebibytesIsRefusedWithItsFirstRecord() throws Exception {
    Channel channel = world.connectPlain();
    channel.start(new RecordingListener());
    channel.write(begun(CLIENT_HELLO), world.soon());
    assertInstanceOf(TlsHandshakeException.class, world.serverFailure());
  }

  @Test
  void clientHelloOf16MebibytesIsNotTaken() throws Exception {
    Channel channel = world.connectPlain();
    channel.start(new RecordingListener());
    FutureTask<Long> sent = new FutureTask<>(() -> sendGiant(channel, CLIENT_HELLO));
    Thread.ofVirtual().start(sent);
    assertInstanceOf(TlsHandshakeException.class, world.serverFailure());
    assertTrue(sent.get() < 16 << 20, sent::toString);
  }

  @Test
  void giantMessageOfAServerIsRefused() throws Exception {
    world.server = null;
    FutureTask<TlsHandshakeException> refusal =
        new FutureTask<>(() -> assertThrows(TlsHandshakeException.class, world::connect));
    Thread.ofVirtual().start(refusal);
    Channel server = world.acceptedPlain();
    server.start(new RecordingListener());
    FutureTask<Long> sent = new FutureTask<>(() -> sendGiant(server, SERVER_HELLO));
    Thread.ofVirtual().start(sent);
    refusal.get();
    assertTrue(sent.get() < 16 << 20, sent::toString);
  }

  @Test
  void endlessRecordsThatSayNothingEndTheHandshake() throws Exception {
    Channel channel = world.connectPlain();
    channel.start(new RecordingListener());
    channel.write(clientHello(), world.soon());
    FutureTask<Void> flood = new FutureTask<>(() -> {
      // RFC 8446 §5: it has no meaning, and is dropped.
      ByteBuffer some = ByteBuffer.allocate(6 * 1_000);
      while (some.hasRemaining()) {
        some.put((byte) 20).putShort((short) 0x303).putShort((short) 1).put((byte) 1);
      }
      for (int i = 0; i < 1_000; i++) {
        channel.write(some.rewind(), world.soon());
      }
      return null;
    });
    Thread.ofVirtual().start(flood);
    world.serverFailure();
  }

  private static ByteBuffer clientHello() throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, null, null);
    SSLEngine engine = context.createSSLEngine(HOST, 443);
    engine.setUseClientMode(true);
    engine.beginHandshake();
    ByteBuffer hello = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
    engine.wrap(ByteBuffer.allocate(0), hello);
    return hello.flip();
  }
}
