package heddle.adapters.jersey;

import static heddle.testkit.ScriptedPeer.visit;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.failure.ConnectFailedException;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import jakarta.ws.rs.ProcessingException;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.Entity;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Failures are reported as Jersey's users expect, and leave nothing behind. */
@Timeout(60)
final class FailuresTest {
  private final List<Client> clients = new ArrayList<>();

  @AfterEach
  void close() {
    clients.forEach(Client::close);
  }

  private Client client(Carrier carrier) {
    Client client = carrier.client();
    clients.add(client);
    return client;
  }

  private static int closedPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @ParameterizedTest
  @EnumSource
  void serverThatIsNotThereIsAConnectException(Carrier carrier) throws Exception {
    String url = "http://127.0.0.1:" + closedPort() + "/";
    ProcessingException failure = assertThrows(
        ProcessingException.class, () -> client(carrier).target(url).request().get());
    Throwable told = assertInstanceOf(ConnectException.class, failure.getCause());
    if (carrier == Carrier.HEDDLE) {
      assertInstanceOf(ConnectFailedException.class, told.getCause());
    }
  }

  @ParameterizedTest
  @EnumSource
  void hostWithoutAddressIsAnUnknownHostException(Carrier carrier) {
    ProcessingException failure = assertThrows(
        ProcessingException.class,
        () -> client(carrier).target("http://loom.invalid/").request().get());
    assertInstanceOf(UnknownHostException.class, failure.getCause());
  }

  @ParameterizedTest
  @EnumSource
  void asynchronousFailureIsTheCauseOfTheFutures(Carrier carrier) throws Exception {
    String url = "http://127.0.0.1:" + closedPort() + "/";
    var call = client(carrier).target(url).request().async().get();
    var failure = assertThrows(java.util.concurrent.ExecutionException.class, call::get);
    Throwable told = assertInstanceOf(ProcessingException.class, failure.getCause());
    assertInstanceOf(ConnectException.class, told.getCause());
  }

  @Test
  void contentThatIsCutShortIsAFailureOfItsReading() throws Exception {
    visit(
        c -> {
          c.expectHead();
          c.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc");
        },
        peer -> {
          try (Response response =
              client(Carrier.HEDDLE).target(peer.url("/")).request().get()) {
            ProcessingException failure =
                assertThrows(ProcessingException.class, () -> response.readEntity(String.class));
            assertInstanceOf(IOException.class, failure.getCause());
          }
        });
  }

  @Test
  void responseThatIsNoHttpIsAFailure() throws Exception {
    visit(
        c -> {
          c.expectHead();
          c.send("220 loom ESMTP\r\n\r\n");
          c.drain();
        },
        peer -> {
          ProcessingException failure = assertThrows(
              ProcessingException.class,
              () -> client(Carrier.HEDDLE).target(peer.url("/")).request().get());
          assertInstanceOf(heddle.http.HttpException.class, failure.getCause());
        });
  }

  @Test
  void fieldThatCannotBeSentIsAFailureThatNamesIt() {
    ProcessingException failure =
        assertThrows(ProcessingException.class, () -> client(Carrier.HEDDLE)
            .target("http://127.0.0.1:1/")
            .request()
            .header("X-Split", "a\r\nX-Injected: b")
            .get());
    assertInstanceOf(IllegalArgumentException.class, failure.getCause());
    assertTrue(String.valueOf(failure.getMessage()).contains("X-Split"), failure::toString);
  }

  @Test
  void exceptionsWhileWritingTheEntityAreTheCauseAndAbortTheCall() throws Exception {
    CountDownLatch ended = new CountDownLatch(1);
    visit(
        c -> {
          c.expectHead();
          try {
            c.drain();
          } finally {
            ended.countDown();
          }
        },
        peer -> {
          IOException broken = new IOException("the loom is broken");
          StreamingOutput content = out -> {
            out.write(new byte[100_000]);
            throw broken;
          };
          ProcessingException failure =
              assertThrows(ProcessingException.class, () -> client(Carrier.HEDDLE)
                  .target(peer.url("/"))
                  .request()
                  .post(Entity.entity(content, MediaType.APPLICATION_OCTET_STREAM_TYPE)));
          assertSame(broken, failure.getCause());
          ended.await();
        });
  }

