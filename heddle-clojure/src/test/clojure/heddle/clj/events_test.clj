(ns heddle.clj.events-test
  (:require [clojure.test :refer [deftest is]]
            [heddle.clj.client :as http]
            [heddle.clj.events :as events]
            [heddle.clj.ring :as ring]
            [heddle.clj.serving :as serving :refer [thrown-by with-server]])
  (:import (heddle.http Body)
           (heddle.sse EventSender NoEventStreamException)
           (java.io InputStream)
           (java.util.concurrent CountDownLatch)))

(defn- stream
  "A response of events, as they stand on the wire."
  [text]
  (serving/answer 200 ["Content-Type" "text/event-stream"] (Body/of (.getBytes text "UTF-8"))))

(deftest events-of-one-response-are-a-sequence
  (with-server [url (fn [_] (stream "data: a\n\nevent: x\nid: 7\ndata: b\ndata: c\n\n"))]
    (with-open [source (events/events (url "/") {:reconnect? false})]
      (is (= [{:type "message" :data "a" :id ""} {:type "x" :data "b\nc" :id "7"}]
             (vec source))))))

(deftest a-sequence-takes-no-more-than-it-is-asked-for
  (let [held (CountDownLatch. 1)]
    (with-server [url (fn [exchange]
                        (with-open [sender (EventSender/open exchange)]
                          (.send sender "first")
                          (.await held)
                          (.send sender "second"))
                        nil)]
      (with-open [source (events/events (url "/") {:reconnect? false})]
        (is (= "first" (:data (first source))))
        (.countDown held)
        (is (= ["first" "second"] (mapv :data (seq source))))))))

(deftest data-may-end-a-stream
  (with-server [url (fn [_] (stream "data: a\n\ndata: [DONE]\n\ndata: b\n\n"))]
    (is (= ["a"] (into [] (map :data)
                       (events/events (url "/") {:reconnect? false :until "[DONE]"}))))))

(deftest sources-connect-again-after-the-last-event
  (let [asked (atom [])]
    (with-server [url (fn [exchange]
                        (let [last-id (.first (.headers (.request exchange)) "Last-Event-ID")]
                          (swap! asked conj last-id)
                          (case last-id
                            "5" (stream "id: 6\ndata: a\n\n")
                            "6" (stream "id: 7\ndata: b\n\n")
                            (serving/answer 204 [] (Body/empty)))))]
      (is (= ["a" "b"] (mapv :data (seq (events/events (url "/") {:last-event-id "5"
                                                                  :reconnect-delay 1
                                                                  :max-delay 1000})))))
      (is (= ["5" "6" "7"] @asked)))))

(deftest content-is-sent-with-the-request
  (with-server [url (fn [exchange]
                      (stream (str "data: " (String. (.bytes (.body (.request exchange))))
                                   "\n\n")))]
    (is (= ["{\"q\":1}"] (mapv :data (seq (events/events (url "/")
                                                         {:method :post :json-params {:q 1}
                                                          :reconnect? false})))))))

(deftest callbacks-are-called
  (let [seen (atom [])]
    (with-server [url (fn [_] (stream "data: a\n\ndata: b\n\n"))]
      (events/events (url "/") {:reconnect? false
                                :on-event #(swap! seen conj (:data %))
                                :on-close #(swap! seen conj :closed)})
      (serving/await-that "closed" #(= ["a" "b" :closed] @seen)))
    (reset! seen [])
    (with-server [url (fn [_] (serving/text "no events"))]
      (events/events (url "/") {:on-event identity
                                :on-error #(swap! seen conj (class (ex-cause %)))
                                :on-close #(swap! seen conj :closed)})
      (serving/await-that "closed" #(= [NoEventStreamException :closed] @seen)))))

(deftest failures-are-thrown-where-the-next-event-is-asked-for
  (with-server [url (fn [_] (serving/answer 404 [] (Body/empty)))]
    (doseq [reconnect? [true false]]
      (with-open [source (events/events (url "/") {:reconnect? reconnect?})]
        (let [e (thrown-by #(seq source))]
          (is (= {:type :heddle/status :status 404} (dissoc (ex-data e) :request)))
          (is (instance? heddle.http.StatusException (ex-cause e))))))))

(deftest closing-ends-a-source-that-waits
  (doseq [reconnect? [true false]]
    (let [arrived (CountDownLatch. 1) gone (promise)]
      (with-server [url (fn [exchange]
                          (with-open [sender (EventSender/open exchange)]
                            (.send sender "first")
                            (.countDown arrived)
                            (try
                              (.await (CountDownLatch. 1))
                              (catch InterruptedException e
                                (deliver gone true)
                                (throw e)))))]
        (let [source (events/events (url "/") {:reconnect? reconnect? :version :http-2})
              waiting (future (try (mapv :data (seq source)) (catch Exception e (ex-data e))))]
          (.await arrived)
          (.close source)
          (is (some? (deref waiting 5000 nil)))
          (is (deref gone 5000 false)))))))

(deftest closing-ends-a-source-that-has-no-response-yet
  (doseq [reconnect? [true false]]
    (let [arrived (CountDownLatch. 1) held (CountDownLatch. 1)]
      (with-server [url (fn [_] (.countDown arrived) (.await held) (stream ""))]
        (let [source (events/events (url "/") {:reconnect? reconnect?})
              waiting (future (try (vec source) (catch Exception e (:type (ex-data e)))))]
          (.await arrived)
          (.close source)
          (is (contains? #{[] :heddle/cancelled} (deref waiting 5000 :waits)))
          (.countDown held))))))

(deftest handlers-send-events
  (with-open [server (ring/run-server
                       (fn [request]
                         (events/response {:headers {"X" "y"} :heartbeat 60000}
                                          (fn [send!]
                                            (send! (:uri request))
                                            (send! {:type :tick :id 3 :data "b\nc"}))))
                       {})]
    (let [url (str "http://localhost:" (ring/port server) "/here")]
      (is (= [{:type "message" :data "/here" :id ""} {:type "tick" :data "b\nc" :id "3"}]
             (vec (events/events url {:reconnect? false}))))
      (with-open [^InputStream in (:body (http/get url {:as :stream}))]
        (is (some? in)))
      (is (= "y" (get-in (http/get url) [:headers "x"]))))))
