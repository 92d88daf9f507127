package heddle.verify.grpc;

import heddle.client.HttpClient;
import heddle.http.HttpVersion;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.MethodDescriptor;

/** Makes the calls of gRPC's stubs with Heddle: what a channel needs for the interop service. */
final class DuplexChannel extends Channel implements AutoCloseable {
  private final String authority;
  private final HttpClient client =
      HttpClient.builder().version(HttpVersion.HTTP_2).plain().build();

  DuplexChannel(int port) {
    authority = "localhost:" + port;
  }

  @Override
  public <Q, R> ClientCall<Q, R> newCall(MethodDescriptor<Q, R> method, CallOptions options) {
    String url = "http://" + authority + "/" + method.getFullMethodName();
    return new GrpcCall<>(client, url, method, options);
  }

  @Override
  public String authority() {
    return authority;
  }

  @Override
  public void close() {
    client.close();
  }
}
