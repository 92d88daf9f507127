package heddle.verify.sample.codec;

import java.io.IOException;
import java.nio.channels.SocketChannel;

/** Breaks sans-IO, and takes what belongs to {@code transport.tcp}. */
public final class OpensSockets {
  private OpensSockets() {}

  public static SocketChannel open() throws IOException {
    return SocketChannel.open();
  }
}
