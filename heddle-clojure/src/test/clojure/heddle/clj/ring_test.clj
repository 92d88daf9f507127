(ns heddle.clj.ring-test
  (:require [clojure.string :as str]
            [clojure.test :refer [deftest is testing]]
            [heddle.clj.client :as http]
            [heddle.clj.ring :as ring]
            [heddle.clj.serving :as serving :refer [thrown-by]]
            [heddle.clj.websocket :as ws])
  (:import (heddle.http Body Body$IOSupplier Response)
           (heddle.server HttpServer)
           (heddle.testkit.mock TestIdentity)
           (heddle.transport.tls TlsOptions TlsOptions$ClientAuthentication)
           (java.io ByteArrayInputStream FilterInputStream InputStream OutputStream)
           (java.net ServerSocket Socket)
           (java.nio ByteBuffer)
           (java.nio.file Files)
           (java.nio.file.attribute FileAttribute)
           (java.security.cert X509Certificate)
           (java.util.concurrent CountDownLatch)))

(defmacro with-ring [[url handler opts] & body]
  `(with-open [server# (ring/run-server ~handler ~opts)]
     (let [~url (fn [path#] (str "http://localhost:" (ring/port server#) path#))]
       ~@body)))

(defn- request-of
  "The request map that a handler gets, with the body read."
  [path opts]
  (let [got (promise)]
    (with-ring [url (fn [request]
                      (deliver got (update request :body #(some-> % slurp)))
                      {:status 204 :headers {}})
                {}]
      (http/request (assoc opts :url (url path)))
      (assoc @got :expected-port (parse-long (second (re-find #":(\d+)" (url ""))))))))

(deftest requests-have-the-keys-of-the-specification
  (let [request (request-of "/a%20b/c?x=1&y=%20" {:method :put :body "content"
                                                  :headers {"X-Name" "v"}})]
    (is (= (:expected-port request) (:server-port request)))
    (is (instance? Number (:server-port request)))
    (is (= "localhost" (:server-name request)))
    (is (contains? #{"127.0.0.1" "0:0:0:0:0:0:0:1"} (:remote-addr request)))
    (is (= "/a%20b/c" (:uri request)))
    (is (= "x=1&y=%20" (:query-string request)))
    (is (= :http (:scheme request)))
    (is (= :put (:request-method request)))
    (is (= "HTTP/1.1" (:protocol request)))
    (is (= "v" (get-in request [:headers "x-name"])))
    (is (= "content" (:body request)))
    (is (not (contains? request :ssl-client-cert)))
    (is (some? (:heddle/exchange request)))))

(deftest keys-are-left-out-where-there-is-nothing
  (let [request (request-of "/" {})]
    (is (not (contains? request :query-string)))
    (is (nil? (:body request)))
    (is (= "/" (:uri request)))
    (is (= :get (:request-method request)))))

(deftest methods-are-lower-case-keywords
  (doseq [m [:get :head :post :put :patch :delete :options :propfind]]
    (is (= m (:request-method (request-of "/" {:method m}))))))

(deftest repeated-fields-are-joined
  (let [request (request-of "/" {:headers {"X" ["a" "b"] "Cookie" ["c=1" "d=2"]}})]
    (is (= "a,b" (get-in request [:headers "x"])))
    (is (= "c=1;d=2" (get-in request [:headers "cookie"])))))

(deftest http2-is-named
  (is (= "HTTP/2" (:protocol (request-of "/" {:version :http-2})))))

(deftest tls-has-its-scheme-and-the-certificate-of-the-client
  (let [identity (TestIdentity/forNames (into-array ["localhost"]))
        got (promise)
        tls (-> (TlsOptions/builder)
                (.identity (.keyStore identity "pw") (.toCharArray "pw"))
                (.trust [(.certificate identity)])
                (.clientAuthentication TlsOptions$ClientAuthentication/WANTED)
                (.build))]
    (with-open [server (ring/run-server (fn [request]
                                          (deliver got request)
                                          {:status 200 :headers {} :body "secret"})
                                        {:tls tls})
                client (http/client {:tls tls})]
      (is (= "secret" (:body (http/get (str "https://localhost:" (ring/port server) "/")
                                       {:client client}))))
      (is (= :https (:scheme @got)))
      (is (instance? X509Certificate (:ssl-client-cert @got))))))

(defrecord Numbers [most]
  ring/StreamableBody
  (write-body [_ response out]
    (dotimes [i most]
      (.write ^OutputStream out (.getBytes (str i (get-in response [:headers "X-Mark"])))))))

(deftest every-kind-of-body-is-sent
  (let [file (Files/createTempFile "heddle" ".txt" (make-array FileAttribute 0))
        closed (atom 0)
        stream #(proxy [FilterInputStream] [(ByteArrayInputStream. (.getBytes %))]
                  (close [] (swap! closed inc)))
        sent (fn [response]
               (with-ring [url (constantly (merge {:status 200 :headers {}} response)) {}]
                 (http/get (url "/"))))
        body #(:body (sent {:body %}))]
    (spit (.toFile file) "of a file")
    (is (= "Grüße" (body "Grüße")))
    (is (= "" (body nil)))
    (is (= "bytes" (body (.getBytes "bytes"))))
    (is (= "of a file" (body (.toFile file))))
    (is (= "of a file" (body file)))
    (is (= "1:a2" (body (list 1 :a 2))))
    (is (= "123" (body (map inc (range 3)))))
    (is (= "of a stream" (body (stream "of a stream"))))
    (serving/await-that "the stream is closed" #(= 1 @closed))
    (is (= "of a function" (body (fn [^OutputStream out]
                                   (.write out (.getBytes "of a function"))))))
    (is (= "0-1-2-" (:body (sent {:body (->Numbers 3) :headers {"X-Mark" "-"}}))))
    (let [known (sent {:body (stream "12345") :headers {"Content-Length" "5"}})]
      (is (= "5" (get-in known [:headers "content-length"]))))
    (is (= "Grüße" (:body (sent {:body "Grüße"
                                 :headers {"Content-Type" "text/plain; charset=iso-8859-1"}}))))
    (is (not (contains? (:headers (sent {:body "no type"})) "content-type")))
    (is (= ["1" "2"] (get-in (sent {:headers {"X" ["1" "2"]}}) [:headers "x"])))
    (Files/delete file)))

(deftest head-keeps-the-length-and-sends-no-content
  (with-ring [url (constantly {:status 200 :headers {"Content-Length" "17"} :body nil}) {}]
    (is (= "17" (get-in (http/head (url "/")) [:headers "content-length"])))))

(deftest broken-responses-and-exceptions-are-answered-500
  (doseq [handler [(fn [_] nil)
                   (fn [_] "text")
                   (fn [_] {:headers {}})
                   (fn [_] {:status 200 :headers {} :body (Object.)})
                   (fn [_] (throw (ex-info "secret" {})))
                   (fn [_] (throw (AssertionError. "secret")))]]
    (with-ring [url handler {}]
      (let [result (http/get (url "/") {:throw-exceptions false})]
        (is (= 500 (:status result)))
        (is (not (str/includes? (:body result) "secret")))))))

(deftest a-status-of-another-kind-is-named
  (is (= "the :status of a response is an integer, not \"200\""
         (ex-message (thrown-by #(#'ring/response {:status "200" :headers {}} {}))))))

(deftest streams-that-are-not-sent-are-closed
  (let [closed (promise)
        stream (proxy [FilterInputStream] [(ByteArrayInputStream. (.getBytes "x"))]
                 (close [] (deliver closed true)))]
    (with-ring [url (constantly {:status 200 :headers {"X" "a\nb"} :body stream}) {}]
      (is (= 500 (:status (http/get (url "/") {:throw-exceptions false}))))
      (is (deref closed 5000 false))))
  (let [closed (promise)
        stream (proxy [FilterInputStream] [(ByteArrayInputStream. (.getBytes "x"))]
                 (close [] (deliver closed true)))]
    (with-ring [url (constantly {:status 200 :headers {} :body stream}) {}]
      (http/head (url "/"))
      (is (deref closed 5000 false)))))

(deftest a-body-that-fails-midway-is-cut
  (with-ring [url (constantly {:status 200 :headers {}
                               :body (fn [^OutputStream out]
                                       (.write out (byte-array 100000))
                                       (throw (ex-info "broken" {})))})
              {}]
    (is (= :heddle/connection-lost (:type (ex-data (thrown-by #(http/get (url "/")))))))))

(deftest asynchronous-handlers-respond-from-any-thread
  (with-ring [url (fn [request respond raise]
                    (future
                      (case (:uri request)
                        "/raise" (raise (ex-info "no" {}))
                        "/twice" (do (respond {:status 200 :headers {} :body "first"})
                                     (respond {:status 200 :headers {} :body "second"})
                                     (raise (ex-info "third" {})))
                        (respond {:status 200 :headers {} :body (:uri request)})))
                    (when (= "/throw" (:uri request))
                      (throw (ex-info "at once" {}))))
              {:async? true}]
    (is (= "/a" (:body (http/get (url "/a")))))
    (is (= "first" (:body (http/get (url "/twice")))))
    (is (= 500 (:status (http/get (url "/raise") {:throw-exceptions false}))))
    (is (= 500 (:status (http/get (url "/throw") {:throw-exceptions false}))))))

(deftest an-asynchronous-handler-that-never-answers-times-out
  (with-ring [url (fn [_ _ _]) {:async? true :handler-timeout 100}]
    (is (= 503 (:status (http/get (url "/") {:throw-exceptions false}))))))

(defrecord Later [out]
  ring/StreamableBody
  (write-body [_ _ stream] (deliver out stream)))

(deftest an-asynchronous-body-ends-when-its-stream-is-closed
  (let [out (promise)]
    (with-ring [url (fn [_ respond _] (respond {:status 200 :headers {} :body (->Later out)}))
                {:async? true}]
      (let [^InputStream in (:body (do (future
                                         (let [^OutputStream o @out]
                                           (.write o (.getBytes "ab"))
                                           (.write o (int \c))
                                           (.flush o)))
                                       (http/get (url "/") {:as :stream})))]
        (is (= "abc" (String. (.readNBytes in 3))))
        (.write ^OutputStream @out (.getBytes "d"))
        (.close ^OutputStream @out)
        (is (= "d" (slurp in)))))))

(deftest content-is-sent-as-it-is-flushed
  (let [read (CountDownLatch. 1)]
    (with-ring [url (constantly {:status 200 :headers {}
                                 :body (fn [^OutputStream out]
                                         (.write out (.getBytes "one"))
                                         (.flush out)
                                         (.await read)
                                         (.write out (.getBytes "two")))})
                {}]
      (with-open [^InputStream in (:body (http/get (url "/") {:as :stream}))]
        (is (= "one" (String. (.readNBytes in 3))))
        (.countDown read)
        (is (= "two" (slurp in)))))))

(deftest large-bodies-are-streamed-both-ways
  (let [size (* 320 1024 1024)
        chunk (apply str (repeat 65536 "x"))]
    (testing "more than the heap of this JVM"
      (is (< (.maxMemory (Runtime/getRuntime)) size))
      (with-ring [url (fn [_] {:status 200 :headers {}
                               :body (repeat (quot size 65536) chunk)})
                  {}]
        (with-open [^InputStream in (:body (http/get (url "/") {:as :stream}))]
          (is (= size (serving/count-bytes in)))))
      (with-ring [url (fn [request] {:status 200 :headers {} :body (:body request)})
                  {:max-body-bytes (* 2 size)}]
        (let [body (Body/duplex (reify Body$IOSupplier (get [_] (serving/zeros size))))]
          (with-open [^InputStream in (:body (http/post (url "/") {:as :stream :body body
                                                                   :version :http-2}))]
            (is (= size (serving/count-bytes in)))))))))

(deftest servers-have-their-port-and-stop
  (let [running (CountDownLatch. 1) held (CountDownLatch. 1)
        server (ring/run-server (fn [_]
                                  (.countDown running)
                                  (.await held)
                                  {:status 200 :headers {} :body "ended"})
                                {})
        port (ring/port server)
        call (http/get (str "http://localhost:" port "/") {:async? true})]
    (is (instance? HttpServer server))
    (is (pos? port))
    (.await running)
    (let [stopping (future (ring/stop server))]
      (serving/await-that "it refuses connections"
                          #(thrown-by (fn [] (.close (Socket. "localhost" (int port))))))
      (is (not (realized? stopping)))
      (.countDown held)
      (is (= "ended" (:body @call)))
      @stopping))
  (testing "running requests are cut after a time"
    (let [running (CountDownLatch. 1)
          server (ring/run-server (fn [_] (.countDown running) (.await (CountDownLatch. 1))) {})
          call (http/get (str "http://localhost:" (ring/port server) "/") {:async? true})]
      (.await running)
      (ring/stop server 0)
      (is (= :heddle/connection-lost (:type (ex-data (thrown-by #(deref call)))))))))

(deftest a-port-is-chosen-and-a-host-is-listened-on
  (let [free (with-open [socket (ServerSocket. 0)] (.getLocalPort socket))]
    (with-open [server (ring/run-server (constantly {:status 204 :headers {}})
                                        {:port free :host "0.0.0.0"})]
      (is (= free (ring/port server)))
      (is (= 204 (:status (http/get (str "http://127.0.0.1:" free "/"))))))))

(deftest targets-that-are-no-paths-get-one
  (let [got (promise)]
    (with-open [server (ring/run-server (fn [request]
                                          (deliver got request)
                                          {:status 204 :headers {}})
                                        {})
                socket (Socket. "localhost" (int (ring/port server)))]
      (.write (.getOutputStream socket)
              (.getBytes "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n"))
      (is (str/starts-with? (:uri (deref got 5000 nil)) "/"))
      (is (= "a" (:server-name @got))))))

(deftest handlers-of-heddle-answer-too
  (with-ring [url (constantly {:heddle/handler (fn [_] (Response/ok "of Heddle"))}) {}]
    (is (= "of Heddle" (:body (http/get (url "/"))))))
  (with-open [server (serving/start (let [handler (ring/exchange-handler
                                                    (constantly {:status 200 :headers {}
                                                                 :body "of Ring"}))]
                                      #(.handle handler %)))]
    (is (= "of Ring" (:body (http/get (str "http://localhost:" (.port server) "/")))))))

(defrecord Echo [seen]
  ring/Listener
  (on-open [_ socket] (swap! seen conj :open))
  (on-message [_ socket m]
    (swap! seen conj (if (instance? ByteBuffer m) [:binary (.remaining ^ByteBuffer m)] m))
    (ws/send! socket m))
  (on-error [_ socket e] (swap! seen conj :error))
  (on-close [_ socket code reason] (swap! seen conj [code reason])))

(deftest websockets-are-opened-by-listeners
  (let [seen (atom [])
        of-map {:on-open (fn [_] (swap! seen conj :open))
                :on-message (fn [socket m]
                              (swap! seen conj (if (instance? ByteBuffer m)
                                                 [:binary (.remaining ^ByteBuffer m)]
                                                 m))
                              (ws/send! socket m))
                :on-close (fn [_ code reason] (swap! seen conj [code reason]))}]
    (doseq [listener [(->Echo seen) of-map]
            async? [false true]]
      (reset! seen [])
      (let [response #:ring.websocket{:listener listener :protocol "echo"}]
        (with-ring [url (if async? (fn [_ respond _] (respond response)) (constantly response))
                    {:async? async? :websocket {:max-message-bytes 1000}}]
          (with-open [socket (ws/connect (str/replace (url "/") "http:" "ws:")
                                         {:subprotocols ["other" "echo"]})]
            (is (= "echo" (ws/subprotocol socket)))
            (ws/send! socket "text")
            (is (= "text" (ws/receive socket)))
            (ws/send! socket (byte-array [1 2 3]))
            (is (= [1 2 3] (vec (ws/receive socket))))
            (ws/close! socket 3000 "bye"))
          (serving/await-that "closed" #(= [:open "text" [:binary 3] [3000 "bye"]] @seen))
          (is (= 426 (:status (http/get (url "/") {:throw-exceptions false})))))))))

(deftest failures-of-listeners-reach-on-error-and-on-close
  (let [seen (atom [])
        listener {:on-message (fn [_ _] (throw (ex-info "broken" {})))
                  :on-error (fn [_ e] (swap! seen conj (ex-message e)))
                  :on-close (fn [_ code _] (swap! seen conj code))}]
    (with-ring [url (constantly {:ring.websocket/listener listener}) {}]
      (with-open [socket (ws/connect (url "/"))]
        (ws/send! socket "x")
        (is (nil? (ws/receive socket)))
        (is (= 1011 (.code (.closeReason socket)))))
      (serving/await-that "closed" #(= ["broken" 1011] @seen)))
    (testing "without :on-error, and in :on-open"
      (reset! seen [])
      (with-ring [url (constantly {:ring.websocket/listener
                                   {:on-open (fn [_] (throw (ex-info "broken" {})))
                                    :on-close (fn [_ code _] (swap! seen conj code))}})
                  {}]
        (with-open [socket (ws/connect (url "/"))]
          (is (nil? (ws/receive socket)))
          (is (= 1011 (.code (.closeReason socket)))))
        (serving/await-that "closed" #(= [1011] @seen))))))

(deftest messages-that-are-too-large-reach-on-error
  (let [seen (promise)]
    (with-ring [url (constantly {:ring.websocket/listener {:on-error (fn [_ e] (deliver seen e))}})
                {:websocket {:max-message-bytes 10}}]
      (with-open [socket (ws/connect (url "/"))]
        (ws/send! socket (apply str (repeat 100 "x")))
        (is (instance? heddle.websocket.WebSocketProtocolException (deref seen 5000 nil)))))))

(deftest pages-of-other-origins-open-no-socket-unless-allowed
  (let [response (constantly {:ring.websocket/listener {}})
        status #(with-ring [url response %]
                  (-> (thrown-by (fn [] (.close (ws/connect (url "/")
                                                            {:headers {"Origin" "http://evil"}}))))
                      ex-cause))]
    (is (instance? heddle.websocket.WebSocketHandshakeException (status {})))
    (is (nil? (status {:websocket {:origins #{"http://evil"}}})))))
