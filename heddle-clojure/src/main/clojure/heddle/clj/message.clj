(ns ^:no-doc heddle.clj.message
  "Requests from maps, maps from responses, failures as data. No API."
  (:require [heddle.clj.options :as options])
  (:import (clojure.lang Named)
           (heddle.client HttpClient)
           (heddle.client.spi AcquireTimeoutException PoolQueueFullException)
           (heddle.http Body BodyTooLargeException Credentials Form Headers HttpVersion
                        MalformedUrlException MediaType Method MultipartBody Request
                        Request$Builder Response Status StatusException)
           (heddle.http.failure CallCancelledException ClientClosedException
                                ConnectFailedException ConnectionLostException
                                DeadlineExceededException MessageTooLargeException
                                ProxyException RequestNotProcessedException
                                SlowResponseException StreamResetException TlsException
                                TooManyRedirectsException UnresolvedHostException)
           (heddle.sse NoEventStreamException)
           (heddle.websocket WebSocketHandshakeException)
           (java.io File IOException InputStream InterruptedIOException FileNotFoundException)
           (java.nio.charset Charset StandardCharsets)
           (java.nio.file Path)))

(set! *warn-on-reflection* true)

(def ^:private ^"[Ljava.lang.Object;" no-values (object-array 0))

(def ^:private versions
  {:http-1.0 HttpVersion/HTTP_1_0 :http-1.1 HttpVersion/HTTP_1_1 :http-2 HttpVersion/HTTP_2})

(def ^:private content-types
  {:json "application/json" :xml "application/xml" :edn "application/edn"
   :html "text/html" :text "text/plain" :form "application/x-www-form-urlencoded"
   :octet-stream "application/octet-stream"})

(defn version
  "The HttpVersion for :http-1.1 or :http-2."
  ^heddle.http.HttpVersion [k v]
  (options/choice k versions v))

(defn text
  "A name or value of a header or parameter as text; keywords and symbols by their names."
  ^String [v]
  (cond
    (string? v) v
    (instance? Named v) (name v)
    :else (str v)))

(defn- content-type ^String [k v]
  (if (keyword? v) (options/choice k content-types v) v))

;; ---- JSON, by a library that programs add themselves

(defn- json [function]
  (try
    (requiring-resolve function)
    (catch FileNotFoundException e
      (throw (ex-info (str "JSON needs org.clojure/data.json, which is not on the class path: add"
                           " org.clojure/data.json {:mvn/version \"2.5.2\"} to the dependencies")
                      {:type :heddle/no-json}
                      e)))))

