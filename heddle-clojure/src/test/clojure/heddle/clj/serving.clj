(ns heddle.clj.serving
  "Servers for the tests of clients: on Heddle's server, without the namespace for Ring."
  (:import (heddle.http Body Headers Request Response Status)
           (heddle.server HttpServer)
           (heddle.server.spi ExchangeHandler)
           (heddle.testwatch Conditions)
           (java.io InputStream)
           (java.util.function BooleanSupplier)))

(defn start
  "A server that answers with a function of the exchange."
  ^HttpServer [f]
  (-> (HttpServer/builder)
      (.exchangeHandler (reify ExchangeHandler (handle [_ exchange] (f exchange))))
      (.start)))

(defmacro with-server
  "Evaluates the body with `url` bound to a function of a path."
  [[url f] & body]
  `(with-open [server# (start ~f)]
     (let [~url (fn [path#] (str "http://localhost:" (.port server#) path#))]
       ~@body)))

(defn answer
  "A response."
  ^Response [status fields ^Body body]
  (-> (Response/builder (Status/of status))
      (.headers (Headers/of (into-array String fields)))
      (.body body)
      (.build)))

(defn text ^Response [s]
  (answer 200 ["Content-Type" "text/plain; charset=utf-8"] (Body/of (.getBytes (str s) "UTF-8"))))

(defn seen
  "What a server sees of a request, as data."
  [exchange]
  (let [^Request request (.request exchange)]
    {:method (str (.method request))
     :target (.target request)
     :type (.first (.headers request) "Content-Type")
     :length (.first (.headers request) "Content-Length")
     :headers (into {} (map (fn [field] [(.lowerCase (.name field)) (.value field)]))
                    (.headers request))
     :x (vec (.all (.headers request) "X"))
     :version (str (.version exchange))
     :body (String. (.bytes (.body request)) "UTF-8")}))

(defn echo
  "Answers with what was seen, as Clojure data."
  [exchange]
  (text (pr-str (seen exchange))))

(defn zeros
  "A stream of this many bytes, which are in no memory."
  ^InputStream [size]
  (let [left (atom size)]
    (proxy [InputStream] []
      (read
        ([] (throw (UnsupportedOperationException. "byte by byte")))
        ([^bytes b] (.read ^InputStream this b 0 (alength b)))
        ([b from n]
         (let [count (min (int n) (int (min @left 65536)))]
           (if (zero? count)
             -1
             (do (swap! left - count) count))))))))

(defn count-bytes
  "How many bytes a stream has."
  [^InputStream in]
  (let [buffer (byte-array 65536)]
    (loop [all 0]
      (let [n (.read in buffer)]
        (if (neg? n) all (recur (+ all n)))))))

(defn await-that
  "Returns once the function returns true; fails after 20 s."
  [what f]
  (Conditions/await what (reify BooleanSupplier (getAsBoolean [_] (boolean (f))))))

(defn thrown-by
  "The exception of a call, or nil."
  [f]
  (try (f) nil (catch Exception e e)))
