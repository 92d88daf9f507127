(ns heddle.clj.ring
  "Ring handlers on Heddle's server. Each request is answered on a new virtual thread, so that
  synchronous handlers may block.

    (with-open [server (run-server (fn [request] {:status 200 :headers {} :body \"Hello\"})
                                   {:port 0})]
      (port server))

  The maps are those of the Ring specification 1.5; Ring's jars are not needed, and its protocols
  are honoured if they are on the class path when the server starts."
  (:require [clojure.string :as str]
            [heddle.clj.message :as message]
            [heddle.clj.options :as options]
            [heddle.clj.websocket :as websocket])
  (:import (clojure.lang ISeq)
           (heddle.http Body Body$Writer HeaderName Headers Limits Limits$Builder MediaType Method
                        Request Response Response$Builder Status)
           (heddle.server HttpServer HttpServer$Builder ListenAddress)
           (heddle.server.spi Exchange ExchangeHandler)
           (heddle.websocket WebSocket WebSocketHandler WebSocketHandler$Builder
                             WebSocketHandler$Endpoint)
           (java.io Closeable File FileNotFoundException InputStream OutputStream)
           (java.net InetSocketAddress SocketAddress)
           (java.nio ByteBuffer)
           (java.nio.charset Charset StandardCharsets)
           (java.nio.file Path)
           (java.util.concurrent CompletableFuture CountDownLatch ExecutionException)
           (java.util.function Predicate)))

(set! *warn-on-reflection* true)

(defprotocol StreamableBody
  "What can be the :body of a response, besides what the specification names."
  (write-body [body response out]
    "Writes the body to an OutputStream; `flush` sends what was written so far. The stream is closed
    when this returns, for an asynchronous handler when it is closed, by any thread."))

(defprotocol Listener
  "What happens to a WebSocket. A map may be a listener too: the names of these functions as
  keywords, with functions that take the same arguments but the listener, all optional. Functions
  that throw end their socket with the code 1011."
  (on-open [listener socket] "It has opened.")
  (on-message [listener socket message] "A message, a CharSequence or a ByteBuffer.")
  (on-error [listener socket throwable] "It has failed; `on-close` follows.")
  (on-close [listener socket code reason] "It has ended; called once, always."))

;; ---- requests

(defn- request-method [^Method m]
  (condp identical? m
    Method/GET :get
    Method/POST :post
    Method/PUT :put
    Method/DELETE :delete
    Method/HEAD :head
    Method/PATCH :patch
    Method/OPTIONS :options
    (keyword (str/lower-case (.name m)))))

(defn- request-headers
  "Fields by lower-case names; repeated ones joined by commas, those of Cookie by semicolons."
  [^Headers fields]
  (let [size (.size fields)]
    (loop [i 0 result (transient {})]
      (if (= i size)
        (persistent! result)
        (let [field-name (.name fields i)
              key (.lowerCase field-name)
              value (.value fields i)
              before (result key)]
          (recur (inc i)
                 (assoc! result key
                         (if (nil? before)
                           value
                           (str before (if (= field-name HeaderName/COOKIE) ";" ",") value)))))))))

(defn- ip ^String [^SocketAddress address]
  (if (instance? InetSocketAddress address)
    (.getHostAddress (.getAddress ^InetSocketAddress address))
    (str address)))

(defn- request-map [^Exchange exchange]
  (let [^Request request (.request exchange)
        local (.localAddress exchange)
        origin (.origin request)
        path (.path request)
        body (.body request)
        query (.query request)
        certificates (.clientCertificates exchange)]
    (cond-> {:server-port (if (instance? InetSocketAddress local)
                            (.getPort ^InetSocketAddress local)
                            (.port origin))
             :server-name (.host origin)
             :remote-addr (ip (.remoteAddress exchange))
             :uri (if (str/starts-with? path "/") path (str "/" path))
             :scheme (if (.isSecure origin) :https :http)
             :request-method (request-method (.method request))
             :protocol (str (.version exchange))
             :headers (request-headers (.headers request))
             :heddle/exchange exchange}
      query (assoc :query-string query)
      (not (zero? (.length body))) (assoc :body (.stream body))
      (not (.isEmpty certificates)) (assoc :ssl-client-cert (.getFirst certificates)))))

;; ---- responses

(defn- ring-var
  "A var of Ring's, if its jar is on the class path."
  [symbol]
  (try
    (requiring-resolve symbol)
    (catch FileNotFoundException _ nil)))

(defn- first-value [headers header-name]
  (let [value (some (fn [[n v]] (when (.equalsIgnoreCase ^String header-name (message/text n)) v))
                    headers)]
    (if (sequential? value) (first value) value)))

(defn- charset ^Charset [headers]
  (let [type (first-value headers "Content-Type")
        media-type (when (and type (str/includes? type "charset")) (MediaType/parse type))]
    (or (when media-type (.charset media-type)) StandardCharsets/UTF_8)))

(defn- watched
  "The stream `out`, and a latch that closing it releases."
  ^OutputStream [^OutputStream out ^CountDownLatch closed]
  (proxy [OutputStream] []
    (write
      ([b] (if (bytes? b) (.write out ^bytes b) (.write out (unchecked-int b))))
      ([b from size] (.write out ^bytes b (int from) (int size))))
    (flush [] (.flush out))
    (close [] (try (.flush out) (finally (.countDown closed))))))

(defn- written
  "A body that `f` writes. With async?, it has ended when its stream is closed."
  ^Body [async? f]
  (Body/written
    (reify Body$Writer
      (writeTo [_ out]
        (if async?
          (let [closed (CountDownLatch. 1)]
            (f (watched out closed))
            (.await closed))
          (f out))))))

(defn- write-seq [values ^Charset charset ^OutputStream out]
  (run! #(.write out (.getBytes (str %) charset)) values))

(defn- body-of ^Body [{:keys [body headers] :as response} {:keys [async? ring-body ring-write]}]
  (cond
    (nil? body) (Body/empty)
    (string? body) (Body/of (.getBytes ^String body (charset headers)))
    (bytes? body) (Body/of ^bytes body)
    (instance? InputStream body)
    (let [length (some-> (first-value headers "Content-Length") str parse-long)]
      (Body/of ^InputStream body (long (or length Body/UNKNOWN))))
    (instance? File body) (Body/of (.toPath ^File body))
    (instance? Path body) (Body/of ^Path body)
    (instance? ISeq body) (written false #(write-seq body (charset headers) %))
    (instance? Body body) body
    (fn? body) (written false body)
    (satisfies? StreamableBody body) (written async? #(write-body body response %))
    (and ring-body (satisfies? @ring-body body)) (written async? #(ring-write body response %))
    :else (throw (ex-info (str "the :body of a response is a string, sequence, File, Path,"
                               " InputStream, byte array, function, nil or a"
                               " heddle.clj.ring/StreamableBody, not a "
                               (.getName (class body)))
                          {:type :heddle/bad-response}))))

(defn- add-headers [^Response$Builder builder headers]
  (reduce-kv (fn [_ n v]
               (if (or (sequential? v) (set? v))
                 (run! #(.header builder (message/text n) (message/text %)) v)
                 (.header builder (message/text n) (message/text v))))
             nil
             headers))

(defn- response ^Response [{:keys [status headers body] :as given} settings]
  (when-not (and (map? given) (integer? status))
    (throw (ex-info (cond
                      (not (map? given)) (str "a handler returns a map with a :status, not "
                                              (pr-str given))
                      (nil? status) (str "a handler returns a map with a :status, not one with "
                                         (vec (keys given)))
                      :else (str "the :status of a response is an integer, not " (pr-str status)))
                    {:type :heddle/bad-response})))
  (try
    (let [builder (Response/builder (Status/of (int status)))]
      (add-headers builder headers)
      (.body builder (body-of given settings))
      (.build builder))
    (catch Throwable e
      (when (instance? Closeable body)
        (.close ^Closeable body))
      (throw e))))

;; ---- WebSockets

(defn- map-listener
  "The functions of a listener that is a map. Without :on-error failures are logged."
  [{:keys [on-open on-message on-error on-close]}]
  {:on-open (or on-open (fn [_]))
   :on-message (or on-message (fn [_ _]))
   :on-error on-error
   :on-close (or on-close (fn [_ _ _]))})

(defn- functions [listener {:keys [ring-listener ring-listener-functions]}]
  (cond
    (and (map? listener) (not (record? listener))) (map-listener listener)

    (satisfies? Listener listener)
    {:on-open #(on-open listener %)
     :on-message #(on-message listener %1 %2)
     :on-error #(on-error listener %1 %2)
     :on-close #(on-close listener %1 %2 %3)}

    (and ring-listener (satisfies? @ring-listener listener))
    (update-vals ring-listener-functions #(partial % listener))

    :else (throw (ex-info (str "a listener is a map or a heddle.clj.ring/Listener, not a "
                               (.getName (class listener)))
                          {:type :heddle/bad-response}))))

(defn- serve-socket [socket {:keys [on-open on-message on-error on-close]}]
  (websocket/listen socket
                    {:on-open on-open
                     :on-message #(on-message socket (if (bytes? %) (ByteBuffer/wrap %) %))
                     :on-error (when on-error #(on-error socket %))
                     :on-close #(on-close socket %1 %2)}))

(def ^:private websocket-options
  {:compression
   (fn [^WebSocketHandler$Builder b v]
     (.compression b (options/choice :compression websocket/compressions v)))
   :max-message-bytes (fn [^WebSocketHandler$Builder b v] (.maxMessageBytes b (int v)))
   :ping-interval
   (fn [^WebSocketHandler$Builder b v]
     (.pingInterval b (some->> v (options/duration :ping-interval))))
   :close-timeout
   (fn [^WebSocketHandler$Builder b v]
     (.closeTimeout b (options/duration :close-timeout v)))
   :origins
   (fn [^WebSocketHandler$Builder b v]
     (.origins b (reify Predicate (test [_ origin] (boolean (v origin))))))})

(defn- open-socket [^Exchange exchange answer settings]
  (let [callbacks (functions (:ring.websocket/listener answer) settings)
        builder (WebSocketHandler/builder)]
    (options/configure ":websocket" websocket-options builder (:websocket settings))
    (when-some [protocol (:ring.websocket/protocol answer)]
      (.subprotocols builder (into-array String [protocol])))
    (.handle (.build builder (reify WebSocketHandler$Endpoint
                               (use [_ socket _] (serve-socket socket callbacks))))
             exchange)))

(defn- no-control-frames [& _]
  (throw (UnsupportedOperationException.
           (str "Heddle's sockets answer pings themselves; the option :ping-interval of :websocket"
                " sends them"))))

(defn- ring-settings
  "What Ring's protocols are, if its jars are on the class path. Sockets then satisfy its Socket."
  []
  (let [socket (ring-var 'ring.websocket.protocols/Socket)
        async (ring-var 'ring.websocket.protocols/AsyncSocket)
        listener (ring-var 'ring.websocket.protocols/Listener)]
    (when socket
      (extend WebSocket @socket
        {:-open? websocket/open?
         :-send websocket/send!
         :-ping no-control-frames
         :-pong no-control-frames
         :-close websocket/close!}))
    (when async
      (extend WebSocket @async
        {:-send-async (fn [socket m succeed fail]
                        (Thread/startVirtualThread
                          (fn []
                            (let [failure (try (websocket/send! socket m) nil
                                               (catch Throwable e e))]
                              (if failure (fail failure) (succeed))))))}))
    (cond-> {:ring-body (ring-var 'ring.core.protocols/StreamableResponseBody)
             :ring-write (ring-var 'ring.core.protocols/write-body-to-stream)}
      listener
      (assoc :ring-listener listener
             :ring-listener-functions
             {:on-open (ring-var 'ring.websocket.protocols/on-open)
              :on-message (ring-var 'ring.websocket.protocols/on-message)
              :on-error (ring-var 'ring.websocket.protocols/on-error)
              :on-close (ring-var 'ring.websocket.protocols/on-close)}))))

;; ---- handlers

(defn- answer-of
  "Calls an asynchronous handler and waits for what it gives to respond or raise first."
  [handler request]
  (let [answer (CompletableFuture.)]
    (handler request
             (fn [given] (.complete answer given))
             (fn [failure] (.completeExceptionally answer failure)))
    (try
      (.get answer)
      (catch ExecutionException e
        (throw (.getCause e))))))

(defn- reply ^Response [exchange answer settings]
  (cond
    (:ring.websocket/listener answer) (open-socket exchange answer settings)
    (:heddle/handler answer) ((:heddle/handler answer) exchange)
    :else (response answer settings)))

(defn exchange-handler
  "A heddle.server.spi.ExchangeHandler that answers with a Ring handler, for routers and filters of
  Heddle. Options: :async? and :websocket, as of `run-server`."
  (^heddle.server.spi.ExchangeHandler [handler] (exchange-handler handler {}))
  (^heddle.server.spi.ExchangeHandler [handler opts]
   (options/check "a handler" #{:async? :websocket} opts)
   (when-not (ifn? handler)
     (throw (options/bad (str "a handler is a function of a request, not " (pr-str handler))
                         {:option :handler})))
   (options/configure ":websocket" websocket-options (WebSocketHandler/builder)
                      (:websocket opts))
   (let [settings (merge (ring-settings) opts)
         async? (:async? opts)]
     (reify ExchangeHandler
       (handle [_ exchange]
         (let [request (request-map exchange)]
           (reply exchange
                  (if async? (answer-of handler request) (handler request))
                  settings)))))))

;; ---- servers

(def ^:private head-options
  {:max-head-bytes (fn [^Limits$Builder b v] (.maxHeadBytes b (int v)))
   :max-fields (fn [^Limits$Builder b v] (.maxFields b (int v)))
   :max-start-line-bytes (fn [^Limits$Builder b v] (.maxStartLineBytes b (int v)))
   :max-chunk-overhead-bytes (fn [^Limits$Builder b v] (.maxChunkOverheadBytes b (int v)))
   :max-interim-responses (fn [^Limits$Builder b v] (.maxInterimResponses b (int v)))})

(defn- head-limits ^Limits [v]
  (if (instance? Limits v)
    v
    (.build ^Limits$Builder
            (options/configure ":head-limits" head-options
                               (.toBuilder Limits/SERVER_DEFAULTS) v))))

(def ^:private server-options
  {:port (fn [^HttpServer$Builder b v] (.port b (int v)))
   :address (fn [^HttpServer$Builder b v] (.address b v))
   :listen (fn [^HttpServer$Builder b v]
             (run! (fn [each] (.listen b (if (instance? ListenAddress each)
                                           each
                                           (ListenAddress/of each))))
                   (options/each v)))
   :proxy-protocol (fn [^HttpServer$Builder b v] (.proxyProtocol b v))
   :handler-timeout
   (fn [^HttpServer$Builder b v] (.handlerTimeout b (options/duration :handler-timeout v)))
   :executor (fn [^HttpServer$Builder b v] (.executor b v))
   :network (fn [^HttpServer$Builder b v] (.network b v))
   :tls (fn [^HttpServer$Builder b v] (.tls b v))
   :upgrade-to-h2c (fn [^HttpServer$Builder b v] (.upgradeToH2c b (boolean v)))
   :http2 (fn [^HttpServer$Builder b v] (.http2 b (boolean v)))
   :host-required (fn [^HttpServer$Builder b v] (.hostRequired b (boolean v)))
   :loops (fn [^HttpServer$Builder b v] (.loops b (int v)))
   :backlog (fn [^HttpServer$Builder b v] (.backlog b (int v)))
   :memory-budget (fn [^HttpServer$Builder b v] (.memoryBudget b (long v)))
   :max-connections (fn [^HttpServer$Builder b v] (.maxConnections b (int v)))
   :max-requests (fn [^HttpServer$Builder b v] (.maxRequests b (int v)))
   :max-body-bytes (fn [^HttpServer$Builder b v] (.maxBodyBytes b (long v)))
   :max-discard-bytes (fn [^HttpServer$Builder b v] (.maxDiscardBytes b (int v)))
   :head-limits (fn [^HttpServer$Builder b v] (.headLimits b (head-limits v)))
   :head-timeout
   (fn [^HttpServer$Builder b v] (.headTimeout b (options/duration :head-timeout v)))
   :body-timeout
   (fn [^HttpServer$Builder b v] (.bodyTimeout b (options/duration :body-timeout v)))
   :write-timeout
   (fn [^HttpServer$Builder b v] (.writeTimeout b (options/duration :write-timeout v)))
   :min-rate
   (fn [^HttpServer$Builder b v]
     (let [[rate grace] (options/pair :min-rate v)]
       (.minRate b (int rate) (options/duration :min-rate grace))))
   :idle-timeout
   (fn [^HttpServer$Builder b v] (.idleTimeout b (options/duration :idle-timeout v)))
   :linger-timeout
   (fn [^HttpServer$Builder b v] (.lingerTimeout b (options/duration :linger-timeout v)))
   :http2-max-streams (fn [^HttpServer$Builder b v] (.http2MaxStreams b (int v)))
   :http2-stream-window
   (fn [^HttpServer$Builder b v]
     (let [[at-first at-most] (options/pair :http2-stream-window v)]
       (.http2StreamWindow b (int at-first) (int at-most))))
   :http2-connection-window (fn [^HttpServer$Builder b v] (.http2ConnectionWindow b (int v)))
   :http2-max-frame-bytes (fn [^HttpServer$Builder b v] (.http2MaxFrameBytes b (int v)))
   :http2-header-table-bytes (fn [^HttpServer$Builder b v] (.http2HeaderTableBytes b (int v)))
   :close-timeout
   (fn [^HttpServer$Builder b v] (.closeTimeout b (options/duration :close-timeout v)))
   :drain-delay
   (fn [^HttpServer$Builder b v] (.drainDelay b (options/duration :drain-delay v)))})

(def ^:private foreign
  "What stands for keys of http-kit's server and of Ring's adapter for Jetty."
  {:ip "use :host"
   :thread "each request has a virtual thread; :max-requests bounds them"
   :threads "each request has a virtual thread; :max-requests bounds them"
   :max-threads "each request has a virtual thread; :max-requests bounds them"
   :min-threads "each request has a virtual thread; :max-requests bounds them"
   :queue-size "use :max-requests"
   :worker-pool "use :executor"
   :thread-pool "use :executor"
   :max-body "use :max-body-bytes"
   :max-line "use :head-limits {:max-start-line-bytes n}"
   :max-ws "use :websocket {:max-message-bytes n}"
   :async "use :async? true"
   :async-timeout "use :handler-timeout"
   :join? "run-server returns at once; end main with @(promise) to keep the JVM alive"
   :ssl? "use :tls with a TlsOptions"
   :ssl-port "use :tls with a TlsOptions; :listen adds addresses"
   :keystore "use :tls with a TlsOptions"
   :http? "use :tls with a TlsOptions; :listen adds addresses"
   :daemon? "a server never keeps the JVM alive; end main with @(promise) for that"
   :max-idle-time "use :idle-timeout"})

(defn run-server
  "Starts a server that answers with a Ring handler, and returns it. Close it with `stop`,
  `with-open` or `.close`; `port` is the one it listens on. It does not keep the JVM alive: a
  program that only serves ends its main with @(promise). Options, all optional:

  :port         0, the default, lets the system choose
  :host         the name or IP address to listen on, the loopback address by default; \"0.0.0.0\"
                for all interfaces
  :async?       true for handlers that take a request and functions for a response and an exception
  :websocket    of sockets that handlers open: {:compression :off, :max-message-bytes n,
                :ping-interval ms, :close-timeout ms, :origins (fn [origin] ...)}
  :tls          a heddle.transport.tls.TlsOptions with an identity
  :head-limits  {:max-head-bytes n, :max-fields n, :max-start-line-bytes n,
                :max-chunk-overhead-bytes n, :max-interim-responses n}, or a Limits
  :min-rate     [bytes-per-second grace], :http2-stream-window [at-first at-most]
  :max-body-bytes :max-connections :max-requests :max-discard-bytes :memory-budget :backlog :loops
  :handler-timeout :head-timeout :body-timeout :write-timeout :idle-timeout :linger-timeout
  :close-timeout :drain-delay :http2 :upgrade-to-h2c :host-required :http2-max-streams
  :http2-connection-window :http2-max-frame-bytes :http2-header-table-bytes :executor :network
  :proxy-protocol :address :listen
                as the methods of heddle.server.HttpServer/builder; times are milliseconds or a
                Duration

  Requests have the keys that the specification requires, :query-string, :body and
  :ssl-client-cert where there are such, and :heddle/exchange, Heddle's Exchange. :body may be read
  until the handler has returned, and while the body of its response is written.

  A response is a map of :status, :headers and :body; or has :ring.websocket/listener, with
  :ring.websocket/protocol if wanted; or has :heddle/handler, a function of the Exchange that
  answers as a heddle.server.spi.ExchangeHandler does. :body may be a string (in the charset of
  Content-Type, or UTF-8), a sequence, File, Path, InputStream, byte array, function of an
  OutputStream, StreamableBody, or nil. Files and streams are closed. An exception is logged and
  answered 500 without details; once the response has begun, it is cut. With :handler-timeout, a
  handler that has not answered by then is interrupted and 503 sent, also an asynchronous one."
  (^heddle.server.HttpServer [handler] (run-server handler {}))
  (^heddle.server.HttpServer [handler opts]
   (let [own #{:host :async? :websocket}
         _ (options/check "a server" (into own (keys server-options)) foreign opts)
         builder (HttpServer/builder)]
     (options/configure "a server" server-options builder (apply dissoc opts own))
     (when-some [host (:host opts)]
       (when-not (string? host)
         (throw (options/bad (str ":host of a server is a string, not " (pr-str host))
                             {:option :host :value host})))
       (.address builder (InetSocketAddress. ^String host (int (:port opts 0)))))
     (.exchangeHandler builder
                       (exchange-handler handler (select-keys opts [:async? :websocket])))
     (.start builder))))

(defn port
  "The port that a server listens on."
  [^HttpServer server]
  (.port server))

(defn stop
  "Closes a server: it accepts no more, and running requests may end for :close-timeout, or for
  `timeout` (milliseconds or a Duration), before they are cut. Returns when that is done."
  ([^HttpServer server] (.close server))
  ([^HttpServer server timeout] (.close server (options/duration :timeout timeout))))
