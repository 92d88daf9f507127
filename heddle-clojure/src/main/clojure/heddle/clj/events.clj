(ns heddle.clj.events
  "Server-sent events: those of a server as a sequence or by callbacks, and responses of events for
  handlers of heddle.clj.ring.

    (with-open [source (events/events \"http://localhost:8080/prices\")]
      (run! println (eduction (take 3) (map :data) source)))"
  (:require [heddle.clj.client :as client]
            [heddle.clj.message :as message]
            [heddle.clj.options :as options]
            [heddle.clj.stream :as stream])
  (:import (heddle.client HttpClient)
           (heddle.http Headers Headers$Builder Request)
           (heddle.server.spi Exchange)
           (heddle.sse EventSender EventSource EventSource$Builder EventStream ServerSentEvent)
           (java.io Closeable IOException)))

(set! *warn-on-reflection* true)

(def ^:private source-options
  {:last-event-id (fn [^EventSource$Builder b ^String v] (.lastEventId b v))
   :reconnect-delay
   (fn [^EventSource$Builder b v] (.reconnectDelay b (options/duration :reconnect-delay v)))
   :max-delay (fn [^EventSource$Builder b v] (.maxDelay b (options/duration :max-delay v)))
   :give-up-after
   (fn [^EventSource$Builder b v]
     (.giveUpAfter b (some->> v (options/duration :give-up-after))))
   :max-event-bytes (fn [^EventSource$Builder b v] (.maxEventBytes b (int v)))})

(def ^:private known
  (-> message/request-keys
      (disj :url)
      (into (keys source-options))
      (into [:reconnect? :until :on-event :on-error :on-close])))

(defn- event-map [^ServerSentEvent event]
  {:type (.type event) :data (.data event) :id (.id event)})

(defn- failing
  "Calls f; failures become those of heddle.clj.client/request."
  [{:keys [method url]} f]
  (try
    (f)
    (catch IOException e
      (throw (message/failure e method url)))))

(defn- request ^Request [client {:keys [method url] :as asked}]
  (message/request client method url (dissoc asked :method :request-method :url)))

(defn- source ^java.io.Closeable [^HttpClient client asked opts]
  (let [builder (EventSource/builder client (request client asked))
        _ (options/configure "events" source-options builder
                             (select-keys opts (keys source-options)))
        source (.build ^EventSource$Builder builder)]
    (stream/arriving #(failing asked (fn [] (some-> (.next ^EventSource source) event-map)))
                     #(.close ^EventSource source))))

(defn- one-response
  "The events of one response, which is asked for when the first event is."
  ^java.io.Closeable [^HttpClient client asked opts]
  (when-some [k (some #{:last-event-id :reconnect-delay :max-delay :give-up-after} (keys opts))]
    (throw (options/bad (str k " is for sources that connect again, not with :reconnect? false")
                        {:option k})))
  (let [call (.newCall client (request client asked))
        most (int (or (:max-event-bytes opts) EventStream/DEFAULT_MAX_EVENT_BYTES))
        opened (atom nil)
        open (fn []
               (let [events (EventStream/of (.execute call) most)]
                 (when-some [end (:until opts)]
                   (.until events end))
                 (reset! opened events)))]
    (stream/arriving
      #(failing asked (fn []
                        (let [^EventStream events (or @opened (open))]
                          (some-> (.next events) event-map))))
      #(do (.cancel call)
           (some-> ^EventStream @opened .close)))))

(defn- call-back [^Closeable values {:keys [on-event on-error on-close]}]
  (try
    (run! on-event values)
    (catch Throwable e
      (if on-error (on-error e) (throw e)))
    (finally
      (.close values)
      (when on-close (on-close)))))

(defn events
  "The events of a stream, each a map {:type \"message\", :data \"...\", :id \"\"}; :id is the last
  id that the stream has set. To be reduced, or used as a sequence, once; it connects when the first
  event is asked for. Closing it, from any thread, ends it. Options, all optional:

  :reconnect?     true, the default: when the connection ends or fails, connects again and asks for
                  the events after the last; ends with a 204. false: the events of one response
  :last-event-id :reconnect-delay :max-delay :give-up-after  of sources that reconnect
  :until          with :reconnect? false, the data of an event that ends the stream, such as
                  \"[DONE]\"
  :max-event-bytes  1 MiB by default
  :on-event       a function of an event: a virtual thread receives and calls it for one event after
                  the other. The result is then only to be closed
  :on-error       with :on-event, a function of the exception that has ended the stream
  :on-close       with :on-event, a function without arguments, called once at the end
  :method :headers :query-params :body :json-params :timeout :client ...
                  of the request, as of heddle.clj.client/request. A timeout bounds each connection

  What ends a source is thrown by the function that asks for the next event, as
  heddle.clj.client/request throws; Heddle's exception, such as NoEventStreamException, is its
  cause."
  (^java.io.Closeable [url] (events url {}))
  (^java.io.Closeable [url opts]
   (options/check "events" known opts)
   (let [client (or (:client opts) (client/default-client))
         asked (assoc (select-keys opts message/request-keys)
                      :url url
                      :method (or (:method opts) (:request-method opts) :get))
         _ (when (and (:until opts) (not (false? (:reconnect? opts))))
             (throw (options/bad ":until needs :reconnect? false" {:option :until})))
         values (failing asked #(if (false? (:reconnect? opts))
                                  (one-response client asked opts)
                                  (source client asked opts)))]
     (when (:on-event opts)
       (-> (Thread/ofVirtual)
           (.name "heddle-clojure-events")
           (.start ^Runnable (bound-fn* #(call-back values opts)))))
     values)))

(defn- headers ^Headers [fields]
  (let [builder (Headers/builder)]
    (run! (fn [[n v]] (.add builder (message/text n) (message/text v))) fields)
    (.build ^Headers$Builder builder)))

(defn response
  "A response for a handler of heddle.clj.ring: calls `f` with a function that sends an event, a
  string or a map of :data and optionally :type and :id. The stream ends when `f` returns. Sending
  throws an IOException once the client has gone.

  :headers    more of the response, {name value}
  :heartbeat  sends an empty comment after each such time of silence, so that the client, and
              proxies, know that the stream lives"
  ([f] (response {} f))
  ([opts f]
   (options/check "a response of events" #{:headers :heartbeat} opts)
   {:heddle/handler
    (fn [^Exchange exchange]
      (with-open [sender (EventSender/open exchange (headers (:headers opts)))]
        (when-some [interval (:heartbeat opts)]
          (.heartbeat sender (options/duration :heartbeat interval)))
        (f (fn [event]
             (if (string? event)
               (.send sender ^String event)
               (.send sender (ServerSentEvent. (message/text (:type event "message"))
                                               (message/text (:data event ""))
                                               (message/text (:id event ""))))))))
      nil)}))
