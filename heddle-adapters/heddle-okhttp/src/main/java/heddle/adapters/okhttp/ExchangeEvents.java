package heddle.adapters.okhttp;

import heddle.client.spi.ConnectionInfo;
import heddle.http.InformationalListener;
import heddle.http.Status;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import okhttp3.Call;
import okhttp3.EventListener;
import okhttp3.HttpUrl;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/** Tells a call's listener what happens to one request, in OkHttp's words and in its order. */
final class ExchangeEvents {
  /** How far the request is, as far as the listener knows. */
  private enum Progress {
    BEGUN,
    CONNECTING,
    HEAD,
    HEAD_SENT,
    CONTENT,
    SENT,
    ANSWERED
  }

  private final CallState state;
  private final Call call;
  private final EventListener listener;
  private final HttpUrl url;

  /** What is known of the connection of the attempt; shown to nobody once there is one. */
  private final HeddleConnection connection;

  /** The connection as users have it; null until the attempt has got one. */
  private @Nullable HeddleConnection acquired;

  private Request request;
  private boolean hasEmptyBody;
  private long sentAtMillis;
  private Progress progress = Progress.BEGUN;

  /** Whether the listener knows that the server has begun to answer. */
  private boolean responseStarted;

  private @Nullable InetSocketAddress connectingTo;
  private @Nullable IOException attemptFailure;
  private List<Proxy> proxies = List.of(Proxy.NO_PROXY);
  private Way way;

  /** Whether the listener knows the proxies. */
  private boolean selected;

  ExchangeEvents(CallState state, Request request) {
    this.state = state;
    this.call = state.call;
    this.listener = state.listener;
    this.request = request;
    this.url = request.url();
    this.way = Way.direct(url);
    List<Protocol> protocols = state.call.getClient().protocols();
    Protocol assumed = protocols.contains(Protocol.H2_PRIOR_KNOWLEDGE)
        ? Protocol.H2_PRIOR_KNOWLEDGE
        : Protocol.HTTP_1_1;
    this.connection = new HeddleConnection(state.call.getClient(), url, assumed);
  }

  HttpUrl url() {
    return url;
  }

  boolean isSecure() {
    return url.isHttps();
  }

  HeddleConnection connection() {
    HeddleConnection known = acquired;
    return known == null ? connection : known;
  }

  long sentAtMillis() {
    return sentAtMillis;
  }

  /** The request is about to be sent, as network interceptors have made it. */
  void sending(Request wanted, boolean emptyBody) {
    request = wanted;
    hasEmptyBody = emptyBody;
    sentAtMillis = System.currentTimeMillis();
  }

  /** There are these ways to go. */
  void selected(List<Way> ways) {
    proxies = ways.stream().map(Way::proxy).toList();
    selected = false;
  }

  /** One of them is tried. */
  void goes(Way next) {
    way = next;
    connection.goes(next);
  }

  void attemptStarted() {
    acquired = null;
    progress = Progress.BEGUN;
    responseStarted = false;
    connectingTo = null;
  }

  void resolved(String host, List<InetAddress> addresses) {
    lookUp(host, addresses);
    connectTo(connection.named(addresses.getFirst(), way.port()));
  }

  /**
   * @param addresses null where none was found
   */
  private void lookUp(String host, @Nullable List<InetAddress> addresses) {
    if (!selected) {
      selected = true;
      listener.proxySelectStart(call, url);
      listener.proxySelectEnd(call, url, proxies);
    }
    // OkHttp does not look the name of a SOCKS proxy up by itself.
    if (way.proxy().type() != Proxy.Type.SOCKS && !Names.isLiteral(host)) {
      listener.dnsStart(call, host);
      if (addresses != null) {
        listener.dnsEnd(call, host, addresses);
      }
    }
  }

  private void connectTo(InetSocketAddress address) {
    progress = Progress.CONNECTING;
    connectingTo = address;
    listener.connectStart(call, address, way.proxy());
  }