(defn read-json
  "The value of a JSON text, with keywords as keys; nil for an empty text."
  [^String text]
  (let [read-str (json 'clojure.data.json/read-str)]
    (when-not (.isBlank text)
      (read-str text :key-fn keyword))))

(defn- write-json ^String [value]
  ((json 'clojure.data.json/write-str) value))

;; ---- requests

(def request-keys
  "The options of a request, apart from those that say what to do with the response."
  #{:method :request-method :url :client :headers :query-params :body :form-params :json-params
    :multipart :content-type :accept :basic-auth :oauth-token :timeout :version})

(def ^:private body-keys [:body :form-params :json-params :multipart])

(def ^:private known-methods
  {:get Method/GET :head Method/HEAD :post Method/POST :put Method/PUT :patch Method/PATCH
   :delete Method/DELETE :options Method/OPTIONS :trace Method/TRACE})

(defn- method ^Method [m]
  (if-some [known (known-methods m)]
    known
    (Method/of (.toUpperCase (text m) java.util.Locale/ROOT))))

(defn- each-parameter
  "Calls f with the name and each value; nil is an empty value."
  [k params f]
  (when-not (map? params)
    (throw (options/bad (str k " is a map of parameters, not " (pr-str params))
                        {:option k :value params})))
  (reduce-kv (fn [_ n v]
               (cond
                 (map? v) (throw (options/bad
                                   (str k " has a map as the value of " (pr-str n) ": only values"
                                        " and collections of values can be sent as parameters")
                                   {:option k :value v}))
                 (nil? v) (f (text n) "")
                 (or (sequential? v) (set? v)) (run! #(f (text n) (text %)) v)
                 :else (f (text n) (text v))))
             nil
             params))

(defn- form ^Body [params]
  (let [form (Form/builder)]
    (each-parameter :form-params params (fn [^String n ^String v] (.add form n v)))
    (.body (.build form))))

(defn- unreplayable
  "The content of a stream, with a media type."
  ^Body [^InputStream in ^MediaType media-type]
  (proxy [Body] []
    (length [] Body/UNKNOWN)
    (isReplayable [] false)
    (stream [] in)
    (mediaType [] media-type)
    (close [] (.close in))))

(defn- body
  "The content of a request or part; media-type may be nil."
  ^Body [k v ^MediaType media-type]
  (cond
    (string? v) (if media-type (Body/of ^String v media-type) (Body/of ^String v))
    (bytes? v) (if media-type (Body/of ^bytes v media-type) (Body/of ^bytes v))
    (instance? File v) (recur k (.toPath ^File v) media-type)
    (instance? Path v) (if media-type (Body/of ^Path v media-type) (Body/of ^Path v))
    (instance? InputStream v) (if media-type (unreplayable v media-type)
                                             (Body/of ^InputStream v))
    (instance? Body v) v
    :else (throw (options/bad
                   (str k " is a string, byte array, File, Path, InputStream or heddle.http.Body,"
                        " not " (if (nil? v) "nil" (.getName (class v)))
                        "; maps are sent by :json-params or :form-params")
                   {:option k}))))

(def ^:private part-keys #{:name :content :filename :content-type})

(def ^:private foreign-part-keys
  "Keys of the parts of clj-http."
  {:mime-type "use :content-type"
   :part-name "use :name"
   :encoding "use :content-type with a charset"})

(defn- multipart ^Body [parts]
  (let [form (MultipartBody/builder)]
    (doseq [part parts]
      (options/check "a part of :multipart" part-keys foreign-part-keys part)
      (when (nil? (:name part))
        (throw (options/bad "a part of :multipart needs :name" {:option :name})))
      (let [{:keys [content filename]} part
            part-name (text (:name part))
            given (:content-type part)
            media-type (when given (MediaType/parse (content-type :content-type given)))
            filename (cond
                       filename (text filename)
                       (instance? File content) (.getName ^File content)
                       (instance? Path content) (str (.getFileName ^Path content)))]
        (cond
          filename (.addFile form part-name filename
                             (body :content content
                                   (or media-type
                                       (when (string? content) MediaType/TEXT_PLAIN_UTF8))))
          (and (string? content) (nil? media-type)) (.add form part-name ^String content)
          :else (.add form part-name (body :content content media-type)))))
    (.build form)))

(defn- typed-body
  "A body as the user has given it. Its charset is that of the Content-Type."
  ^Body [v ^String type]
  (if (and type (string? v))
    (body :body v (MediaType/parse type))
    (body :body v nil)))

(defn- add-body [^Request$Builder builder opts ^String type]
  (let [given (filterv #(some? (opts %)) body-keys)]
    (when (< 1 (count given))
      (throw (options/bad (str "a request has one content, but this one has " (vec given))
                          {:option (second given)})))
    (when-some [k (first given)]
      (let [v (opts k)]
        (.body builder
               (case k
                 :body (typed-body v type)
                 :multipart (multipart v)
                 :form-params (if (and type (.startsWith type "application/json"))
                                (Body/of (write-json v) MediaType/APPLICATION_JSON)
                                (form v))
                 :json-params (Body/of (write-json v) MediaType/APPLICATION_JSON)))))))

(defn- add-headers [^Request$Builder builder headers]
  (when-not (map? headers)
    (throw (options/bad (str ":headers is a map, not " (pr-str headers)) {:option :headers})))
  (reduce-kv (fn [_ n v]
               (if (or (sequential? v) (set? v))
                 (run! #(.header builder (text n) (text %)) v)
                 (.header builder (text n) (text v))))
             nil
             headers))

(defn- credentials ^String [v]
  (let [[user password] (cond
                          (string? v) (let [colon (.indexOf ^String v ":")]
                                        (if (neg? colon)
                                          [v ""]
                                          [(subs v 0 colon) (subs v (inc colon))]))
                          (sequential? v) (options/pair :basic-auth v)
                          (map? v) [(:user v) (:password v)])]
    (when-not (and user password)
      (throw (options/bad ":basic-auth is [user password] or \"user:password\""
                          {:option :basic-auth})))
    (.fieldValue (Credentials/basic (text user) (text password) StandardCharsets/UTF_8))))

(defn- add-fields [^Request$Builder builder opts]
  (when-some [headers (:headers opts)]
    (add-headers builder headers))
  (when-some [accept (:accept opts)]
    (.header builder "Accept" (content-type :accept accept)))
  (when-some [auth (:basic-auth opts)]
    (.header builder "Authorization" (credentials auth)))
  (when-some [token (:oauth-token opts)]
    (.header builder "Authorization" (str "Bearer " token)))
  (let [type (when-some [given (:content-type opts)]
               (content-type :content-type given))]
    (when (and type (nil? (:multipart opts)))
      (.header builder "Content-Type" type))
    (add-body builder opts type))
  (when-some [params (:query-params opts)]
    (each-parameter :query-params params (fn [^String n v] (.query builder n v))))
  (when-some [v (:version opts)]
    (.version builder (version :version v))))

(defn request
  "The Request of a method, a URL, and options whose keys were checked."
  ^heddle.http.Request [^HttpClient client m url opts]
  (when-not (string? url)
    (throw (options/bad (str "a request needs :url, a string, not " (pr-str url))
                        {:option :url})))
  (let [builder (.request client ^String url no-values)
        timeout (:timeout opts)]
    (when-not (identical? :get m)
      (.method builder (method m)))
    (when (some? timeout)
      (.deadline builder (options/duration :timeout timeout)))
    ;; A plain GET has no other options to look for.
    (when (< (+ (if (some? timeout) 1 0) (if (:client opts) 1 0)) (count opts))
      (add-fields builder opts))
    (.build builder)))

;; ---- responses

(defn headers
  "The fields of a message by lower-case names; repeated ones as a vector of their values."
  [^Headers fields]
  (let [size (.size fields)]
    (loop [i 0 result (transient {})]
      (if (= i size)
        (persistent! result)
        (let [key (.lowerCase (.name fields i))
              value (.value fields i)
              before (result key)]
          (recur (inc i)
                 (assoc! result key (cond
                                      (nil? before) value
                                      (vector? before) (conj before value)
                                      :else [before value]))))))))

(defn version-keyword
  "Such as :http-1.1."
  [^HttpVersion v]
  (condp identical? v
    HttpVersion/HTTP_1_1 :http-1.1
    HttpVersion/HTTP_2 :http-2
    :http-1.0))

(def ^:private most-error-bytes 1048576)

(defn error-text
  "The beginning of a response's content, at most 1 MiB, as text. Closes the response."
  [^Response response]
  (with-open [in (.stream (.body response))]
    (let [media-type (.mediaType (.body response))
          charset (when media-type (.charset media-type))]
      (String. (.readNBytes in (int most-error-bytes))
               ^Charset (or charset StandardCharsets/UTF_8)))))

;; ---- failures

(defn- kind [^Throwable e]
  (condp instance? e
    StatusException :heddle/status
    WebSocketHandshakeException :heddle/handshake
    NoEventStreamException :heddle/no-events
    DeadlineExceededException :heddle/timeout
    SlowResponseException :heddle/timeout
    AcquireTimeoutException :heddle/pool
    PoolQueueFullException :heddle/pool
    CallCancelledException :heddle/cancelled
    ClientClosedException :heddle/closed
    TlsException :heddle/tls
    UnresolvedHostException :heddle/connect
    ConnectFailedException :heddle/connect
    ProxyException :heddle/connect
    MalformedUrlException :heddle/url
    TooManyRedirectsException :heddle/redirects
    MessageTooLargeException :heddle/too-large
    BodyTooLargeException :heddle/too-large
    ConnectionLostException :heddle/connection-lost
    StreamResetException :heddle/connection-lost
    RequestNotProcessedException :heddle/connection-lost
    InterruptedIOException :heddle/interrupted
    :heddle/io))

(defn asked
  "What exceptions say of a request: neither its headers, which may be secret, nor its content."
  [m url]
  {:method m :url url})

(defn failure
  "A failure of a call as an exception with data; its cause is Heddle's."
  [^IOException e m url]
  (let [status (condp instance? e
                 StatusException (.status ^StatusException e)
                 WebSocketHandshakeException (.status ^WebSocketHandshakeException e)
                 nil)]
    (ex-info (or (.getMessage e) (str e))
             (cond-> {:type (kind e) :request (asked m url)}
               status (assoc :status (.code ^Status status)))
             e)))
