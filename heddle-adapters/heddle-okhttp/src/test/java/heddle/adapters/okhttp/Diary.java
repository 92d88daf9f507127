package heddle.adapters.okhttp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import okhttp3.Call;
import okhttp3.Connection;
import okhttp3.Dispatcher;
import okhttp3.EventListener;
import okhttp3.Handshake;
import okhttp3.HttpUrl;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/** Writes down what it is told. */
class Diary extends EventListener {
  final List<String> entries = new CopyOnWriteArrayList<>();

  /** What was told but this. */
  List<String> without(String entry) {
    return entries.stream().filter(each -> !each.equals(entry)).toList();
  }

  List<String> from(String entry) {
    return entries.subList(entries.indexOf(entry), entries.size());
  }

  private void note(String name) {
    entries.add(name);
  }

  private void note(String name, Object detail) {
    entries.add(name + " " + detail);
  }

  private static String kind(Object thing) {
    return thing.getClass().getSimpleName();
  }

  @Override
  public void callStart(Call call) {
    note("callStart");
  }

  @Override
  public void dispatcherQueueStart(Call call, Dispatcher dispatcher) {
    note("dispatcherQueueStart");
  }

  @Override
  public void dispatcherQueueEnd(Call call, Dispatcher dispatcher) {
    note("dispatcherQueueEnd");
  }

  @Override
  public void proxySelectStart(Call call, HttpUrl url) {
    note("proxySelectStart");
  }

  @Override
  public void proxySelectEnd(Call call, HttpUrl url, List<Proxy> proxies) {
    note("proxySelectEnd", proxies);
  }

  @Override
  public void dnsStart(Call call, String domainName) {
    note("dnsStart", domainName);
  }

  @Override
  public void dnsEnd(Call call, String domainName, List<InetAddress> addresses) {
    note("dnsEnd", addresses.getFirst().getHostName());
  }

  @Override
  public void connectStart(Call call, InetSocketAddress address, Proxy proxy) {
    note("connectStart", proxy);
  }

  @Override
  public void secureConnectStart(Call call) {
    note("secureConnectStart");
  }

  @Override
  public void secureConnectEnd(Call call, @Nullable Handshake handshake) {
    note("secureConnectEnd", handshake == null ? "-" : handshake.tlsVersion());
  }

  @Override
  public void connectEnd(
      Call call, InetSocketAddress address, Proxy proxy, @Nullable Protocol protocol) {
    note("connectEnd", String.valueOf(protocol));
  }

  @Override
  public void connectFailed(
      Call call,
      InetSocketAddress address,
      Proxy proxy,
      @Nullable Protocol protocol,
      IOException failure) {
    note("connectFailed", kind(failure));
  }

  @Override
  public void connectionAcquired(Call call, Connection connection) {
    note("connectionAcquired", connection.protocol());
  }

  @Override
  public void connectionReleased(Call call, Connection connection) {
    note("connectionReleased");
  }

  @Override
  public void requestHeadersStart(Call call) {
    note("requestHeadersStart");
  }

  @Override
  public void requestHeadersEnd(Call call, Request request) {
    note("requestHeadersEnd");
  }

  @Override
  public void requestBodyStart(Call call) {
    note("requestBodyStart");
  }

  @Override
  public void requestBodyEnd(Call call, long byteCount) {
    note("requestBodyEnd", byteCount);
  }

  @Override
  public void requestFailed(Call call, IOException failure) {
    note("requestFailed", kind(failure));
  }

  @Override
  public void responseHeadersStart(Call call) {
    note("responseHeadersStart");
  }

  @Override
  public void responseHeadersEnd(Call call, Response response) {
    note("responseHeadersEnd", response.code());
  }

  @Override
  public void responseBodyStart(Call call) {
    note("responseBodyStart");
  }

  @Override
  public void responseBodyEnd(Call call, long byteCount) {
    note("responseBodyEnd", byteCount);
  }

  @Override
  public void responseFailed(Call call, IOException failure) {
    note("responseFailed", kind(failure));
  }

  @Override
  public void callEnd(Call call) {
    note("callEnd");
  }

  @Override
  public void callFailed(Call call, IOException failure) {
    note("callFailed", kind(failure));
  }

  @Override
  public void canceled(Call call) {
    note("canceled");
  }

  @Override
  public void cacheHit(Call call, Response response) {
    note("cacheHit");
  }

  @Override
  public void cacheMiss(Call call) {
    note("cacheMiss");
  }

  @Override
  public void cacheConditionalHit(Call call, Response response) {
    note("cacheConditionalHit");
  }

  @Override
  public void satisfactionFailure(Call call, Response response) {
    note("satisfactionFailure");
  }

  @Override
  public void retryDecision(Call call, IOException failure, boolean retry) {
    note("retryDecision", kind(failure) + " " + retry);
  }

  @Override
  public void followUpDecision(Call call, Response response, @Nullable Request next) {
    note(
        "followUpDecision",
        response.code() + " " + (next == null ? "-" : next.url().encodedPath()));
  }
}
