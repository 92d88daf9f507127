package heddle.adapters.okhttp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
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

/** Records the events of a listener. */
class Diary extends EventListener {
  final List<String> entries = new CopyOnWriteArrayList<>();

  /** Notified of each entry. */
  private final Object told = new Object();

  /** Waits for this event: a cancel may be reported after the call has failed. */
  final void await(String entry) throws InterruptedException {
    awaitOne(entry::equals);
  }

  /** Waits for an event of this name, with any details. */
  final void awaitFirst(String name) throws InterruptedException {
    awaitOne(entry -> entry.equals(name) || entry.startsWith(name + " "));
  }

  private void awaitOne(Predicate<String> is) throws InterruptedException {
    synchronized (told) {
      while (entries.stream().noneMatch(is)) {
        told.wait();
      }
    }
  }

  /** All events but this one. */
  List<String> without(String entry) {
    return entries.stream().filter(each -> !each.equals(entry)).toList();
  }

  List<String> from(String entry) {
    return entries.subList(entries.indexOf(entry), entries.size());
  }

  /** Called after each entry. */
  void noted(Call call, String entry) {}

  private void note(Call call, String entry) {
    entries.add(entry);
    synchronized (told) {
      told.notifyAll();
    }
    noted(call, entry);
  }

  private void note(Call call, String name, Object detail) {
    note(call, name + " " + detail);
  }

  private static String kind(Object thing) {
    return thing.getClass().getSimpleName();
  }

  @Override
  public void callStart(Call call) {
    note(call, "callStart");
  }

  @Override
  public void dispatcherQueueStart(Call call, Dispatcher dispatcher) {
    note(call, "dispatcherQueueStart");
  }

  @Override
  public void dispatcherQueueEnd(Call call, Dispatcher dispatcher) {
    note(call, "dispatcherQueueEnd");
  }

  @Override
  public void proxySelectStart(Call call, HttpUrl url) {
    note(call, "proxySelectStart");
  }

  @Override
  public void proxySelectEnd(Call call, HttpUrl url, List<Proxy> proxies) {
    note(call, "proxySelectEnd", proxies);
  }

  @Override
  public void dnsStart(Call call, String domainName) {
    note(call, "dnsStart", domainName);
  }

  @Override
  public void dnsEnd(Call call, String domainName, List<InetAddress> addresses) {
    note(call, "dnsEnd", addresses.getFirst().getHostName());
  }

  @Override
  public void connectStart(Call call, InetSocketAddress address, Proxy proxy) {
    note(call, "connectStart", proxy);
  }

  @Override
  public void secureConnectStart(Call call) {
    note(call, "secureConnectStart");
  }

  @Override
  public void secureConnectEnd(Call call, @Nullable Handshake handshake) {
    note(call, "secureConnectEnd", handshake == null ? "-" : handshake.tlsVersion());
  }

  @Override
  public void connectEnd(
      Call call, InetSocketAddress address, Proxy proxy, @Nullable Protocol protocol) {
    note(call, "connectEnd", String.valueOf(protocol));
  }

  @Override
  public void connectFailed(
      Call call,
      InetSocketAddress address,
      Proxy proxy,
      @Nullable Protocol protocol,
      IOException failure) {
    note(call, "connectFailed", kind(failure));
  }

  @Override
  public void connectionAcquired(Call call, Connection connection) {
    note(call, "connectionAcquired", connection.protocol());
  }

  @Override
  public void connectionReleased(Call call, Connection connection) {
    note(call, "connectionReleased");
  }

  @Override
  public void requestHeadersStart(Call call) {
    note(call, "requestHeadersStart");
  }

  @Override
  public void requestHeadersEnd(Call call, Request request) {
    note(call, "requestHeadersEnd");
  }

  @Override
  public void requestBodyStart(Call call) {
    note(call, "requestBodyStart");
  }

  @Override
  public void requestBodyEnd(Call call, long byteCount) {
    note(call, "requestBodyEnd", byteCount);
  }

  @Override
  public void requestFailed(Call call, IOException failure) {
    note(call, "requestFailed", kind(failure));
  }

  @Override
  public void responseHeadersStart(Call call) {
    note(call, "responseHeadersStart");
  }

  @Override
  public void responseHeadersEnd(Call call, Response response) {
    note(call, "responseHeadersEnd", response.code());
  }

  @Override
  public void responseBodyStart(Call call) {
    note(call, "responseBodyStart");
  }

  @Override
  public void responseBodyEnd(Call call, long byteCount) {
    note(call, "responseBodyEnd", byteCount);
  }

  @Override
  public void responseFailed(Call call, IOException failure) {
    note(call, "responseFailed", kind(failure));
  }

  @Override
  public void callEnd(Call call) {
    note(call, "callEnd");
  }

  @Override
  public void callFailed(Call call, IOException failure) {
    note(call, "callFailed", kind(failure));
  }

  @Override
  public void canceled(Call call) {
    note(call, "canceled");
  }

  @Override
  public void cacheHit(Call call, Response response) {
    note(call, "cacheHit");
  }

  @Override
  public void cacheMiss(Call call) {
    note(call, "cacheMiss");
  }

  @Override
  public void cacheConditionalHit(Call call, Response response) {
    note(call, "cacheConditionalHit");
  }

  @Override
  public void satisfactionFailure(Call call, Response response) {
    note(call, "satisfactionFailure");
  }

  @Override
  public void retryDecision(Call call, IOException failure, boolean retry) {
    note(call, "retryDecision", kind(failure) + " " + retry);
  }

  @Override
  public void followUpDecision(Call call, Response response, @Nullable Request next) {
    note(
        call,
        "followUpDecision",
        response.code() + " " + (next == null ? "-" : next.url().encodedPath()));
  }
}
