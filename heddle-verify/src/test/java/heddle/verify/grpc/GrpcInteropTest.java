package heddle.verify.grpc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerInterceptors;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.grpc.testing.integration.EmptyProtos.Empty;
import io.grpc.testing.integration.Messages.EchoStatus;
import io.grpc.testing.integration.Messages.Payload;
import io.grpc.testing.integration.Messages.ResponseParameters;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.Messages.SimpleResponse;
import io.grpc.testing.integration.Messages.StreamingInputCallRequest;
import io.grpc.testing.integration.Messages.StreamingInputCallResponse;
import io.grpc.testing.integration.Messages.StreamingOutputCallRequest;
import io.grpc.testing.integration.Messages.StreamingOutputCallResponse;
import io.grpc.testing.integration.TestServiceGrpc;
import io.grpc.testing.integration.TestServiceImpl;
import io.grpc.testing.integration.UnimplementedServiceGrpc;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The cases of gRPC's interop tests, with its own service and a channel over Heddle. */
@Timeout(60)
final class GrpcInteropTest {
  private static final int[] SIZES = {31_415, 9, 2_653, 58_979};
  private static final int[] REQUEST_SIZES = {27_182, 8, 1_828, 45_904};

  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final Server server = NettyServerBuilder.forPort(0)
      .addService(
          ServerInterceptors.intercept(new TestServiceImpl(timer), TestServiceImpl.interceptors()))
      .build();
  private DuplexChannel channel;

  @BeforeEach
  void start() throws Exception {
    channel = new DuplexChannel(server.start().getPort());
  }

  @AfterEach
  void stop() {
    channel.close();
    server.shutdownNow();
    timer.shutdownNow();
  }

  private TestServiceGrpc.TestServiceBlockingStub blocking() {
    return TestServiceGrpc.newBlockingStub(channel);
  }

  private TestServiceGrpc.TestServiceStub stub() {
    return TestServiceGrpc.newStub(channel);
  }

  private static Payload payload(int bytes) {
    return Payload.newBuilder().setBody(ByteString.copyFrom(new byte[bytes])).build();
  }

  private static StreamingOutputCallRequest asking(int bytes) {
    return StreamingOutputCallRequest.newBuilder()
        .addResponseParameters(ResponseParameters.newBuilder().setSize(bytes))
        .build();
  }

  /** What a stream of answers brings. */
  private static final class Answers<T> implements StreamObserver<T> {
    private final BlockingQueue<T> messages = new LinkedBlockingQueue<>();
    private final BlockingQueue<Status> end = new LinkedBlockingQueue<>();

    @Override
    public void onNext(T message) {
      messages.add(message);
    }

    @Override
    public void onError(Throwable failure) {
      end.add(Status.fromThrowable(failure));
    }

    @Override
    public void onCompleted() {
      end.add(Status.OK);
    }

    T next() throws InterruptedException {
      T message = messages.poll(30, TimeUnit.SECONDS);
      assertNotNull(message, "no message has come");
      return message;
    }

    Status.@Nullable Code end() throws InterruptedException {
      Status status = end.poll(30, TimeUnit.SECONDS);
      return status == null ? null : status.getCode();
    }
  }

  @Test
  void emptyUnary() {
    assertEquals(Empty.getDefaultInstance(), blocking().emptyCall(Empty.getDefaultInstance()));
  }

  @Test
  void largeUnary() {
    SimpleRequest request = SimpleRequest.newBuilder()
        .setResponseSize(314_159)
        .setPayload(payload(271_828))
        .build();
    SimpleResponse response = blocking().unaryCall(request);
    assertEquals(314_159, response.getPayload().getBody().size());
  }

  @Test
  void clientStreaming() throws Exception {
    Answers<StreamingInputCallResponse> answers = new Answers<>();
    StreamObserver<StreamingInputCallRequest> out = stub().streamingInputCall(answers);
    for (int size : REQUEST_SIZES) {
      out.onNext(
          StreamingInputCallRequest.newBuilder().setPayload(payload(size)).build());
    }
    out.onCompleted();
    assertEquals(74_922, answers.next().getAggregatedPayloadSize());
    assertEquals(Status.Code.OK, answers.end());
  }

  @Test
  void serverStreaming() {
    StreamingOutputCallRequest.Builder request = StreamingOutputCallRequest.newBuilder();
    for (int size : SIZES) {
      request.addResponseParameters(ResponseParameters.newBuilder().setSize(size));
    }
    List<Integer> sizes = new ArrayList<>();
    Iterator<StreamingOutputCallResponse> all = blocking().streamingOutputCall(request.build());
    all.forEachRemaining(each -> sizes.add(each.getPayload().getBody().size()));
    assertEquals(List.of(31_415, 9, 2_653, 58_979), sizes);
  }

  @Test
  void pingPong() throws Exception {
    Answers<StreamingOutputCallResponse> answers = new Answers<>();
    StreamObserver<StreamingOutputCallRequest> out = stub().fullDuplexCall(answers);
    for (int i = 0; i < SIZES.length; i++) {
      out.onNext(
          asking(SIZES[i]).toBuilder().setPayload(payload(REQUEST_SIZES[i])).build());
      assertEquals(SIZES[i], answers.next().getPayload().getBody().size());
    }
    out.onCompleted();
    assertEquals(Status.Code.OK, answers.end());
  }