  void connected(SocketAddress address) {
    if (address instanceof InetSocketAddress reached) {
      InetSocketAddress named = connection.named(reached);
      if (!named.equals(connectingTo)) {
        connectTo(named);
      }
    }
    if (isSecure()) {
      listener.secureConnectStart(call);
    }
  }

  void acquired(ConnectionInfo info) {
    connection.is(info);
    InetSocketAddress opened = connectingTo;
    if (progress == Progress.CONNECTING && opened != null) {
      if (isSecure()) {
        listener.secureConnectEnd(call, connection.handshake());
      }
      listener.connectEnd(call, opened, way.proxy(), connection.protocol());
    }
    HeddleConnection known = connection.known();
    acquired = known;
    state.acquired(known);
    progress = Progress.HEAD;
    sentAtMillis = System.currentTimeMillis();
    listener.requestHeadersStart(call);
  }

  /** Who is told of informational responses to a request with content; null for nobody. */
  @Nullable
  InformationalListener informed(Request wanted) {
    return listener != EventListener.NONE
            && "100-continue".equalsIgnoreCase(wanted.header("Expect"))
        ? (status, _) -> informed(status)
        : null;
  }

  /** To OkHttp 100 (Continue) is the response's beginning, before the content is sent. */
  private void informed(Status status) {
    if (status.equals(Status.CONTINUE) && progress == Progress.HEAD) {
      headSent();
      responseStarts();
    }
  }

  private void headSent() {
    if (progress == Progress.HEAD) {
      progress = Progress.HEAD_SENT;
      listener.requestHeadersEnd(call, request);
    }
  }

  void bodyStarts() {
    headSent();
    if (progress == Progress.HEAD_SENT) {
      progress = Progress.CONTENT;
      listener.requestBodyStart(call);
    }
  }

  void bodySent(long bytes) {
    if (progress == Progress.CONTENT) {
      listener.requestBodyEnd(call, bytes);
      progress = Progress.SENT;
    }
  }

  void requestSent() {
    if (hasEmptyBody) {
      bodyStarts();
      bodySent(0);
    }
    headSent();
    if (progress == Progress.HEAD_SENT) {
      progress = Progress.SENT;
    }
  }

  /** The response's head is there. Over HTTP/1.1 only one of success has the content go on. */
  void answered(Status status) {
    if (progress == Progress.CONTENT
        && connection.protocol() == Protocol.HTTP_1_1
        && !status.isSuccess()) {
      progress = Progress.SENT;
      listener.requestFailed(
          call, new IOException("the server answered before it had all of the content"));
    }
    responseStarts();
  }

  private void responseStarts() {
    if (!responseStarted) {
      responseStarted = true;
      listener.responseHeadersStart(call);
    }
  }

  void head(Response head) {
    progress = Progress.ANSWERED;
    listener.responseHeadersEnd(call, head);
  }

  /** No response comes. */
  void failed(IOException failure) {
    switch (progress) {
      case BEGUN -> {
        if (failure instanceof UnknownHostException) {
          lookUp(way.host(), null);
        }
      }
      case CONNECTING -> connectFailed(failure);
      case HEAD, HEAD_SENT, CONTENT -> {
        // OkHttp counts what waits in its buffer as sent, and looks for a response all the same.
        headSent();
        listener.requestFailed(call, failure);
        listener.responseFailed(call, failure);
      }
      case SENT, ANSWERED -> listener.responseFailed(call, failure);
    }
  }

  /**
   * An attempt is over.
   *
   * @param failure null where it has brought a response
   */
  void attemptEnded(@Nullable IOException failure) {
    attemptFailure = failure;
  }

  /** The request is sent again, which after a response is no failure of a connection's. */
  void retried() {
    IOException failure = attemptFailure;
    if (failure != null) {
      IOException explained = Failures.translate(failure, url);
      failed(explained);
      listener.retryDecision(call, explained, true);
      state.releaseConnection();
    }
  }

  private void connectFailed(IOException failure) {
    InetSocketAddress address = connectingTo;
    if (address != null) {
      listener.connectFailed(call, address, way.proxy(), null, failure);
    }
  }
}
