(ns heddle.clj.ring-protocols-test
  "Ring's own protocols are honoured if they are on the class path. The folder ring has stand-ins
  with the names and functions of the specification."
  (:require [clojure.test :refer [deftest is]]
            [heddle.clj.client :as http]
            [heddle.clj.ring :as ring]
            [heddle.clj.serving :as serving :refer [thrown-by]]
            [heddle.clj.websocket :as ws]
            [ring.core.protocols :as core]
            [ring.websocket.protocols :as protocols])
  (:import (java.io OutputStream)
           (java.nio ByteBuffer)))

(defrecord Page [text]
  core/StreamableResponseBody
  (write-body-to-stream [_ response out]
    (.write ^OutputStream out (.getBytes (str text (:status response))))
    (.close ^OutputStream out)))

(deftest streamable-bodies-of-ring-are-written
  (doseq [async? [false true]]
    (let [response {:status 203 :headers {} :body (->Page "page ")}]
      (with-open [server (ring/run-server (if async?
                                            (fn [_ respond _] (respond response))
                                            (constantly response))
                                          {:async? async?})]
        (is (= "page 203" (:body (http/get (str "http://localhost:" (ring/port server) "/")))))))))

(defrecord Echo [seen]
  protocols/Listener
  (on-open [_ socket] (swap! seen conj (protocols/-open? socket)))
  (on-message [_ socket m]
    (case m
      "async" (protocols/-send-async socket "sent" #(swap! seen conj :sent) #(swap! seen conj %))
      "ping" (swap! seen conj (class (thrown-by #(protocols/-ping socket (ByteBuffer/allocate 0)))))
      "close" (protocols/-close socket 3001 "bye")
      (protocols/-send socket m)))
  (on-pong [_ _ _])
  (on-error [_ _ e] (swap! seen conj e))
  (on-close [_ _ code reason] (swap! seen conj :closed)))

(deftest listeners-and-sockets-of-ring-work
  (let [seen (atom [])]
    (with-open [server (ring/run-server (constantly {:ring.websocket/listener (->Echo seen)}) {})
                socket (ws/connect (str "ws://localhost:" (ring/port server) "/"))]
      (ws/send! socket "echo")
      (is (= "echo" (ws/receive socket)))
      (ws/send! socket (byte-array [1 2]))
      (is (= [1 2] (vec (ws/receive socket))))
      (ws/send! socket "async")
      (is (= "sent" (ws/receive socket)))
      (ws/send! socket "ping")
      (ws/send! socket "close")
      (is (nil? (ws/receive socket)))
      (is (= 3001 (.code (.closeReason socket))))
      (serving/await-that "closed" #(some #{:closed} @seen))
      (is (= #{true :sent UnsupportedOperationException :closed} (set @seen))))))
