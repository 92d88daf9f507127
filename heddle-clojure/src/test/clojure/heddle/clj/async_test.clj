(ns heddle.clj.async-test
  (:require [clojure.test :refer [deftest is]]
            [heddle.clj.client :as http]
            [heddle.clj.serving :as serving :refer [with-server thrown-by]])
  (:import (heddle.http Body)
           (java.util.concurrent CancellationException CountDownLatch ExecutionException TimeUnit)))

(def ^:dynamic *context* nil)

(defn- ask [url opts]
  (http/get url (assoc opts :async? true)))

(deftest asynchronous-calls-are-derefed
  (let [held (CountDownLatch. 1)]
    (with-server [url (fn [_] (.await held) (serving/text "done"))]
      (let [call (ask (url "/") {})]
        (is (not (realized? call)))
        (is (not (future-done? call)))
        (is (= :not-yet (deref call 20 :not-yet)))
        (.countDown held)
        (is (= "done" (:body @call)))
        (is (= "done" (:body (deref call 0 nil))))
        (is (realized? call))
        (is (= "done" (:body (.get call))))
        (is (= "done" (:body (.get call 1 TimeUnit/SECONDS))))))))

(deftest deref-throws-what-the-call-has-failed-with
  (let [call (ask "http://localhost:1/" {})]
    (is (= :heddle/connect (:type (ex-data (thrown-by #(deref call))))))
    (is (= :heddle/connect (:type (ex-data (thrown-by #(deref call 1000 nil))))))
    (is (instance? ExecutionException (thrown-by #(.get call)))))
  (with-server [url (fn [_] (serving/answer 404 [] (Body/empty)))]
    (is (= 404 (:status (ex-data (thrown-by #(deref (ask (url "/") {})))))))
    (is (= 404 (:status @(ask (url "/") {:throw-exceptions false}))))))

(deftest errors-of-options-are-thrown-at-once
  (is (= :heddle/bad-option (:type (ex-data (thrown-by #(ask "http://localhost/" {:tmeout 1}))))))
  (is (= :heddle/url (:type (ex-data (thrown-by #(ask "nowhere" {})))))))

(deftest callbacks-get-the-response-or-the-failure
  (with-server [url (fn [exchange]
                      (if (= "/" (.target (.request exchange)))
                        (serving/text "done")
                        (serving/answer 500 [] (Body/empty))))]
    (let [got (promise) raised (promise)]
      (binding [*context* :mine]
        (ask (url "/") {:respond #(deliver got [(:body %) *context*
                                                (.isVirtual (Thread/currentThread))])
                        :raise #(deliver got %)}))
      (is (= ["done" :mine true] (deref got 5000 nil)))
      (ask (url "/x") {:respond #(deliver raised %) :raise #(deliver raised (ex-data %))})
      (is (= 500 (:status (deref raised 5000 nil))))))
  (is (= :respond (:option (ex-data (thrown-by #(http/get "http://localhost/"
                                                          {:respond identity})))))))

(deftest cancelling-ends-the-call-at-the-server
  (let [arrived (CountDownLatch. 1) interrupted (promise) raised (promise)]
    (with-server [url (fn [_]
                        (.countDown arrived)
                        (try
                          (.await (CountDownLatch. 1))
                          (catch InterruptedException e
                            (deliver interrupted true)
                            (throw e))))]
      (let [call (ask (url "/") {:version :http-2 :raise #(deliver raised %)})]
        (.await arrived)
        (is (future-cancel call))
        (is (future-cancelled? call))
        (is (not (future-cancel call)))
        (is (deref interrupted 5000 false))
        (is (instance? CancellationException (thrown-by #(deref call))))
        (is (instance? CancellationException (deref raised 5000 nil)))))))

(deftest a-finished-call-cannot-be-cancelled
  (with-server [url (fn [_] (serving/text "done"))]
    (let [call (ask (url "/") {})]
      @call
      (is (not (future-cancel call)))
      (is (= "done" (:body @call))))))

(deftest many-calls-run-at-once
  (let [arrived (CountDownLatch. 50)]
    (with-server [url (fn [_] (.countDown arrived) (.await arrived) (serving/text "all"))]
      (let [calls (mapv (fn [_] (ask (url "/") {})) (range 50))]
        (is (every? #(= "all" (:body (deref % 10000 nil))) calls))))))
