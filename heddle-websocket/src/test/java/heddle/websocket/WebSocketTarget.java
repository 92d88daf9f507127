package heddle.websocket;

import heddle.testwatch.FuzzTarget;
import java.util.List;

/** What a peer sends over a WebSocket, and when it opens one. */
enum WebSocketTarget implements FuzzTarget {
  CLIENT,
  SERVER,
  ROUND_TRIP,
  EXTENSIONS,
  HANDSHAKE,
  OPENING;

  @Override
  public void run(byte[] input) throws Exception {
    switch (this) {
      case CLIENT -> MessagesFuzz.read(input, Role.CLIENT);
      case SERVER -> MessagesFuzz.read(input, Role.SERVER);
      case ROUND_TRIP -> MessagesFuzz.roundTrip(input);
      case EXTENSIONS -> HandshakeFuzz.extensions(input);
      case HANDSHAKE -> HandshakeFuzz.response(input);
      case OPENING -> HandshakeFuzz.request(input);
    }
  }

  @Override
  public List<byte[]> seeds() {
    return switch (this) {
      case CLIENT -> MessagesFuzz.seeds(Role.CLIENT);
      case SERVER -> MessagesFuzz.seeds(Role.SERVER);
      case ROUND_TRIP -> MessagesFuzz.contents();
      case EXTENSIONS -> HandshakeFuzz.extensionSeeds();
      case HANDSHAKE -> HandshakeFuzz.responseSeeds();
      case OPENING -> HandshakeFuzz.requestSeeds();
    };
  }

  /** A compressed message begins with 8 KiB of memory, and one byte can become a thousand. */
  @Override
  public long maxAllocatedBytes(byte[] input) {
    return (4L << 20) + (32L << 10) * input.length;
  }
}