  @Test
  void responseBeforeTheEntityHasEndedIsReturned() throws Exception {
    visit(
        c -> {
          c.expectHead();
          c.send("HTTP/1.1 413 Content Too Large\r\n"
              + "Content-Length: 0\r\nConnection: close\r\n\r\n");
          c.drain();
        },
        peer -> {
          StreamingOutput forEver = out -> {
            while (true) {
              out.write(new byte[10_000]);
            }
          };
          try (Response response = client(Carrier.HEDDLE)
              .target(peer.url("/"))
              .request()
              .post(Entity.entity(forEver, MediaType.APPLICATION_OCTET_STREAM_TYPE))) {
            assertEquals(413, response.getStatus());
          }
        });
  }

  @Test
  void interruptEndsABlockingCall() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    visit(
        c -> {
          c.expectHead();
          asked.countDown();
          c.drain();
        },
        peer -> {
          Client client = client(Carrier.HEDDLE);
          CompletableFuture<Throwable> failed = new CompletableFuture<>();
          CompletableFuture<Boolean> flagged = new CompletableFuture<>();
          Thread caller = Thread.ofVirtual().start(() -> {
            try {
              client.target(peer.url("/")).request().get().close();
            } catch (ProcessingException e) {
              flagged.complete(Thread.currentThread().isInterrupted());
              failed.complete(e.getCause());
            }
          });
          asked.await();
          caller.interrupt();
          assertInstanceOf(InterruptedIOException.class, failed.get());
          assertTrue(flagged.get());
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 100_000})
  void entityThatWasClosedCannotBeReadOn(int size) throws Exception {
    try (MockServer server = MockServer.start()) {
      server.handler(request -> MockResponse.ok(new byte[size]));
      for (Carrier carrier : Carrier.values()) {
        Response response = client(carrier).target(server.url("/")).request().get();
        InputStream content = response.readEntity(InputStream.class);
        assertEquals(0, content.read());
        response.close();
        assertThrows(IOException.class, content::read, carrier::name);
        assertThrows(IOException.class, () -> content.read(new byte[3]), carrier::name);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void unregisteredStatusKeepsItsPhrase(Carrier carrier) throws Exception {
    visit(
        c -> {
          c.expectHead();
          c.send("HTTP/1.1 299 Woven\r\nContent-Length: 0\r\n\r\n");
        },
        peer -> {
          try (Response response =
              client(carrier).target(peer.url("/")).request().get()) {
            assertEquals(299, response.getStatus());
            assertEquals("Woven", response.getStatusInfo().getReasonPhrase());
          }
        });
  }

  @Test
  void responsesThatAreClosedUnreadLeaveConnectionsForTheNext() throws Exception {
    try (MockServer server = MockServer.start()) {
      server.handler(request -> MockResponse.ok("short"));
      Client client = client(Carrier.HEDDLE);
      for (int i = 0; i < 50; i++) {
        client.target(server.url("/")).request().get().close();
      }
      assertEquals(1, server.connections());
    }
  }

  @Test
  void closingTheClientAbortsWhatIsUnderWay() throws Exception {
    visit(
        c -> {
          c.expectHead();
          c.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc");
          c.drain();
        },
        peer -> {
          Client client = client(Carrier.HEDDLE);
          Response response = client.target(peer.url("/")).request().get();
          InputStream content = response.readEntity(InputStream.class);
          assertEquals(3, content.readNBytes(3).length);
          client.close();
          assertThrows(IOException.class, content::read);
        });
  }
}
