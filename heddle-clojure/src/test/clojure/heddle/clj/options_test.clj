(ns heddle.clj.options-test
  (:require [clojure.set :as set]
            [clojure.string :as str]
            [clojure.test :refer [deftest is]]
            [heddle.clj.client :as http]
            [heddle.clj.events :as events]
            [heddle.clj.options :as options]
            [heddle.clj.ring :as ring]
            [heddle.clj.serving :refer [thrown-by]]
            [heddle.clj.websocket :as ws])
  (:import (heddle.client HttpClient$Builder)
           (heddle.client.settings PoolLimits PoolLimits$Builder Timeouts Timeouts$Builder)
           (heddle.http Limits$Builder)
           (heddle.server HttpServer$Builder)
           (heddle.sse EventSource$Builder)
           (heddle.websocket WebSocket$Builder WebSocketHandler$Builder)
           (java.lang.reflect Modifier)
           (java.time Duration)))

(deftest typos-are-refused-with-the-nearest-key
  (doseq [[f typo wanted]
          [[#(http/get "http://localhost/" %) :query-parms :query-params]
           [#(http/get "http://localhost/" %) :timout :timeout]
           [#(http/get "http://localhost/" %) :form-param :form-params]
           [#(http/client %) :pool-limit :pool-limits]
           [#(http/client {:pool-limits %}) :max-per-rout :max-per-route]
           [#(http/client {:timeouts %}) :conect :connect]
           [#(ring/run-server identity %) :prot :port]
           [#(ring/run-server identity {:websocket %}) :compresion :compression]
           [#(ring/run-server identity {:head-limits %}) :max-field :max-fields]
           [#(ring/exchange-handler identity %) :async :async?]
           [#(ws/connect "ws://localhost/" %) :on-mesage :on-message]
           [#(events/events "http://localhost/" %) :reconect? :reconnect?]
           [#(events/response % identity) :heartbeet :heartbeat]]]
    (let [e (thrown-by #(f {typo 1}))]
      (is (= :heddle/bad-option (:type (ex-data e))) typo)
      (is (= typo (:option (ex-data e))))
      (is (= wanted (:nearest (ex-data e))))
      (is (str/includes? (ex-message e) (str "did you mean " wanted "?"))))))

(deftest keys-of-other-libraries-are-refused-with-advice
  (doseq [[f k advice] [[#(http/get "http://localhost/" %) :socket-timeout ":silence"]
                        [#(http/get "http://localhost/" %) :follow-redirects ":redirects"]
                        [#(http/client %) :default-per-route ":max-per-route"]
                        [#(http/post "http://localhost/" {:multipart [%]}) :mime-type
                         ": use :content-type"]
                        [#(ring/run-server identity %) :ip ":host"]]]
    (is (str/includes? (ex-message (thrown-by #(f {k 1}))) advice))))

(deftest keys-that-resemble-none-get-the-list
  (is (str/includes? (ex-message (thrown-by #(http/get "http://localhost/" {:zzzzzzzz 1})))
                     ":query-params"))
  (is (= "x" (:option (ex-data (thrown-by #(http/get "http://localhost/" {"x" 1})))))))

(deftest values-of-another-kind-are-refused
  (doseq [[f opts option] [[#(http/get "http://localhost/" %) {:as :josn} :as]
                           [#(http/get "http://localhost/" %) {:timeout "1s"} :timeout]
                           [#(http/get "http://localhost/" %) {:timeout 1.5} :timeout]
                           [#(http/get "http://localhost/" %) {:version :http-3} :version]
                           [#(http/get "http://localhost/" %) {:headers [1]} :headers]
                           [#(http/get "http://localhost/" %) {:client :c} :client]
                           [#(http/get "http://localhost/" %) {:basic-auth :x} :basic-auth]
                           [#(http/get "http://localhost/" %) {:query-params "a=b"} :query-params]
                           [#(http/post "http://localhost/" %) {:body 1} :body]
                           [#(http/post "http://localhost/" %) {:multipart [{:content "x"}]}
                            :name]
                           [#(http/client %) {:redirects :always} :redirects]
                           [#(http/client {:pool-limits %}) {:max-total "1"} :max-total]
                           [#(http/client %) {:user-agent 1} :user-agent]
                           [#(ring/run-server identity %) {:port "8080"} :port]
                           [#(ring/run-server identity %) {:host :any} :host]
                           [#(ring/run-server nil %) {} :handler]
                           [#(http/client %) {:min-response-rate 1} :min-response-rate]
                           [#(ring/run-server identity %) {:idle-timeout nil} :idle-timeout]
                           [#(events/events "http://localhost/" %) {:until "x"} :until]
                           [#(events/events "http://localhost/" %)
                            {:reconnect? false :max-delay 1} :max-delay]]]
    (let [e (thrown-by #(f opts))]
      (is (= :heddle/bad-option (:type (ex-data e))) opts)
      (is (= option (:option (ex-data e))))))
  (is (instance? IllegalArgumentException
                 (thrown-by #(http/client {:pool-limits {:max-total 0}})))))

(defn- kebab [method]
  (keyword (str/lower-case (str/replace method #"([a-z0-9])([A-Z])" "$1-$2"))))

(defn- settings [^Class builder]
  (into #{}
        (comp (filter #(Modifier/isPublic (.getModifiers %)))
              (map #(.getName %))
              (remove #{"build" "start" "open"})
              (map kebab))
        (.getDeclaredMethods builder)))

(deftest every-setting-of-heddles-builders-has-its-keyword
  (doseq [[builder table own] [[HttpClient$Builder #'http/client-options #{}]
                               [PoolLimits$Builder #'http/pool-options #{}]
                               [Timeouts$Builder #'http/timeout-options #{}]
                               [HttpServer$Builder #'ring/server-options
                                #{:handler :exchange-handler}]
                               [Limits$Builder #'ring/head-options #{}]
                               [WebSocketHandler$Builder #'ring/websocket-options
                                #{:subprotocols}]
                               [WebSocket$Builder #'ws/socket-options #{}]
                               [EventSource$Builder #'events/source-options #{}]]]
    (is (= (set/difference (settings builder) own) (set (keys @table)))
        builder)))

(deftest settings-reach-heddle
  (let [limits (#'http/pool-limits {:max-per-route 3 :max-http2-per-route 2 :max-total 9
                                    :max-streams-per-connection 4 :max-in-flight-per-route 8
                                    :max-queued-per-route 5 :acquire-timeout 100
                                    :idle-timeout 200 :max-age (Duration/ofMinutes 1)
                                    :age-jitter 0.1 :adaptive [1 7]})]
    (is (= (PoolLimits. 3 2 4 8 9 5 (Duration/ofMillis 100) (Duration/ofMillis 200)
                        (Duration/ofMinutes 1) 0.1
                        (heddle.client.settings.PoolLimits$Adaptive. 1 7))
           limits)))
  (is (= (Timeouts. (Duration/ofMillis 1) (Duration/ofMillis 2) (Duration/ofMillis 3)
                    (Duration/ofMillis 4) (Duration/ofMillis 5) (Duration/ofMillis 6)
                    (Duration/ofMillis 7) (Duration/ofMillis 8) (Duration/ofMillis 9))
         (#'http/timeouts {:call 1 :head 2 :connect 3 :tls 4 :settings 5 :first-byte 6
                           :expect-continue 7 :silence 8 :close 9})))
  (with-open [client (http/client {:label "shop" :retries :never :retry-budget [0.2 3]
                                   :min-response-rate [10 1000] :redirects :standard
                                   :content-codings false :expect-continue-from 1
                                   :max-response-head [1000 10] :upgrade-to-h2c false
                                   :coalesce-origins true :deadline-header :x-left
                                   :tcp-keep-alive [1000 1000] :socket-buffers [8192 8192]
                                   :loops 1 :close-connections-after #(< 499 %)
                                   :proxy "http://localhost:1"
                                   :tls #(heddle.transport.tls.TlsOptions/defaults)})]
    (is (= "shop" (.label client))))
  (with-open [server (ring/run-server identity {:max-connections 7 :max-requests 3
                                                :memory-budget 1000000 :loops 1 :backlog 5
                                                :min-rate [1 1000] :http2-stream-window [10 20]
                                                :head-limits {:max-fields 5} :host "127.0.0.1"
                                                :idle-timeout 100 :drain-delay 0})]
    (is (= 7 (.maxConnections server)))
    (is (= 3 (.maxRequests server)))
    (is (= 1000000 (.memoryBudget server)))))
