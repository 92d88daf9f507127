(ns heddle.examples.notes
  "Notes as JSON, a countdown as events, an echo over WebSocket: a server, and calls of it."
  (:require [clojure.data.json :as json]
            [heddle.clj.client :as http]
            [heddle.clj.events :as events]
            [heddle.clj.ring :as ring]
            [heddle.clj.websocket :as ws]))

;; doc: service
(defn json-response [status value]
  {:status status
   :headers {"Content-Type" "application/json"}
   :body (json/write-str value)})

(defn handler
  "Answers with the notes in an atom."
  [notes]
  (fn [{:keys [request-method uri body]}]
    (case [request-method uri]
      [:get "/notes"] (json-response 200 @notes)
      [:post "/notes"] (let [note (json/read-str (slurp body) :key-fn keyword)]
                         (swap! notes conj note)
                         (json-response 201 note))
      [:get "/countdown"] (events/response (fn [send!]
                                             (run! #(send! (str %)) [3 2 1])))
      [:get "/echo"] {:ring.websocket/listener
                      {:on-message (fn [socket message] (ws/send! socket message))}}
      {:status 404 :headers {}})))
;; doc: end

(defn talk
  "What a client gets from the server at this URL."
  [url]
  {:made (:status (http/post (str url "/notes") {:json-params {:text "Weave"}}))
   :notes (:body (http/get (str url "/notes") {:as :json}))
   :countdown (with-open [source (events/events (str url "/countdown") {:reconnect? false})]
                (mapv :data source))
   :echo (with-open [socket (ws/connect (str url "/echo"))]
           (ws/send! socket "Hello")
           (ws/receive socket))})

;; doc: main
(defn -main [& _]
  (with-open [server (ring/run-server (handler (atom [])) {:port 0})]
    (println (talk (str "http://localhost:" (ring/port server))))))
;; doc: end
