(ns heddle.clj.websocket
  "WebSockets of clients, and what sockets of clients and servers do.

    (with-open [socket (ws/connect \"ws://localhost:8080/chat\")]
      (ws/send! socket \"Hello\")
      (first (ws/messages socket)))

  Sockets are heddle.websocket.WebSocket, whose methods may be called too."
  (:require [heddle.clj.client :as client]
            [heddle.clj.message :as message]
            [heddle.clj.options :as options]
            [heddle.clj.stream :as stream])
  (:import (heddle.client HttpClient)
           (heddle.websocket CloseReason Compression Message Message$Binary Message$Text WebSocket
                             WebSocket$Builder)
           (java.io IOException)
           (java.nio ByteBuffer)))

(set! *warn-on-reflection* true)

(def ^:no-doc compressions
  "Whether and how messages are compressed."
  {:off Compression/OFF
   :each-message Compression/EACH_MESSAGE
   :with-context Compression/WITH_CONTEXT})

(def ^:private socket-options
  {:subprotocols
   (fn [^WebSocket$Builder b v] (.subprotocols b (into-array String (options/each v))))
   :compression
   (fn [^WebSocket$Builder b v]
     (.compression b (options/choice :compression compressions v)))
   :max-message-bytes (fn [^WebSocket$Builder b v] (.maxMessageBytes b (int v)))
   :ping-interval
   (fn [^WebSocket$Builder b v]
     (.pingInterval b (some->> v (options/duration :ping-interval))))
   :close-timeout
   (fn [^WebSocket$Builder b v] (.closeTimeout b (options/duration :close-timeout v)))})

(def ^:private callback-keys #{:on-open :on-message :on-close :on-error})

(def ^:private request-keys
  #{:client :headers :query-params :basic-auth :oauth-token :timeout :version})

(def ^:private known
  (into (into callback-keys request-keys) (keys socket-options)))

(defn ^:no-doc value
  "The value of a message: a string or a byte array."
  [^Message m]
  (if (instance? Message$Text m)
    (.text ^Message$Text m)
    (.bytes ^Message$Binary m)))

(defn ^:no-doc close-data
  "The code and the reason of an ended socket: 1006 if the peer has not said why."
  [^WebSocket socket]
  (if-some [reason (.closeReason socket)]
    [(.code ^CloseReason reason) (.reason ^CloseReason reason)]
    [1006 ""]))

(defn ^:no-doc listen
  "Receives until the socket ends, and calls the functions of `callbacks`. What ends it by failing
  is given to on-error, or thrown if there is none."
  [^WebSocket socket {:keys [on-open on-message on-close on-error]}]
  (try
    (when on-open (on-open socket))
    (loop []
      (when-some [m (.receive socket)]
        (when on-message (on-message (value m)))
        (recur)))
    (catch Throwable e
      ;; If it was a callback that failed, the socket is still open.
      (.close socket CloseReason/INTERNAL_ERROR "")
      (if on-error (on-error e) (throw e)))
    (finally
      (when on-close
        (let [[code reason] (close-data socket)]
          (on-close code reason))))))

(defn- http-url ^String [^String url]
  (if (re-find #"^(?i)wss?:" url)
    (str "http" (subs url 2))
    url))

(defn- thread ^Thread [^String name ^Runnable work]
  (-> (Thread/ofVirtual) (.name name) (.start work)))

(defn connect
  "Opens a socket; blocks until the server has agreed. The URL begins with ws:, wss:, http: or
  https:. Close it with `with-open` or `close!`. Options, all optional:

  :on-message     a function of a message, a string or a byte array. With this or another callback
                  a virtual thread receives and calls it for one message after the other; otherwise
                  use `messages` or `receive`
  :on-open        a function of the socket, called before the first message
  :on-close       a function of code and reason, called once at the end; code 1006 if the peer has
                  not said why
  :on-error       a function of the exception that has ended the socket, before :on-close; that of a
                  callback too, after which the socket is closed with 1011
  :client :headers :query-params :basic-auth :oauth-token :timeout :version
                  as of heddle.clj.client/request; :timeout holds until the socket is open
  :subprotocols   a name or names, the preferred first; `subprotocol` is the one chosen
  :compression    :off (the default), :each-message or :with-context
  :max-message-bytes  16 MiB by default
  :ping-interval :close-timeout  milliseconds or a Duration

  Throws an ex-info as heddle.clj.client/request does; its cause is a WebSocketHandshakeException
  if the server opens no socket."
  (^heddle.websocket.WebSocket [url] (connect url {}))
  (^heddle.websocket.WebSocket [url opts]
   (options/check "a WebSocket" known opts)
   (let [client (or (:client opts) (client/default-client))
         asked (select-keys opts request-keys)
         target (if (string? url) (http-url url) url)]
     (try
       (let [request (message/request client :get target asked)
             builder (WebSocket/builder ^HttpClient client request)]
         (options/configure "a WebSocket" socket-options builder
                            (select-keys opts (keys socket-options)))
         (let [socket (.open ^WebSocket$Builder builder)]
           (when (some opts callback-keys)
             (thread "heddle-clojure-websocket"
                     (bound-fn* #(listen socket opts))))
           socket))
       (catch IOException e
         (throw (message/failure e :get url)))))))

(defn send!
  "Sends a message: a CharSequence as text, a byte array or ByteBuffer as binary data. Blocks while
  the peer accepts no data. Throws heddle.websocket.WebSocketClosedException once the socket is
  closed. Any number of threads may send."
  [^WebSocket socket message]
  (cond
    (instance? CharSequence message) (.send socket (.toString ^CharSequence message))
    (bytes? message) (.send socket ^bytes message)
    (instance? ByteBuffer message)
    (let [view (.duplicate ^ByteBuffer message)
          copy (byte-array (.remaining view))]
      (.get view copy)
      (.send socket copy))
    :else (throw (options/bad (str "a message is a CharSequence, byte array or ByteBuffer, not "
                                   (if (nil? message) "nil" (.getName (class message))))
                              {:option :message}))))

(defn receive
  "Waits for the next message, a string or a byte array; nil once the socket is closed. One thread
  at a time."
  [^WebSocket socket]
  (some-> (.receive socket) value))

(defn messages
  "The messages until the socket is closed. `seq` and functions on sequences wait for one message at
  a time; `reduce` and `run!` keep none in memory. Closing the result closes the socket."
  ^java.io.Closeable [^WebSocket socket]
  (stream/arriving #(receive socket) #(.close socket)))

(defn open?
  "Whether neither side has ended the socket, as far as is known."
  [^WebSocket socket]
  (.isOpen socket))

(defn subprotocol
  "The protocol that was agreed on; nil for none."
  [^WebSocket socket]
  (.subprotocol socket))

(defn close!
  "Closes the socket: says so to the peer and waits for its answer, 10 s by default. The code is
  1000 (normal) unless given. Does nothing if the socket has ended."
  ([^WebSocket socket] (.close socket))
  ([^WebSocket socket code reason] (.close socket (int code) (str reason))))
