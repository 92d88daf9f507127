package heddle.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Body;
import heddle.http.Headers;
import heddle.http.MediaType;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.Trailers;
import heddle.http.io.FileInput;
import heddle.server.proxy.TrustedProxies;
import heddle.server.spi.Handler;
import heddle.testwatch.Conditions;
import heddle.transport.Channel;
import heddle.transport.EventLoop;
import heddle.transport.Network;
import heddle.transport.tcp.TcpNetwork;
import heddle.transport.time.Clock;
import heddle.transport.time.Deadline;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files as the content of responses over HTTP/1.1 in cleartext. */
@Timeout(60)
class FileResponsesTest {
  private static final int LARGE = 20_000_000;

  @TempDir
  private Path folder;

  private final TcpNetwork tcp = TcpNetwork.create();
  private final AtomicInteger sentFiles = new AtomicInteger();

  @AfterEach
  void close() {
    tcp.close();
  }

  /** TCP that counts how often the operating system is given a file. */
  private final class CountingNetwork implements Network {
    @Override
    public Channel connect(SocketAddress address, Deadline deadline) throws IOException {
      return tcp.connect(address, deadline);
    }

    @Override
    public Listening listen(SocketAddress address, int backlog, Consumer<Channel> onAccept)
        throws IOException {
      return tcp.listen(address, backlog, channel -> onAccept.accept(counting(channel)));
    }

    @Override
    public EventLoop loop() {
      return tcp.loop();
    }

    @Override
    public Clock clock() {
      return tcp.clock();
    }

    @Override
    public void close() {}
  }

  private Channel counting(Channel channel) {
    return (Channel) Proxy.newProxyInstance(
        Channel.class.getClassLoader(), new Class<?>[] {Channel.class}, (self, method, args) -> {
          if (args != null && args[0] instanceof FileInput) {
            sentFiles.incrementAndGet();
          }
          try {
            return method.invoke(channel, args);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        });
  }

  private Path file;
  private byte[] content;

  @BeforeEach
  void name() {
    file = folder.resolve("content");
  }

  private void write(int size) throws IOException {
    content = new byte[size];
    new Random(size).nextBytes(content);
    Files.write(file, content);
  }

  private HttpServer serve(Handler handler) throws IOException {
    return HttpServer.builder().network(new CountingNetwork()).handler(handler).start();
  }

  private Response whole() throws IOException {
    return Response.ok(Body.of(file, MediaType.OCTET_STREAM));
  }

  private Socket connect(HttpServer server) throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(8 * 1024); // The server has to wait for room in its socket.
    socket.setSoTimeout(20_000);
    socket.connect(new InetSocketAddress("127.0.0.1", server.port()));
    return socket;
  }

  /** Sends a request and reads the head of its response. */
  private static String head(Socket socket, InputStream in) throws IOException {
    socket
        .getOutputStream()
        .write("GET / HTTP/1.1\r\nHost: test\r\nTE: trailers\r\n\r\n"
            .getBytes(StandardCharsets.US_ASCII));
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int octet = in.read();
      assertTrue(octet >= 0, () -> "the connection ended after " + head);
      head.append((char) octet);
    }
    return head.toString();
  }

  private void assertArrives(Socket socket, InputStream in) throws IOException {
    String head = head(socket, in);
    assertTrue(head.contains("\r\nContent-Length: " + content.length + "\r\n"), head);
    assertArrayEquals(content, in.readNBytes(content.length));
  }

  @ParameterizedTest
  @ValueSource(ints = {64 * 1024 + 1, 128 * 1024, LARGE})
  void largeFilesAreSentByTheOperatingSystem(int size) throws Exception {
    write(size);
    try (HttpServer server = serve(request -> whole());
        Socket socket = connect(server)) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      assertArrives(socket, in);
      assertTrue(sentFiles.get() > 0);
      assertArrives(socket, in); // The connection can be used again.
    }
  }

  @Test
  void largeFilesAreSentByTheOperatingSystemBehindAProxyToo() throws Exception {
    write(100_000);
    try (HttpServer server = HttpServer.builder()
            .network(new CountingNetwork())
            .proxyProtocol(TrustedProxies.of("127.0.0.1"))
            .handler(request -> whole())
            .start();
        Socket socket = connect(server)) {
      String header = "PROXY TCP4 192.0.2.1 192.0.2.2 1000 80\r\n";
      socket.getOutputStream().write(header.getBytes(StandardCharsets.US_ASCII));
      assertArrives(socket, new BufferedInputStream(socket.getInputStream()));
      assertTrue(sentFiles.get() > 0);
    }
  }

  @Test
  void shortFilesAreReadSoThatTheyLeaveWithTheirHead() throws Exception {
    write(64 * 1024);
    try (HttpServer server = serve(request -> whole());
        Socket socket = connect(server)) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      assertArrives(socket, in);
      assertArrives(socket, in);
      assertEquals(0, sentFiles.get());
    }
  }

  @Test
  void filesWithTrailersAreSentInChunks() throws Exception {
    write(100_000);
    Trailers trailers = Trailers.of(Headers.of("Checksum", "1"));
    Handler handler = request ->
        Response.builder(Status.OK).body(Body.of(file)).trailers(trailers).build();
    try (HttpServer server = serve(handler);
        Socket socket = connect(server)) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      assertTrue(head(socket, in).contains("Transfer-Encoding: chunked"));
      assertEquals(0, sentFiles.get());
    }
  }

  private void truncate(long size) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(size);
    }
  }

  @Test
  void responseOfAFileThatBecomesShorterIsCut() throws Exception {
    write(LARGE);
    try (HttpServer server = serve(request -> whole());
        Socket socket = connect(server)) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      head(socket, in);
      in.readNBytes(100_000);
      truncate(LARGE - 1_000_000);
      int rest = in.readAllBytes().length;
      assertTrue(rest <= LARGE - 1_100_000, () -> rest + " bytes came");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 1})
  void responseOfAFileThatDoesNotHaveItsLengthIsCut(int more) throws Exception {
    write(200_000);
    Handler handler = request -> {
      Response response = whole();
      Files.write(file, new byte[200_000 + more]);
      return response;
    };
    try (HttpServer server = serve(handler);
        Socket socket = connect(server)) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      head(socket, in);
      assertTrue(in.readAllBytes().length < 200_000);
    }
  }

  private boolean isOpen() {
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      return descriptors.anyMatch(each -> file.equals(target(each)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static @Nullable Path target(Path link) {
    try {
      return Files.readSymbolicLink(link);
    } catch (IOException e) {
      return null; // It was closed meanwhile.
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX) // which shows what is open
  void fileIsClosedWhenItsClientHasGone() throws Exception {
    write(LARGE);
    try (HttpServer server = serve(request -> whole())) {
      try (Socket socket = connect(server)) {
        head(socket, socket.getInputStream());
        assertTrue(isOpen());
      }
      Conditions.await("the file is closed", () -> !isOpen());
    }
  }
}
