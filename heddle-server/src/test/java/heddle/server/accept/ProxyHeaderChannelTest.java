package heddle.server.accept;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testkit.ManualChannel;
import heddle.transport.ChannelListener;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What is above a channel from a proxy hears and sees of it. */
class ProxyHeaderChannelTest {
  private final ManualChannel raw = new ManualChannel(buffers -> {});
  private final AtomicInteger faults = new AtomicInteger();
  private final ProxyHeaderChannel channel = new ProxyHeaderChannel(raw, faults::incrementAndGet);
  private final StringBuilder heard = new StringBuilder();

  private final ChannelListener listener = new ChannelListener() {
    @Override
    public long contentAhead() {
      return 99;
    }

    @Override
    public int readLimit() {
      return 7;
    }

    @Override
    public void onBytes(ByteBuffer bytes) {
      heard.append(ISO_8859_1.decode(bytes)).append('|');
    }

    @Override
    public void onEnd() {
      heard.append("end|");
    }

    @Override
    public void onClosed(IOException cause) {
      heard.append("closed|");
    }
  };

  private void bring(String text) {
    raw.bring(text.getBytes(ISO_8859_1));
  }

  @Test
  void addressesOfTheHeaderReplaceThoseOfTheConnection() {
    channel.start(listener);
    assertEquals(raw.remoteAddress(), channel.remoteAddress());
    assertEquals(raw.localAddress(), channel.localAddress());
    bring("PROXY TCP4 192.0.2.1 192.0.2.2 1 2");
    assertEquals(0, channel.contentAhead());
    assertEquals(7, channel.readLimit());
    bring("\r\nabc");
    assertEquals("/192.0.2.1:1", channel.remoteAddress().toString());
    assertEquals("/192.0.2.2:2", channel.localAddress().toString());
    assertEquals(99, channel.contentAhead());
    bring("def");
    raw.end();
    raw.breakBy(null);
    assertEquals("abc|def|end|closed|", heard.toString());
    assertEquals(0, faults.get());
  }

  @Test
  void headerWithoutAddressesLeavesThoseOfTheConnection() {
    channel.start(listener);
    bring("PROXY UNKNOWN\r\n");
    assertEquals("", heard.toString(), "nothing has come behind the header");
    bring("abc");
    assertEquals("abc|", heard.toString());
    assertEquals(raw.remoteAddress(), channel.remoteAddress());
    assertEquals(raw.localAddress(), channel.localAddress());
  }

  @Test
  void anythingElseClosesTheChannelAndIsNotHeard() {
    channel.start(listener);
    bring("GET / HTTP/1.1\r\n");
    assertFalse(channel.isOpen());
    channel.onBytes(ByteBuffer.wrap("PROXY UNKNOWN\r\nabc".getBytes(ISO_8859_1)));
    assertEquals("closed|", heard.toString());
    assertEquals(1, faults.get());
  }

  @Test
  void endBeforeTheHeaderIsHeard() {
    channel.start(listener);
    raw.end();
    raw.breakBy(null);
    assertEquals("end|closed|", heard.toString());
    assertTrue(faults.get() == 0, "a check of the balancer may just connect");
  }
}
