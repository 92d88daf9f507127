(ns heddle.clj.client
  "An HTTP client: maps in, maps out.

    (require '[heddle.clj.client :as http])
    (:body (http/get \"http://localhost:8080/hello\" {:query-params {:name \"Ada\"}}))

  Functions block the calling thread, which may be a virtual one, or return at once with
  {:async? true}. `request` documents the options and the result. All functions may be called by
  any number of threads."
  (:refer-clojure :exclude [get])
  (:require [heddle.clj.message :as message]
            [heddle.clj.options :as options])
  (:import (clojure.lang IBlockingDeref IDeref IPending)
           (heddle.client HttpCall HttpClient HttpClient$Builder)
           (heddle.client.settings DecodingLimits NameCacheLimits PoolLimits RedirectPolicy
                                   RetryPolicy Timeouts PoolLimits$Builder RetryBudget
                                   Timeouts$Builder)
           (heddle.client.spi Proxy ProxySelector)
           (heddle.http HeaderName MediaType Request Response)
           (heddle.transport.tls TlsOptions)
           (java.io File IOException)
           (java.nio.file Path)
           (java.util.concurrent CancellationException CompletableFuture ExecutionException Future
                                 TimeUnit TimeoutException)
           (java.util.function Predicate Supplier)))

(set! *warn-on-reflection* true)

;; ---- clients

(def ^:private pool-options
  {:max-per-route (fn [^PoolLimits$Builder b v] (.maxPerRoute b (int v)))
   :max-http2-per-route (fn [^PoolLimits$Builder b v] (.maxHttp2PerRoute b (int v)))
   :max-streams-per-connection
   (fn [^PoolLimits$Builder b v] (.maxStreamsPerConnection b (int v)))
   :max-in-flight-per-route (fn [^PoolLimits$Builder b v] (.maxInFlightPerRoute b (int v)))
   :max-total (fn [^PoolLimits$Builder b v] (.maxTotal b (int v)))
   :max-queued-per-route (fn [^PoolLimits$Builder b v] (.maxQueuedPerRoute b (int v)))
   :acquire-timeout
   (fn [^PoolLimits$Builder b v]
     (.acquireTimeout b (some->> v (options/duration :acquire-timeout))))
   :idle-timeout
   (fn [^PoolLimits$Builder b v] (.idleTimeout b (options/duration :idle-timeout v)))
   :max-age (fn [^PoolLimits$Builder b v] (.maxAge b (options/duration :max-age v)))
   :age-jitter (fn [^PoolLimits$Builder b v] (.ageJitter b (double v)))
   :adaptive
   (fn [^PoolLimits$Builder b v]
     (let [[least most] (options/pair :adaptive v)]
       (.adaptive b (int least) (int most))))})

(def ^:private timeout-options
  {:call (fn [^Timeouts$Builder b v] (.call b (some->> v (options/duration :call))))
   :head (fn [^Timeouts$Builder b v] (.head b (some->> v (options/duration :head))))
   :connect (fn [^Timeouts$Builder b v] (.connect b (options/duration :connect v)))
   :tls (fn [^Timeouts$Builder b v] (.tls b (options/duration :tls v)))
   :settings (fn [^Timeouts$Builder b v] (.settings b (options/duration :settings v)))
   :first-byte
   (fn [^Timeouts$Builder b v] (.firstByte b (some->> v (options/duration :first-byte))))
   :expect-continue
   (fn [^Timeouts$Builder b v] (.expectContinue b (options/duration :expect-continue v)))
   :silence (fn [^Timeouts$Builder b v] (.silence b (options/duration :silence v)))
   :close (fn [^Timeouts$Builder b v] (.close b (options/duration :close v)))})

(defn- pool-limits ^PoolLimits [v]
  (if (instance? PoolLimits v)
    v
    (.build ^PoolLimits$Builder
            (options/configure ":pool-limits" pool-options (PoolLimits/builder) v))))

(defn- timeouts ^Timeouts [v]
  (if (instance? Timeouts v)
    v
    (.build ^Timeouts$Builder
            (options/configure ":timeouts" timeout-options (Timeouts/builder) v))))

(defn- redirects ^RedirectPolicy [v]
  (if (instance? RedirectPolicy v)
    v
    (options/choice :redirects
                    {:never (RedirectPolicy/never)
                     :safe-methods (RedirectPolicy/ofSafeMethods)
                     :standard (RedirectPolicy/standard)}
                    v)))

(defn- proxy-of ^Proxy [v]
  (if (string? v) (Proxy/parse v) v))

(defn- path ^Path [v]
  (cond
    (instance? Path v) v
    (instance? File v) (.toPath ^File v)
    :else (Path/of v (make-array String 0))))

(defn- tcp-keep-alive [^HttpClient$Builder b v]
  (cond
    (true? v) (.tcpKeepAlive b)
    v (let [[idle interval] (options/pair :tcp-keep-alive v)]
        (.tcpKeepAlive b (options/duration :tcp-keep-alive idle)
                       (options/duration :tcp-keep-alive interval)))))

(defn- content-codings [^HttpClient$Builder b v]
  (cond
    (true? v) b
    (instance? DecodingLimits v) (.contentCodings b ^DecodingLimits v)
    (not v) (.contentCodings b nil)
    :else (let [[^DecodingLimits limits ^java.util.List codings]
                (options/pair :content-codings v)]
            (.contentCodings b limits codings))))

(def ^:private client-options
  {:base-url (fn [^HttpClient$Builder b ^String v] (.baseUrl b v))
   :codec (fn [^HttpClient$Builder b v] (.codec b v))
   :label (fn [^HttpClient$Builder b v] (.label b (message/text v)))
   :pool-limits (fn [^HttpClient$Builder b v] (.poolLimits b (pool-limits v)))
   :timeouts (fn [^HttpClient$Builder b v] (.timeouts b (timeouts v)))
   :min-response-rate
   (fn [^HttpClient$Builder b v]
     (let [[rate grace] (options/pair :min-response-rate v)]
       (.minResponseRate b (int rate) (options/duration :min-response-rate grace))))
   :retries
   (fn [^HttpClient$Builder b v]
     (.retries b (if (= v :never) (RetryPolicy/never) v)))
   :retry-budget
   (fn [^HttpClient$Builder b v]
     (.retryBudget b (if (instance? RetryBudget v)
                       v
                       (let [[share per-second] (options/pair :retry-budget v)]
                         (RetryBudget. (double share) (int per-second))))))
   :listener (fn [^HttpClient$Builder b v] (run! #(.listener b %) (options/each v)))
   :interceptor (fn [^HttpClient$Builder b v] (run! #(.interceptor b %) (options/each v)))
   :redirects (fn [^HttpClient$Builder b v] (.redirects b (redirects v)))
   :cookies (fn [^HttpClient$Builder b v] (.cookies b v))
   :content-codings content-codings
   :plain (fn [^HttpClient$Builder b v] (when v (.plain b)))
   :user-agent (fn [^HttpClient$Builder b ^String v] (.userAgent b v))
   :header
   (fn [^HttpClient$Builder b v]
     (run! (fn [[n value]] (.header b (message/text n) (message/text value))) v))
   :authenticator (fn [^HttpClient$Builder b v] (run! #(.authenticator b %) (options/each v)))
   :attempt-fields (fn [^HttpClient$Builder b v] (run! #(.attemptFields b %) (options/each v)))
   :deadline-header
   (fn [^HttpClient$Builder b v] (.deadlineHeader b (HeaderName/of (message/text v))))
   :expect-continue-from (fn [^HttpClient$Builder b v] (.expectContinueFrom b (long v)))
   :close-connections-after
   (fn [^HttpClient$Builder b v]
     (.closeConnectionsAfter b (reify Predicate
                                 (test [_ status]
                                   (boolean (v (.code ^heddle.http.Status status)))))))
   :network (fn [^HttpClient$Builder b v] (.network b v))
   :loops (fn [^HttpClient$Builder b v] (.loops b (int v)))
   :tcp-keep-alive tcp-keep-alive
   :socket-buffers
   (fn [^HttpClient$Builder b v]
     (let [[send receive] (options/pair :socket-buffers v)]
       (.socketBuffers b (int send) (int receive))))
   :local-address (fn [^HttpClient$Builder b v] (.localAddress b v))
   :unix-socket (fn [^HttpClient$Builder b v] (.unixSocket b (path v)))
   :resolver (fn [^HttpClient$Builder b v] (.resolver b v))
   :addresses (fn [^HttpClient$Builder b v] (.addresses b v))
   :name-cache (fn [^HttpClient$Builder b ^NameCacheLimits v] (.nameCache b v))
   :version (fn [^HttpClient$Builder b v] (.version b (message/version :version v)))
   :max-response-head
   (fn [^HttpClient$Builder b v]
     (let [[bytes fields] (options/pair :max-response-head v)]
       (.maxResponseHead b (int bytes) (int fields))))
   :upgrade-to-h2c (fn [^HttpClient$Builder b v] (.upgradeToH2c b (boolean v)))
   :tls
   (fn [^HttpClient$Builder b v]
     (if (instance? TlsOptions v)
       (.tls b ^TlsOptions v)
       (.tls b (reify Supplier (get [_] (v))))))
   :coalesce-origins (fn [^HttpClient$Builder b v] (.coalesceOrigins b (boolean v)))
   :proxy (fn [^HttpClient$Builder b v] (.proxy b (proxy-of v)))
   :proxies (fn [^HttpClient$Builder b ^ProxySelector v] (.proxies b v))})

(def ^:private foreign-client-options
  "Keys of the pools of http-kit and clj-http."
  {:threads "calls have no pool of threads; :pool-limits {:max-total ...} bounds the connections"
   :default-per-route "use :pool-limits {:max-per-route ...}"
   :keepalive "use :pool-limits {:idle-timeout ...}"
   :keep-alive "use :pool-limits {:idle-timeout ...}"
   :max-connections "use :pool-limits {:max-total ...}"
   :insecure? "use :tls with heddle.transport.tls.TlsOptions"
   :timeout "use :timeouts {:call ...}"})

(defn client
  "A client, which has a pool of connections; close it with `with-open` or `.close`. The options are
  those of heddle.client.HttpClient/builder in kebab-case, all optional:

  :pool-limits   {:max-per-route n, :max-total n, :idle-timeout ms, :max-age ms,
                  :max-http2-per-route n, :max-streams-per-connection n,
                  :max-in-flight-per-route n, :max-queued-per-route n, :acquire-timeout ms,
                  :age-jitter fraction, :adaptive [least most]}, or a PoolLimits
  :timeouts      {:call ms, :head ms, :connect ms, :tls ms, :settings ms, :first-byte ms,
                  :expect-continue ms, :silence ms, :close ms}, or a Timeouts
  :base-url      what is put before URLs without scheme and host
  :header        {name value} for each request that does not have such a field
  :redirects     :safe-methods (the default), :standard, :never, or a RedirectPolicy
  :proxy         a URL, or a Proxy; :proxies takes a ProxySelector
  :version       :http-1.1 or :http-2
  :tls           a TlsOptions, or a function that returns one when it is first needed
  :cookies       a CookieStore, such as that of heddle-cookies
  :retries       a RetryPolicy, or :never
  :user-agent :label :listener :interceptor :authenticator :attempt-fields :codec :resolver
  :addresses :name-cache :network :local-address :unix-socket :loops :plain :coalesce-origins
  :upgrade-to-h2c :expect-continue-from :deadline-header
                 as the methods of the builder; those that may be called repeatedly take one value
                 or a collection
  :content-codings false for none, a DecodingLimits, or [limits codings]
  :close-connections-after a function of a status code
  :min-response-rate [bytes-per-second grace], :max-response-head [bytes fields],
  :socket-buffers [send receive], :retry-budget [share per-second],
  :tcp-keep-alive true or [idle interval]

  Times are whole milliseconds or a java.time.Duration. Values out of their range are refused with
  an IllegalArgumentException, unknown keys with an ex-info of :type :heddle/bad-option."
  (^heddle.client.HttpClient [] (client {}))
  (^heddle.client.HttpClient [opts]
   (.build ^HttpClient$Builder
           (options/configure "a client" client-options foreign-client-options
                              (HttpClient/builder) opts))))

(defonce ^:private default (delay (HttpClient/create)))

(defn default-client
  "The client of calls without :client, with Heddle's defaults; made when it is first needed. Do not
  close it: it has no thread that keeps the JVM alive."
  ^heddle.client.HttpClient []
  @default)

;; ---- responses

(defn- textual? [^MediaType media-type]
  (let [subtype (.subtype media-type)]
    (or (= "text" (.type media-type))
        (contains? #{"xml" "javascript" "x-www-form-urlencoded" "edn"} subtype)
        (.endsWith subtype "+xml"))))

(defn- json? [^MediaType media-type]
  (let [subtype (.subtype media-type)]
    (or (= "json" subtype) (.endsWith subtype "+json"))))

(defn- call-name
  "What was asked for, as failures name it."
  [m url]
  (str (.toUpperCase (message/text m)) " " url))

(defn- parsed [^Response response m url]
  (let [text (.string response)]
    (try
      (message/read-json text)
      (catch clojure.lang.ExceptionInfo e
        (throw e))
      (catch Exception e
        (throw (ex-info (str "the content of the response to " (call-name m url) " is not JSON: "
                             (.getMessage e))
                        {:type :heddle/json
                         :status (.code (.status response))
                         :body text
                         :request (message/asked m url)}
                        e))))))

(defn- automatic [^Response response m url]
  (let [media-type (.mediaType (.body response))]
    (cond
      (nil? media-type) (.bytes response)
      (json? media-type) (parsed response m url)
      (textual? media-type) (.string response)
      :else (.bytes response))))

(defn- content [^Response response m url as]
  (case as
    (nil :text) (.string response)
    :byte-array (.bytes response)
    :stream (.stream (.body response))
    :json (parsed response m url)
    :auto (automatic response m url)))

(defn- has-content? [^Response response m]
  (and (.mayHaveContent (.status response))
       (not (identical? :head m))))

(defn- redirects-of [^Response response]
  (let [earlier (.earlier response)]
    (when-not (.isEmpty earlier)
      (conj (mapv (fn [^Response each] (.absoluteTarget (.request each))) (rest earlier))
            (.absoluteTarget (.request response))))))

(defn- answer [^Response response status body]
  (let [result {:status status
                :headers (message/headers (.headers response))
                :body body
                :version (message/version-keyword (.version response))}]
    (if-some [redirects (redirects-of response)]
      (assoc result :redirects redirects)
      result)))

(defn- refused
  "The exception for a status that is one of failure."
  [^Response response status m url]
  (let [body (when (has-content? response m) (message/error-text response))
        request (message/asked m url)]
    (ex-info (str "the server answered " status " to " (call-name m url))
             (assoc (answer response status body) :type :heddle/status :request request))))

(defn- result
  "The map of a response. Closes the response, except if its content is a stream."
  [^Response response m url opts]
  (let [status (.code (.status response))
        done (volatile! false)]
    (try
      (when (and (<= 400 status) (not (false? (:throw-exceptions opts))))
        (throw (refused response status m url)))
      (let [body (when (has-content? response m) (content response m url (:as opts)))
            result (answer response status body)]
        (vreset! done (some? body))
        result)
      (finally
        ;; Content that was read to its end has closed it already.
        (when-not @done (.close response))))))

;; ---- calls

(def ^:private call-keys
  (into message/request-keys #{:as :throw-exceptions :async? :respond :raise}))

(def ^:private foreign
  "What stands for keys of http-kit and clj-http."
  {:follow-redirects "redirects are an option of a client: (client {:redirects :never})"
   :redirect-strategy "redirects are an option of a client: (client {:redirects :never})"
   :max-redirects "redirects are an option of a client: :redirects takes a RedirectPolicy"
   :cookie-store "cookies are an option of a client: (client {:cookies store})"
   :cookies "cookies are an option of a client: (client {:cookies store}), or a Cookie header"
   :insecure? "certificates are an option of a client: :tls with a TlsOptions"
   :sslengine "certificates are an option of a client: :tls with a TlsOptions"
   :keystore "certificates are an option of a client: :tls with a TlsOptions"
   :trust-store "certificates are an option of a client: :tls with a TlsOptions"
   :keepalive "use (client {:pool-limits {:idle-timeout ms}})"
   :connection-manager "a client has its pool: (client {:pool-limits {...}}), given as :client"
   :http-client "use :client"
   :connect-timeout "use (client {:timeouts {:connect ms}})"
   :conn-timeout "use (client {:timeouts {:connect ms}})"
   :connection-timeout "use (client {:timeouts {:connect ms}})"
   :idle-timeout "use (client {:timeouts {:silence ms}})"
   :socket-timeout "use (client {:timeouts {:silence ms}}), or :timeout for the whole call"
   :user-agent "use (client {:user-agent name}), or the header"
   :decompress-body "content codings are an option of a client: :content-codings false"
   :proxy-host "proxies are an option of a client: (client {:proxy url})"
   :proxy-url "proxies are an option of a client: (client {:proxy url})"
   :digest-auth "use (client {:authenticator ...}) with a DigestAuthenticator"
   :async "use :async? true"
   :coerce "an exception has the content as text; parse it if you need to"
   :throw-exceptions? "use :throw-exceptions"
   :unexceptional-status "use :throw-exceptions false, and look at :status"
   :query-string "put it into :url, or use :query-params"})

(def ^:private coercions #{:text :byte-array :stream :json :auto})

(defn- check [opts]
  (options/check "a request" call-keys foreign opts)
  (when-some [as (:as opts)]
    (when-not (contains? coercions as)
      (throw (options/bad (str ":as is one of :text :byte-array :stream :json :auto, not "
                               (pr-str as))
                          {:option :as :value as})))))

(defn- client-of ^HttpClient [opts]
  (let [given (:client opts)]
    (cond
      (nil? given) (default-client)
      (instance? HttpClient given) given
      :else (throw (options/bad (str ":client is what heddle.clj.client/client returns, not "
                                     (pr-str given))
                                {:option :client})))))

(defn- request-of ^Request [client m url opts]
  (try
    (message/request client m url opts)
    (catch IOException e
      (throw (message/failure e m url)))))

(defn- failed
  "The failure of a request. Closes its content, which may not have been sent."
  [^Request request ^IOException e m url]
  (try
    (.close (.body request))
    (catch IOException unclosed
      (.addSuppressed e unclosed)))
  (message/failure e m url))

(defn- now [m url opts]
  (let [client (client-of opts)
        request (request-of client m url opts)]
    (try
      (result (.send client request) m url opts)
      (catch IOException e
        (throw (failed request e m url))))))

(defn- outcome
  "What `wait` returns; the failure itself if the call has failed."
  [wait]
  (try
    (wait)
    (catch ExecutionException e
      (throw (.getCause e)))))

(deftype ^:private Running [^HttpCall call ^CompletableFuture answer]
  IDeref
  (deref [_] (outcome #(.get answer)))
  IBlockingDeref
  (deref [_ ms instead]
    (outcome #(try
                (.get answer ms TimeUnit/MILLISECONDS)
                (catch TimeoutException _ instead))))
  IPending
  (isRealized [_] (.isDone answer))
  Future
  (get [_] (.get answer))
  (get [_ time unit] (.get answer time unit))
  (isCancelled [_] (.isCancelled answer))
  (isDone [_] (.isDone answer))
  (cancel [_ _]
    ;; Not by its own method, which is true for a call that was cancelled before.
    (let [cancelled (.completeExceptionally answer (CancellationException.))]
      (when cancelled (.cancel call))
      cancelled)))

(defmethod print-method Running [^Running running ^java.io.Writer out]
  (.write out (str "#<call " (.state ^HttpCall (.call running)) ">")))

(defn- run-call [^HttpCall call ^CompletableFuture answer m url opts]
  (let [value (try
                (result (.execute call) m url opts)
                (catch IOException e (failed (.request call) e m url))
                (catch Throwable e e))]
    (if (instance? Throwable value)
      (when (.completeExceptionally answer value)
        (when-some [raise (:raise opts)] (raise value)))
      ;; A call that was cancelled meanwhile has closed its response.
      (when (.complete answer value)
        (when-some [respond (:respond opts)] (respond value))))))

(defn- later [m url opts]
  (let [client (client-of opts)
        request (request-of client m url opts)
        answer (CompletableFuture.)
        call (.newCall client request)
        running (->Running call answer)
        work (bound-fn* #(run-call call answer m url opts))]
    (-> (Thread/ofVirtual)
        (.name "heddle-clojure-call")
        (.start ^Runnable work))
    ;; Completing it with a cancellation has to reach raise too.
    (when-some [raise (:raise opts)]
      (.whenComplete answer
                     (reify java.util.function.BiConsumer
                       (accept [_ _ failure]
                         (when (instance? CancellationException failure) (raise failure))))))
    running))

(defn- call [m url opts]
  (check opts)
  (cond
    (:async? opts) (later m url opts)
    (or (:respond opts) (:raise opts))
    (throw (options/bad ":respond and :raise need :async? true" {:option :respond}))
    :else (now m url opts)))

(defn request
  "Sends the request that a map describes.

  :url            absolute, or behind the base URL of :client; required
  :method         :get by default; also accepted as :request-method
  :query-params   {name value-or-values}, added to the URL
  :headers        {name value-or-values}
  :body           a string, byte array, File, Path, InputStream or heddle.http.Body; streams are
                  closed
  :form-params    {name value-or-values} as a form; with :content-type :json as JSON
  :json-params    a value as JSON
  :multipart      maps of :name, :content (as :body), and optionally :filename and :content-type;
                  files and streams are read while they are sent
  :content-type   a string, or :json :xml :edn :html :text :form :octet-stream; so is :accept
  :basic-auth     [user password] or \"user:password\"
  :oauth-token    a bearer token
  :timeout        most time for the whole call, to the last byte of the response
  :version        :http-1.1 or :http-2
  :client         a client; `default-client` by default
  :as             what :body of the response is:
                  :text        a string in the charset of the response (the default)
                  :byte-array  bytes
                  :stream      an InputStream; the caller closes it, also after an early end
                  :json        a parsed value with keywords as keys
                  :auto        by Content-Type: parsed JSON, a string for text, otherwise bytes
  :throw-exceptions  false to return a response with a status of 400 or above
  :async?         true to return at once: a future that `deref`, `realized?` and `future-cancel`
                  take; deref throws what the call has failed with
  :respond :raise with :async?, a function of the response and one of the exception; one of them is
                  called, on the virtual thread of the call, or :raise on the thread that cancels

  Returns {:status 200, :headers {\"content-type\" \"text/plain\"}, :body \"...\",
  :version :http-1.1}. Names of headers are in lower case; a header that occurs more than once has
  a vector of its values. :body is nil if there can be no content (HEAD, 204, 304). After redirects
  :redirects has the URLs that followed, the last one that of this response. Up to 64 MiB are read
  into memory; use :stream for more.

  Failures are ex-infos. Their data has :type and :request (:method and :url alone):
  :heddle/status (with :status, :headers, and :body, at most 1 MiB of text) :heddle/timeout
  :heddle/connect :heddle/tls :heddle/url :heddle/pool :heddle/cancelled :heddle/closed
  :heddle/redirects :heddle/too-large :heddle/connection-lost :heddle/interrupted :heddle/io, with
  Heddle's exception as the cause, :heddle/json, :heddle/no-json and :heddle/bad-option. What
  Heddle refuses before it sends anything, such as a malformed header, is an
  IllegalArgumentException."
  [opts]
  (call (or (:method opts) (:request-method opts) :get) (:url opts) opts))

(defn get
  "Sends a GET. See `request`."
  ([url] (call :get url nil))
  ([url opts] (call :get url opts)))

(defn head
  "Sends a HEAD. See `request`."
  ([url] (call :head url nil))
  ([url opts] (call :head url opts)))

(defn post
  "Sends a POST. See `request`."
  ([url] (call :post url nil))
  ([url opts] (call :post url opts)))

(defn put
  "Sends a PUT. See `request`."
  ([url] (call :put url nil))
  ([url opts] (call :put url opts)))

(defn patch
  "Sends a PATCH. See `request`."
  ([url] (call :patch url nil))
  ([url opts] (call :patch url opts)))

(defn delete
  "Sends a DELETE. See `request`."
  ([url] (call :delete url nil))
  ([url opts] (call :delete url opts)))

(defn options
  "Sends an OPTIONS. See `request`."
  ([url] (call :options url nil))
  ([url opts] (call :options url opts)))
