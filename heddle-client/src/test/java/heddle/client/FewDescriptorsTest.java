package heddle.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Request;
import heddle.http.Response;
import heddle.http.failure.TooManyOpenFilesException;
import heddle.testwatch.FewDescriptors;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A client that may open fewer files than it wants. */
@Timeout(60)
@EnabledOnOs(OS.LINUX)
class FewDescriptorsTest {
  private static final int LIMIT = 60;

  /** Run in a separate JVM. */
  static final class Calls {
    public static void main(String[] args) throws Exception {
      try (HttpClient client = HttpClient.create()) {
        for (int host = 1; host <= 2 * LIMIT; host++) {
          call(client, host, args[0]);
        }
        System.out.println("all answered");
      }
      List<SocketChannel> others = new ArrayList<>();
      try (HttpClient client = HttpClient.create()) {
        openAll(others);
        try {
          call(client, 2, args[0]);
        } catch (TooManyOpenFilesException e) {
          System.out.println(e.getMessage());
        }
        try {
          call(client, "localhost", args[0]);
        } catch (TooManyOpenFilesException e) {
          System.out.println("by name: " + e.getMessage());
        }
        for (SocketChannel each : others) {
          each.close();
        }
        call(client, 3, args[0]);
        System.out.println("recovered");
        openAll(others);
        call(client, "localhost", args[0]);
        System.out.println("an idle connection made room for a name");
      }
    }

    private static void call(HttpClient client, int host, String port) throws IOException {
      call(client, "127.0.0." + host, port);
    }

    private static void call(HttpClient client, String host, String port) throws IOException {
      try (Response response = client.send(Request.get("http://" + host + ":" + port))) {
        response.body().discard();
      }
    }

    private static void openAll(List<SocketChannel> others) {
      boolean left = true;
      while (left) {
        try {
          others.add(SocketChannel.open());
        } catch (IOException e) {
          left = false;
        }
      }
    }
  }

  @TempDir
  Path directory;

  @Test
  void idleConnectionsMakeRoomAndElseTheExceptionNamesTheLimit() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 200)) {
      Thread.ofVirtual().start(() -> acceptAll(server));
      String port = String.valueOf(server.getLocalPort());
      Process process = FewDescriptors.jvm(LIMIT, directory, Calls.class, port)
          .redirectErrorStream(true)
          .start();
      String said;
      try (BufferedReader out = process.inputReader()) {
        said = out.lines().collect(Collectors.joining("\n"));
      }
      assertEquals(0, process.waitFor(), said);
      assertTrue(said.contains("all answered"), said);
      assertTrue(said.contains("the limit of this process is " + LIMIT), said);
      assertTrue(said.contains("ulimit -n"), said);
      assertTrue(said.contains("by name: cannot look up the host localhost"), said);
      assertTrue(said.contains("recovered"), said);
      assertTrue(said.contains("an idle connection made room for a name"), said);
    }
  }

  private static void acceptAll(ServerSocket server) {
    while (!server.isClosed()) {
      try {
        Socket accepted = server.accept();
        Thread.ofVirtual().start(() -> answerAll(accepted));
      } catch (IOException e) {
        return; // The test is over.
      }
    }
  }

  private static void answerAll(Socket accepted) {
    try (accepted) {
      BufferedReader in =
          new BufferedReader(new InputStreamReader(accepted.getInputStream(), ISO_8859_1));
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.isEmpty()) {
          accepted
              .getOutputStream()
              .write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".getBytes(ISO_8859_1));
        }
      }
    } catch (IOException e) {
      return; // The client has gone.
    }
  }
}
