(ns heddle.examples.guide-test
  (:require [clojure.string :as str]
            [clojure.test :refer [deftest is]]
            [heddle.clj.client :as http]
            [heddle.clj.events :as events]
            [heddle.clj.ring :as ring]
            [heddle.clj.websocket :as ws]
            [heddle.examples.guide :as guide]
            [heddle.examples.notes :as notes])
  (:import (java.io File)))

(defn- answer [{:keys [uri body headers query-string request-method]}]
  (case uri
    "/hello" {:status 200 :headers {"Content-Type" "text/plain"}
              :body (str "Hello, " (second (re-find #"name=(\w+)" (str query-string))))}
    "/search" {:status 200 :headers {} :body (str "{\"query\":\"" query-string "\"}")}
    "/missing" {:status 404 :headers {} :body "no such page"}
    "/large" {:status 200 :headers {} :body (repeat 1000 "line\n")}
    "/private" {:status 200 :headers {} :body (str (get headers "authorization"))}
    "/chat" #:ring.websocket{:protocol "chat"
                             :listener {:on-message (fn [socket m]
                                                      (ws/send! socket (str m " yourself"))
                                                      (ws/close! socket 3000 "bye"))}}
    "/prices" (events/response (fn [send!] (run! #(send! (str "price " %)) (range 5))))
    "/tokens" (let [asked (slurp body)]
                (events/response (fn [send!] (run! send! [asked "token" "[DONE]" "no more"]))))
    {:status 200 :headers {} :body (if body (slurp body) (str request-method uri))}))

(defmacro ^:private with-url [url & body]
  `(with-open [server# (ring/run-server answer {})]
     (let [~url (str "http://localhost:" (ring/port server#))]
       ~@body)))

(defn- printed [f & args]
  (str/split-lines (with-out-str (apply f args))))

(deftest calls-of-the-guide-do-what-it-says
  (let [file (doto (File/createTempFile "heddle" ".csv") (spit "a,b"))]
    (with-url url
      (is (= ["200" "text/plain" "Hello, Ada"] (printed guide/first-call url)))
      (let [[search login note put upload private] (guide/requests url (str file))]
        (is (= {:query "q=loom&page=1&page=2"} (:body search)))
        (is (= "user=ann&password=secret" (:body login)))
        (is (= "{\"text\":\"Weave\"}" (:body note)))
        (is (= "a,b" (:body put)))
        (is (str/includes? (:body upload) "a,b"))
        (is (str/starts-with? (:body private) "Basic ")))
      (is (= "answered 404: no such page" (guide/failures url)))
      (guide/download url file)
      (is (= 5000 (.length file)))
      (is (= (repeat 10 "200") (printed guide/asynchronous url)))
      (with-out-str
        (is (= ":get/items/1" (guide/asynchronous url))))
      (is (= "Hello, " (guide/own-client url))))
    (.delete file)))

(deftest servers-of-the-guide-answer
  (is (= ["Hello, /loom"] (printed guide/readme)))
  (is (str/starts-with? (first (printed guide/ring-server)) "http://localhost:"))
  (with-open [server (guide/async-ring-server :uri)]
    (is (= "/x" (:body (http/get (str "http://localhost:" (ring/port server) "/x"))))))
  (with-open [server (ring/run-server (constantly (guide/streaming [1 2])) {})]
    (is (= "1\n2\n" (:body (http/get (str "http://localhost:" (ring/port server) "/")))))))

(deftest sockets-and-events-of-the-guide-arrive
  (with-url url
    (is (= ["Hello yourself"] (printed guide/chat (str url "/chat"))))
    (let [done (promise)]
      (is (= "Hello yourself\n"
             (with-out-str
               (guide/chat-by-callbacks (str url "/chat") done)
               (is (= [3000 "bye"] (deref done 5000 nil)))))))
    (is (= ["price 0" "price 1" "price 2"] (printed guide/prices (str url "/prices"))))
    (is (= ["{\"stream\":true}" "token"] (printed guide/tokens (str url "/tokens")))))
  (with-open [client (guide/java-client)]
    (is (= "shop" (.label client)))))

(deftest the-example-program-runs
  (is (= "{:made 201, :notes [{:text Weave}], :countdown [3 2 1], :echo Hello}"
         (first (printed notes/-main)))))
