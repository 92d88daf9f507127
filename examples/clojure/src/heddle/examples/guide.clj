;; The code of the guide's page for Clojure.

;; doc: names
(ns heddle.examples.guide
  (:require [clojure.java.io :as io]
            [heddle.clj.client :as http]
            [heddle.clj.events :as events]
            [heddle.clj.ring :as ring]
            [heddle.clj.websocket :as ws])
  (:import (heddle.client HttpClient)
           (java.io InputStream OutputStream)
           (java.time Duration)))
;; doc: end

(defn readme []
  ;; doc: readme
  (with-open [server (ring/run-server (fn [{:keys [uri]}]
                                        {:status 200 :headers {} :body (str "Hello, " uri)})
                                      {:port 0})]
    (let [url (str "http://localhost:" (ring/port server) "/loom")]
      (println (:body (http/get url {:query-params {:q "weave"} :timeout 2000})))))
  ;; doc: end
  )

(defn first-call [url]
  ;; doc: first
  (let [response (http/get (str url "/hello") {:query-params {:name "Ada"}})]
    (println (:status response))                        ; 200
    (println (get-in response [:headers "content-type"])) ; text/plain
    (println (:body response)))                         ; Hello, Ada
  ;; doc: end
  )

(defn requests [url file]
  (vector
    ;; doc: requests
    (http/get (str url "/search") {:query-params {:q "loom" :page [1 2]} :accept :json :as :json})
    (http/post (str url "/login") {:form-params {:user "ann" :password "secret"}})
    (http/post (str url "/notes") {:json-params {:text "Weave"}})
    (http/put (str url "/files/1") {:body (io/file file) :content-type "text/csv"})
    (http/post (str url "/upload") {:multipart [{:name "title" :content "Figures"}
                                                {:name "report" :content (io/file file)}]})
    (http/get (str url "/private") {:basic-auth ["ann" "secret"]
                                    :headers {"X-Trace" "7"}
                                    :timeout 2000})
    ;; doc: end
    ))

(defn failures [url]
  ;; doc: failures
  (try
    (http/get (str url "/missing") {:timeout (Duration/ofSeconds 5)})
    (catch clojure.lang.ExceptionInfo e
      (case (:type (ex-data e))
        :heddle/status (str "answered " (:status (ex-data e)) ": " (:body (ex-data e)))
        :heddle/timeout "too slow"
        (throw e))))
  ;; doc: end
  )

(defn download [url file]
  ;; doc: stream
  (with-open [^InputStream in (:body (http/get (str url "/large") {:as :stream}))]
    (io/copy in (io/file file)))
  ;; doc: end
  )

(defn asynchronous [url]
  (let [seen (promise)]
    ;; doc: async
    (let [calls (mapv #(http/get (str url "/items/" %) {:async? true}) (range 10))]
      (run! #(println (:status (deref % 1000 {:status "not yet"}))) calls)
      (run! future-cancel calls))

    (http/get (str url "/items/1") {:async? true
                                    :respond (fn [response] (deliver seen (:body response)))
                                    :raise (fn [e] (deliver seen e))})
    ;; doc: end
    @seen))

(defn own-client [url]
  ;; doc: client
  (with-open [client (http/client {:base-url url
                                   :pool-limits {:max-per-route 50 :idle-timeout 30000}
                                   :timeouts {:connect 2000 :call (Duration/ofSeconds 10)}
                                   :user-agent "shop/2.1"
                                   :redirects :never})]
    (:body (http/get "/hello" {:client client})))
  ;; doc: end
  )

(defn ring-server []
  ;; doc: ring
  (let [server (ring/run-server
                 (fn [request]
                   {:status 200
                    :headers {"content-type" "text/plain"}
                    :body (str "Hello from " (:uri request))})
                 {:port 0})]                            ; 0 lets the system choose
    (println (str "http://localhost:" (ring/port server)))
    (ring/stop server))
  ;; doc: end
  )

(defn async-ring-server [work]
  ;; doc: ring-async
  (ring/run-server
    (fn [request respond raise]
      (future
        (try
          (respond {:status 200 :headers {} :body (work request)})
          (catch Exception e
            (raise e)))))
    {:port 0 :async? true :handler-timeout 5000})
  ;; doc: end
  )

(defn streaming [rows]
  ;; doc: ring-stream
  {:status 200
   :headers {"content-type" "text/csv"}
   :body (fn [^OutputStream out]
           (doseq [row rows]
             (.write out (.getBytes (str row "\n")))
             (.flush out)))}
  ;; doc: end
  )

(defn chat [url]
  ;; doc: websocket
  (with-open [socket (ws/connect url {:subprotocols ["chat"]})]
    (ws/send! socket "Hello")
    (doseq [message (ws/messages socket)]
      (println message)))
  ;; doc: end
  )

(defn chat-by-callbacks [url done]
  ;; doc: websocket-callbacks
  (let [socket (ws/connect url {:on-message (fn [message] (println message))
                                :on-close (fn [code reason] (deliver done [code reason]))})]
    (ws/send! socket "Hello"))
  ;; doc: end
  )

(defn prices [url]
  ;; doc: events
  (with-open [source (events/events url)]
    (run! println (eduction (map :data) (take 3) source)))
  ;; doc: end
  )

(defn tokens [url]
  ;; doc: events-model
  (with-open [answer (events/events url {:method :post
                                         :json-params {:stream true}
                                         :reconnect? false
                                         :until "[DONE]"})]
    (run! (comp println :data) answer))
  ;; doc: end
  )

(defn java-client ^HttpClient []
  ;; doc: java
  (-> (HttpClient/builder)
      (.label "shop")
      (.build))
  ;; doc: end
  )