  @Test
  void emptyStream() throws Exception {
    Answers<StreamingOutputCallResponse> answers = new Answers<>();
    stub().fullDuplexCall(answers).onCompleted();
    assertEquals(Status.Code.OK, answers.end());
    assertTrue(answers.messages.isEmpty());
  }

  @Test
  void manyMessagesInBothDirections() throws Exception {
    Answers<StreamingOutputCallResponse> answers = new Answers<>();
    StreamObserver<StreamingOutputCallRequest> out = stub().fullDuplexCall(answers);
    for (int i = 0; i < 1_000; i++) {
      out.onNext(asking(1_000 + i).toBuilder().setPayload(payload(500)).build());
    }
    out.onCompleted();
    for (int i = 0; i < 1_000; i++) {
      assertEquals(1_000 + i, answers.next().getPayload().getBody().size());
    }
    assertEquals(Status.Code.OK, answers.end());
  }

  @Test
  void cancelAfterBegin() throws Exception {
    Answers<StreamingInputCallResponse> answers = new Answers<>();
    cancel(stub().streamingInputCall(answers));
    assertEquals(Status.Code.CANCELLED, answers.end());
  }

  @Test
  void cancelAfterFirstResponse() throws Exception {
    Answers<StreamingOutputCallResponse> answers = new Answers<>();
    StreamObserver<StreamingOutputCallRequest> out = stub().fullDuplexCall(answers);
    out.onNext(asking(31_415));
    assertEquals(31_415, answers.next().getPayload().getBody().size());
    cancel(out);
    assertEquals(Status.Code.CANCELLED, answers.end());
  }

  private static void cancel(StreamObserver<?> out) {
    ((ClientCallStreamObserver<?>) out).cancel("enough", null);
  }

  @Test
  void timeoutOnSleepingServer() throws Exception {
    Answers<StreamingOutputCallResponse> answers = new Answers<>();
    StreamObserver<StreamingOutputCallRequest> out =
        stub().withDeadlineAfter(50, TimeUnit.MILLISECONDS).fullDuplexCall(answers);
    out.onNext(
        StreamingOutputCallRequest.newBuilder().setPayload(payload(27_182)).build());
    assertEquals(Status.Code.DEADLINE_EXCEEDED, answers.end());
  }

  @Test
  void customMetadata() {
    Metadata.Key<String> initial =
        Metadata.Key.of("x-grpc-test-echo-initial", Metadata.ASCII_STRING_MARSHALLER);
    Metadata.Key<byte[]> trailing =
        Metadata.Key.of("x-grpc-test-echo-trailing-bin", Metadata.BINARY_BYTE_MARSHALLER);
    byte[] octets = {(byte) 0xab, (byte) 0xab, (byte) 0xab};
    Metadata sent = new Metadata();
    sent.put(initial, "test_initial_metadata_value");
    sent.put(trailing, octets);
    AtomicReference<Metadata> head = new AtomicReference<>();
    AtomicReference<Metadata> end = new AtomicReference<>();
    SimpleRequest request = SimpleRequest.newBuilder().setResponseSize(1).build();
    blocking()
        .withInterceptors(
            MetadataUtils.newAttachHeadersInterceptor(sent),
            MetadataUtils.newCaptureMetadataInterceptor(head, end))
        .unaryCall(request);
    assertEquals("test_initial_metadata_value", head.get().get(initial));
    assertArrayEquals(octets, end.get().get(trailing));
    assertNull(head.get().get(trailing));
  }

  @Test
  void statusCodeAndSpecialMessage() throws Exception {
    String message = "\t\ntest with whitespace\r\nand Unicode BMP ☺ and non-BMP 😈\t\n";
    EchoStatus echo = EchoStatus.newBuilder().setCode(2).setMessage(message).build();
    SimpleRequest request = SimpleRequest.newBuilder().setResponseStatus(echo).build();
    StatusRuntimeException failure =
        assertThrows(StatusRuntimeException.class, () -> blocking().unaryCall(request));
    assertEquals(Status.Code.UNKNOWN, failure.getStatus().getCode());
    assertEquals(message, failure.getStatus().getDescription());
    Answers<StreamingOutputCallResponse> answers = new Answers<>();
    stub()
        .fullDuplexCall(answers)
        .onNext(StreamingOutputCallRequest.newBuilder().setResponseStatus(echo).build());
    assertEquals(Status.Code.UNKNOWN, answers.end());
  }

  @Test
  void unimplementedService() {
    var unknown = UnimplementedServiceGrpc.newBlockingStub(channel);
    StatusRuntimeException failure = assertThrows(
        StatusRuntimeException.class, () -> unknown.unimplementedCall(Empty.getDefaultInstance()));
    assertEquals(Status.Code.UNIMPLEMENTED, failure.getStatus().getCode());
  }
}
