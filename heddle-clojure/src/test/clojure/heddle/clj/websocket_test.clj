(ns heddle.clj.websocket-test
  (:require [clojure.string :as str]
            [clojure.test :refer [deftest is]]
            [heddle.clj.serving :as serving :refer [thrown-by with-server]]
            [heddle.clj.websocket :as ws])
  (:import (heddle.http Body)
           (heddle.websocket Message$Binary Message$Text WebSocketClosedException WebSocketHandler
                             WebSocketHandler$Endpoint WebSocketHandshakeException)
           (java.nio ByteBuffer)))

(defn- endpoint
  "What a server answers with that gives its sockets to f, with the exchange."
  [f]
  (let [handler (WebSocketHandler/of (reify WebSocketHandler$Endpoint
                                       (use [_ socket exchange] (f socket exchange))))]
    #(.handle handler %)))

(def ^:private echo
  (endpoint (fn [socket _]
              (loop []
                (when-some [m (.receive socket)]
                  (if (instance? Message$Text m)
                    (.send socket (str "echo " (.text ^Message$Text m)))
                    (.send socket (.bytes ^Message$Binary m)))
                  (recur))))))

(deftest messages-go-both-ways
  (with-server [url echo]
    (doseq [scheme ["ws" "http"]]
      (with-open [socket (ws/connect (str/replace (url "/") "http" scheme))]
        (is (ws/open? socket))
        (is (nil? (ws/subprotocol socket)))
        (ws/send! socket "one")
        (is (= "echo one" (ws/receive socket)))
        (ws/send! socket (byte-array [1 2]))
        (is (= [1 2] (vec (ws/receive socket))))
        (ws/send! socket (doto (ByteBuffer/wrap (byte-array [1 2 3 4])) (.position 2)))
        (is (= [3 4] (vec (ws/receive socket))))
        (is (= :message (:option (ex-data (thrown-by #(ws/send! socket 1))))))
        (ws/close! socket)
        (is (not (ws/open? socket)))
        (is (nil? (ws/receive socket)))
        (is (instance? WebSocketClosedException (thrown-by #(ws/send! socket "late"))))))))

(deftest messages-are-a-lazy-sequence
  (with-server [url (endpoint (fn [socket _]
                                (dotimes [i 3] (.send socket (str i)))
                                (.receive socket)
                                (dotimes [i 2] (.send socket (str "more " i)))))]
    (with-open [socket (ws/connect (url "/"))]
      (let [messages (ws/messages socket)]
        (is (= ["0" "1" "2"] (take 3 messages)) "waits for no more than it is asked for")
        (ws/send! socket "go on")
        (is (= ["0" "1" "2" "more 0" "more 1"] (vec (seq messages))))))))

(deftest messages-are-reduced
  (with-server [url (endpoint (fn [socket _]
                                (dotimes [i 100] (.send socket (str i)))))]
    (with-open [socket (ws/connect (url "/"))]
      (is (= (range 10) (into [] (comp (map parse-long) (take 10)) (ws/messages socket))))
      (is (= (range 10 100) (into [] (map parse-long) (ws/messages socket)))))))

(deftest callbacks-are-called-in-order
  (let [seen (atom []) closed (promise)]
    (with-server [url echo]
      (let [socket (ws/connect (url "/") {:on-open #(ws/send! % "first")
                                          :on-message #(swap! seen conj %)
                                          :on-close (fn [code reason]
                                                      (deliver closed [code reason]))})]
        (ws/send! socket "second")
        (serving/await-that "both" #(= 2 (count @seen)))
        (ws/close! socket 3000 "done")
        (is (= [3000 "done"] (deref closed 5000 nil)))
        (is (= #{"echo first" "echo second"} (set @seen)))))))

(deftest failures-reach-on-error-then-on-close
  (let [seen (atom [])]
    (with-server [url (endpoint (fn [socket _] (.send socket (apply str (repeat 100 "x")))
                                  (.receive socket)))]
      (ws/connect (url "/") {:max-message-bytes 10
                             :on-error #(swap! seen conj (class %))
                             :on-close (fn [_ _] (swap! seen conj :closed))})
      (serving/await-that "closed" #(= 2 (count @seen)))
      (is (= [heddle.websocket.WebSocketProtocolException :closed] @seen)))))

(deftest sockets-ask-with-the-options-of-a-request
  (let [asked (promise)]
    (with-server [url (endpoint (fn [_ exchange] (deliver asked (.request exchange))))]
      (.close (ws/connect (url "/chat") {:headers {"X" "y"} :query-params {:room 1}
                                         :basic-auth ["a" "b"] :compression :each-message
                                         :ping-interval 10000 :close-timeout 1000}))
      (let [request @asked]
        (is (= "/chat?room=1" (.target request)))
        (is (= "y" (.first (.headers request) "X")))
        (is (= "Basic YTpi" (.first (.headers request) "Authorization")))
        (is (str/starts-with? (.first (.headers request) "Sec-WebSocket-Extensions")
                              "permessage-deflate"))))))

(deftest a-server-that-opens-no-socket-is-a-failure
  (with-server [url (fn [_] (serving/answer 403 [] (Body/of "no")))]
    (let [e (thrown-by #(ws/connect (str/replace (url "/") "http:" "ws:")))]
      (is (instance? WebSocketHandshakeException (ex-cause e)))
      (is (= {:type :heddle/handshake :status 403} (dissoc (ex-data e) :request)))
      (is (str/starts-with? (get-in (ex-data e) [:request :url]) "ws:"))))
  (is (= :heddle/connect (:type (ex-data (thrown-by #(ws/connect "ws://localhost:1/")))))))
