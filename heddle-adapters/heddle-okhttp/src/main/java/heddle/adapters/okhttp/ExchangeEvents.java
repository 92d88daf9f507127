package heddle.adapters.okhttp;

import heddle.client.spi.AttemptInfo;
import heddle.client.spi.ConnectionInfo;
import heddle.client.spi.ExchangeListener;
import heddle.http.InformationalListener;
import heddle.http.Status;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import okhttp3.Call;
import okhttp3.EventListener;
import okhttp3.HttpUrl;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * Reports the events of one request to the call's listener, in OkHttp's order. Heddle calls it on
 * the thread of the call.
 */
final class ExchangeEvents implements ExchangeListener {
  /** The progress of the request that the listener knows. */
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

  /** The connection of the attempt before it is acquired. Not reported afterwards. */
  private final HeddleConnection connection;

  /** The connection that users see; null until the attempt has one. */
  private @Nullable HeddleConnection acquired;

  private Request request;
  private boolean hasEmptyBody;
  private long sentAtMillis;
  private Progress progress = Progress.BEGUN;

  /** Whether the start of the response was reported. */
  private boolean responseStarted;

  private @Nullable InetSocketAddress connectingTo;
  private @Nullable IOException attemptFailure;

  /** Called when the request was written. */
  private final Runnable written;

  /** Whether the request is the first on its connection. */
  private boolean fresh;

  /** Whether another address of the host is tried, which needs no other look-up. */
  private boolean again;

  private int addresses;
  private @Nullable InetAddress reached;
  private List<Proxy> proxies = List.of(Proxy.NO_PROXY);
  private Way way;

  /** Whether the selection of proxies was reported. */
  private boolean selected;

  ExchangeEvents(CallState state, Request request, Runnable written) {
    this.written = written;
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

  /** Called before the request is sent, as changed by network interceptors. */
  void sending(Request wanted, boolean emptyBody) {
    request = wanted;
    hasEmptyBody = emptyBody;
    sentAtMillis = System.currentTimeMillis();
  }

  /** Sets the routes that may be tried. */
  void selected(List<Way> ways) {
    proxies = ways.stream().map(Way::proxy).toList();
    selected = false;
  }

  /** Called before a route is tried. */
  void goes(Way next) {
    way = next;
    connection.goes(next);
  }

  // ---- for the exchange

  boolean isFresh() {
    return fresh;
  }

  boolean isAcquiredHttp11() {
    return acquired != null && acquired.protocol() == Protocol.HTTP_1_1;
  }

  /** The number of addresses of the host. */
  int addresses() {
    return addresses;
  }

  /** The address whose TLS handshake has failed; null if none was connected. */
  @Nullable
  InetAddress failedAddress() {
    return reached;
  }

  void triesAnotherAddress() {
    again = true;
  }

  // ---- called by Heddle

  @Override
  public void attemptStarted(AttemptInfo attempt) {
    fresh = false;
    reached = null;
    acquired = null;
    progress = Progress.BEGUN;
    responseStarted = false;
    connectingTo = null;
  }

  @Override
  public void resolved(AttemptInfo attempt, String host, List<InetAddress> found, Duration took) {
    if (!again) {
      addresses = found.size();
      lookUp(host, found);
    }
    connectTo(connection.named(found.getFirst(), way.port()));
  }

  /**
   * @param addresses null if none was found
   */
  private void lookUp(String host, @Nullable List<InetAddress> addresses) {
    if (!selected) {
      selected = true;
      listener.proxySelectStart(call, url);
      listener.proxySelectEnd(call, url, proxies);
    }
    // OkHttp does not look up the name of a SOCKS proxy itself.
    if (way.proxy().type() != Proxy.Type.SOCKS && !Way.isLiteral(host)) {
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

  @Override
  public void connected(AttemptInfo attempt, SocketAddress address, Duration took) {
    if (address instanceof InetSocketAddress peer) {
      reached = peer.getAddress();
      InetSocketAddress named = connection.named(peer);
      if (!named.equals(connectingTo)) {
        connectTo(named);
      }
    }
    if (isSecure()) {
      listener.secureConnectStart(call);
    }
  }

  @Override
  public void acquired(AttemptInfo attempt, ConnectionInfo info, boolean reused, Duration took) {
    fresh = !reused;
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

  /** The listener of informational responses to a request with content; null for none. */
  @Nullable
  InformationalListener informed(Request wanted) {
    return listener != EventListener.NONE
            && "100-continue".equalsIgnoreCase(wanted.header("Expect"))
        ? (status, _) -> informed(status)
        : null;
  }

  /** To OkHttp, 100 (Continue) starts the response, before the content is sent. */
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

  @Override
  public void requestSent(AttemptInfo attempt, Duration took) {
    written.run();
    if (hasEmptyBody) {
      bodyStarts();
      bodySent(0);
    }
    headSent();
    if (progress == Progress.HEAD_SENT) {
      progress = Progress.SENT;
    }
  }

  /** Over HTTP/1.1, content is sent on only after a successful response. */
  @Override
  public void responseHead(AttemptInfo attempt, Status status, Duration took) {
    if (isSendingContent() && connection.protocol() == Protocol.HTTP_1_1 && !status.isSuccess()) {
      cutOff();
    }
  }

  boolean isSendingContent() {
    return progress == Progress.CONTENT;
  }

  /** Called when the rest of the content is not sent, although there is a response. */
  void cutOff() {
    progress = Progress.SENT;
    listener.requestFailed(
        call, new IOException("the server responded before it had received all of the content"));
  }

  private void responseStarts() {
    if (!responseStarted) {
      responseStarted = true;
      listener.responseHeadersStart(call);
    }
  }

  void head(Response head) {
    responseStarts();
    progress = Progress.ANSWERED;
    listener.responseHeadersEnd(call, head);
  }

  /** Called when there is no response. */
  void failed(IOException failure) {
    switch (progress) {
      case BEGUN -> {
        if (failure instanceof UnknownHostException || Failures.isThrown(failure)) {
          lookUp(way.host(), null);
        }
      }
      case CONNECTING -> connectFailed(failure);
      case HEAD, HEAD_SENT, CONTENT -> {
        // OkHttp counts buffered bytes as sent, and still reads a response.
        headSent();
        listener.requestFailed(call, failure);
        listener.responseFailed(call, failure);
      }
      case SENT, ANSWERED -> listener.responseFailed(call, failure);
    }
  }

  @Override
  public void attemptEnded(
      AttemptInfo attempt, @Nullable Status status, @Nullable IOException failure) {
    attemptFailure = failure;
  }

  /** After a response there is no failure of the connection. */
  @Override
  public void retried(AttemptInfo ended, Duration delay) {
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
