package heddle.load.cluster.remote;

import heddle.load.cluster.crew.LineChannel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import jdk.net.ExtendedSocketOptions;

/**
 * The first lines of a connection, by which each side proves to the other that it has the secret.
 * They are short, and have to arrive in time, because the peer may be anyone.
 */
final class Handshake {

  /** What one line of a handshake may have. */
  private static final int LONGEST_LINE = 512;

  private static final String COORDINATOR = "coordinator";
  private static final String WORKER = "worker";
  private static final int KEEP_ALIVE_SECONDS = 5;
  private static final int KEEP_ALIVE_PROBES = 3;

  private Handshake() {}

  /** The worker's first line. */
  private record Challenge(String workerNonce) {}

  /** The coordinator's answer, with its own challenge. */
  private record Reply(String coordinatorNonce, String proof) {}

  /** The worker's answer to that. */
  private record Welcome(String proof) {}

  /** The worker's side: closes the connection and throws if the peer does not have the secret. */
  static LineChannel accept(Socket socket, Secret secret, Duration patience) throws IOException {
    return within(socket, patience, channel -> {
      String own = Secret.nonce();
      channel.send(new Challenge(own));
      Reply reply = channel.receive(Reply.class, LONGEST_LINE);
      if (reply == null || !secret.isProof(reply.proof, COORDINATOR, own, reply.coordinatorNonce)) {
        throw new IOException("the coordinator does not have the key of this worker");
      }
      channel.send(new Welcome(secret.proof(WORKER, own, reply.coordinatorNonce)));
    });
  }

  /** The coordinator's side, as above. */
  static LineChannel open(Socket socket, Secret secret, Duration patience) throws IOException {
    return within(socket, patience, channel -> {
      Challenge challenge = channel.receive(Challenge.class, LONGEST_LINE);
      if (challenge == null) {
        throw new IOException("it closed the connection");
      }
      String own = Secret.nonce();
      channel.send(new Reply(own, secret.proof(COORDINATOR, challenge.workerNonce, own)));
      Welcome welcome = channel.receive(Welcome.class, LONGEST_LINE);
      if (welcome == null) {
        throw new IOException("it refuses the key: give the one with which it was started");
      }
      if (!secret.isProof(welcome.proof, WORKER, challenge.workerNonce, own)) {
        throw new IOException("it does not have the key");
      }
    });
  }

  @FunctionalInterface
  private interface Lines {
    void exchange(LineChannel channel) throws IOException;
  }

  /** Closes the connection after the time, because a read ends at any byte of a slow peer. */
  private static LineChannel within(Socket socket, Duration patience, Lines lines)
      throws IOException {
    CountDownLatch done = new CountDownLatch(1);
    Thread.ofVirtual().name("worker-handshake").start(() -> closeAfter(socket, patience, done));
    boolean isKnown = false;
    try {
      socket.setTcpNoDelay(true);
      // Finds out that the other machine is gone, which says nothing.
      socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
      socket.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, KEEP_ALIVE_SECONDS);
      socket.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, KEEP_ALIVE_SECONDS);
      socket.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, KEEP_ALIVE_PROBES);
      LineChannel channel = new LineChannel(socket.getInputStream(), socket.getOutputStream());
      lines.exchange(channel);
      isKnown = true;
      return channel;
    } catch (LineChannel.MalformedLineException e) {
      throw new IOException("it does not speak the protocol of heddle worker", e);
    } finally {
      done.countDown();
      if (!isKnown) {
        socket.close();
      }
    }
  }

  private static void closeAfter(Socket socket, Duration patience, CountDownLatch done) {
    try {
      if (!done.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        socket.close();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new UncheckedIOException("a connection cannot be closed", e);
    }
  }
}
