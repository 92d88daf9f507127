package heddle.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.HttpClient;
import heddle.http.Request;
import heddle.http.Response;
import heddle.server.HttpServer;
import heddle.testkit.SimNetwork;
import heddle.transport.Channel;
import heddle.transport.ChannelListener;
import heddle.transport.ForwardingChannel;
import heddle.transport.ForwardingNetwork;
import heddle.transport.Network;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** How deep the stack of a caller is that writes a request to the socket. */
class WarmGetFramesTest {
  private static final int MOST = 10;

  /** Keeps the stack of the last write. */
  private record Recording(Network target, AtomicReference<List<String>> stack)
      implements ForwardingNetwork {
    @Override
    public Channel connect(SocketAddress address, Deadline deadline) throws IOException {
      return new RecordingChannel(target.connect(address, deadline), stack);
    }
  }

  private record RecordingChannel(Channel target, AtomicReference<List<String>> stack)
      implements ForwardingChannel {
    @Override
    public void start(ChannelListener listener) {
      target.start(listener);
    }

    /** Stands for the channel's own write, which calls the socket. */
    @Override
    public void write(ByteBuffer buffer, Deadline deadline) throws IOException {
      stack.set(StackWalker.getInstance().walk(frames -> frames
          .map(frame -> frame.getClassName() + "." + frame.getMethodName())
          .takeWhile(frame -> !frame.startsWith(WarmGetFramesTest.class.getName() + ".get"))
          .toList()));
      target.write(buffer, deadline);
    }
  }

  private static void get(HttpClient client, Request request) throws IOException {
    try (Response response = client.send(request)) {
      assertEquals("hello", response.string());
    }
  }

  @Test
  void aGetOverHttp1ReachesTheSocketInTenFrames() throws Exception {
    AtomicReference<List<String>> stack = new AtomicReference<>(List.of());
    try (SimNetwork world = SimNetwork.builder().virtualTime().build()) {
      world.run(() -> {
        try (HttpServer server = HttpServer.builder()
                .network(world)
                .executor(world.executor())
                .handler(request -> Response.ok("hello"))
                .start();
            HttpClient client = HttpClient.builder()
                .network(new Recording(world, stack))
                .resolver((host, deadline) -> List.of(InetAddress.getLoopbackAddress()))
                .build()) {
          Request request = Request.get("http://server:" + server.port() + "/");
          get(client, request);
          get(client, request);
        }
      });
    }
    List<String> frames = stack.get();
    assertTrue(
        frames.getLast().endsWith("HttpClient.send") && frames.size() <= MOST,
        () -> frames.size() + " frames: " + String.join("\n", frames));
  }
}
