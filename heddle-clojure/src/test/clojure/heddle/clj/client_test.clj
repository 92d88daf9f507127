(ns heddle.clj.client-test
  (:require [clojure.edn :as edn]
            [clojure.string :as str]
            [clojure.test :refer [deftest is testing]]
            [heddle.clj.client :as http]
            [heddle.clj.serving :as serving :refer [with-server thrown-by]])
  (:import (heddle.client HttpClient)
           (heddle.http Body Body$Writer StatusException)
           (heddle.http.failure ConnectFailedException DeadlineExceededException)
           (java.io ByteArrayInputStream File FilterInputStream InputStream)
           (java.nio.file Files Path)
           (java.nio.file.attribute FileAttribute)
           (java.util.concurrent CountDownLatch)))

(defn- echoed [result]
  (edn/read-string (:body result)))

(deftest verbs-send-their-methods
  (with-server [url serving/echo]
    (doseq [[f method] {http/get "GET" http/post "POST" http/put "PUT" http/patch "PATCH"
                        http/delete "DELETE" http/options "OPTIONS"}]
      (is (= method (:method (echoed (f (url "/"))))))
      (is (= method (:method (echoed (f (url "/") {:headers {"A" "b"}}))))))
    (is (= "GET" (:method (echoed (http/request {:url (url "/")})))))
    (is (= "PUT" (:method (echoed (http/request {:url (url "/") :request-method :put})))))
    (is (= "PROPFIND" (:method (echoed (http/request {:url (url "/") :method :propfind})))))))

(deftest head-has-fields-and-no-body
  (with-server [url (fn [_] (serving/text "12345"))]
    (let [result (http/head (url "/"))]
      (is (= 200 (:status result)))
      (is (= "5" (get-in result [:headers "content-length"])))
      (is (nil? (:body result))))
    (is (= 200 (:status (http/head (url "/") {:as :json}))))))

(deftest responses-are-maps
  (with-server [url (fn [_] (serving/answer 201 ["X-One" "1" "Set-Cookie" "a=1" "Set-Cookie" "b=2"
                                                 "Set-Cookie" "c=3"]
                                            (Body/of "made")))]
    (let [result (http/get (url "/"))]
      (is (= #{:status :headers :body :version} (set (keys result))))
      (is (= 201 (:status result)))
      (is (= :http-1.1 (:version result)))
      (is (= "1" (get-in result [:headers "x-one"])))
      (is (= ["a=1" "b=2" "c=3"] (get-in result [:headers "set-cookie"])))
      (is (= "made" (:body result))))
    (is (= :http-2 (:version (http/get (url "/") {:version :http-2}))))))

(deftest responses-without-content-have-no-body
  (doseq [status [204 304]]
    (with-server [url (fn [_] (serving/answer status [] (Body/empty)))]
      (is (nil? (:body (http/get (url "/") {:as :stream})))))))

(deftest content-is-coerced
  (let [respond (fn [type ^bytes bytes]
                  (fn [_] (serving/answer 200 (if type ["Content-Type" type] [])
                                          (Body/of bytes))))
        body (fn [type bytes as]
               (with-server [url (respond type bytes)]
                 (:body (http/get (url "/") (if as {:as as} {})))))]
    (is (= "Grüße" (body "text/plain" (.getBytes "Grüße" "UTF-8") nil)))
    (is (= "Grüße" (body "text/plain; charset=iso-8859-1" (.getBytes "Grüße" "ISO-8859-1") :text)))
    (is (= [1 2 -3] (vec (body "text/plain" (byte-array [1 2 -3]) :byte-array))))
    (is (= {:a [1 {:b nil}]} (body "text/plain" (.getBytes "{\"a\":[1,{\"b\":null}]}") :json)))
    (is (nil? (body "application/json" (.getBytes "") :json)))
    (is (= {:a 1} (body "application/json" (.getBytes "{\"a\":1}") :auto)))
    (is (= {:a 1} (body "application/problem+json" (.getBytes "{\"a\":1}") :auto)))
    (is (= "<a/>" (body "application/xml" (.getBytes "<a/>") :auto)))
    (is (= "a" (body "text/html" (.getBytes "a") :auto)))
    (is (= [7] (vec (body "image/png" (byte-array [7]) :auto))))
    (is (= [7] (vec (body nil (byte-array [7]) :auto))))
    (with-server [url (respond "text/plain" (.getBytes "stream"))]
      (with-open [^InputStream in (:body (http/get (url "/") {:as :stream}))]
        (is (instance? InputStream in))
        (is (= "stream" (slurp in)))))))

(deftest content-that-is-no-json-is-a-failure-with-its-text
  (with-server [url (fn [_] (serving/text "{\"a\":"))]
    (let [e (thrown-by #(http/get (url "/") {:as :json}))]
      (is (= :heddle/json (:type (ex-data e))))
      (is (= "{\"a\":" (:body (ex-data e))))
      (is (= (url "/") (:url (:request (ex-data e)))))
      (is (.contains (ex-message e) (str "GET " (url "/") " is not JSON"))))))

(deftest json-says-what-to-add-if-it-is-missing
  (with-server [url serving/echo]
    (with-redefs [requiring-resolve (fn [s] (throw (java.io.FileNotFoundException. (str s))))]
      (let [e (thrown-by #(http/post (url "/") {:json-params {:a 1}}))]
        (is (= :heddle/no-json (:type (ex-data e))))
        (is (str/includes? (ex-message e) "org.clojure/data.json"))))))

(deftest parameters-are-added-to-the-url
  (with-server [url serving/echo]
    (let [target #(:target (echoed (http/get (url "/p") {:query-params %})))]
      (is (= "/p?q=a%20%26%20%C3%A4" (target {:q "a & ä"})))
      (is (= "/p?n=1&n=2" (target {"n" [1 2]})))
      (is (= "/p?k=v" (target {:k :v})))
      (is (= "/p?empty=" (target {:empty nil})))
      (is (= "/p" (target {}))))
    (is (= "/p?a=1&b=2" (:target (echoed (http/get (url "/p?a=1") {:query-params {:b 2}})))))
    (is (= :query-params (:option (ex-data (thrown-by #(http/get (url "/")
                                                                 {:query-params {:a {:b 1}}}))))))))

(deftest headers-are-sent
  (with-server [url serving/echo]
    (let [seen #(echoed (http/get (url "/") %))]
      (is (= ["1" "two" "3"] (:x (seen {:headers {:x [1 :two "3"]}}))))
      (is (= "v" (get-in (seen {:headers {"My-Header" "v"}}) [:headers "my-header"])))
      (is (= "application/json" (get-in (seen {:accept :json}) [:headers "accept"])))
      (is (= "text/csv" (get-in (seen {:accept "text/csv"}) [:headers "accept"])))
      (is (= "Basic QW5uOnBhOnNz" (get-in (seen {:basic-auth ["Ann" "pa:ss"]})
                                          [:headers "authorization"])))
      (is (= "Basic QW5uOnBhOnNz" (get-in (seen {:basic-auth "Ann:pa:ss"})
                                          [:headers "authorization"])))
      (is (= "Bearer t" (get-in (seen {:oauth-token "t"}) [:headers "authorization"]))))
    (is (instance? IllegalArgumentException
                   (thrown-by #(http/get (url "/") {:headers {"X" "a\r\nEvil: 1"}}))))))

(deftest bodies-of-every-kind-are-sent
  (let [file (Files/createTempFile "heddle" ".txt" (make-array FileAttribute 0))]
    (spit (.toFile file) "of a file")
    (with-server [url serving/echo]
      (let [seen #(echoed (http/post (url "/") %))
            closed (atom false)
            stream (proxy [FilterInputStream] [(ByteArrayInputStream. (.getBytes "of a stream"))]
                     (close [] (reset! closed true)))]
        (is (= "Grüße" (:body (seen {:body "Grüße"}))))
        (is (= "text/plain; charset=utf-8" (:type (seen {:body "x"}))))
        (is (= "bytes" (:body (seen {:body (.getBytes "bytes")}))))
        (is (= "of a file" (:body (seen {:body (.toFile file)}))))
        (is (= "9" (:length (seen {:body file}))))
        (is (= "of a stream" (:body (seen {:body stream}))))
        (is @closed)
        (is (= "own" (:body (seen {:body (Body/of "own")}))))
        (is (= "text/csv" (:type (seen {:body "a,b" :content-type "text/csv"}))))
        (is (= "application/edn" (:type (seen {:body "{}" :content-type :edn}))))
        (is (= 1 (count (filter #{\uFFFD} (:body (seen {:body "é" :content-type
                                                        "text/plain; charset=iso-8859-1"}))))))
        (let [form (seen {:form-params {:a "1 2" "b" [3 nil :four]}})]
          (is (= "application/x-www-form-urlencoded" (:type form)))
          (is (= "a=1+2&b=3&b=&b=four" (:body form))))
        (let [json (seen {:form-params {:a [1 nil]} :content-type :json})]
          (is (= "application/json" (:type json)))
          (is (= "{\"a\":[1,null]}" (:body json))))
        (let [json (seen {:json-params ["x"]})]
          (is (= "application/json" (:type json)))
          (is (= "[\"x\"]" (:body json))))))
    (Files/delete file)))

(deftest a-request-has-one-content-of-a-known-kind
  (is (= :form-params (:option (ex-data (thrown-by #(http/post "http://localhost/"
                                                               {:body "a" :form-params {}}))))))
  (let [e (thrown-by #(http/post "http://localhost/" {:body {:a 1}}))]
    (is (= :body (:option (ex-data e))))
    (is (str/includes? (ex-message e) ":json-params"))))

(deftest multipart-parts-are-sent
  (let [file (Files/createTempFile "heddle" ".bin" (make-array FileAttribute 0))]
    (spit (.toFile file) "of a file")
    (with-server [url serving/echo]
      (let [{:keys [type body]}
            (echoed (http/post (url "/")
                               {:multipart
                                [{:name "text" :content "Grüße"}
                                 {:name "bytes" :content (.getBytes "b") :filename "b.bin"}
                                 {:name "file" :content (.toFile file)}
                                 {:name :path :content file :filename "p" :content-type :json}
                                 {:name "stream"
                                  :content (ByteArrayInputStream. (.getBytes "of a stream"))
                                  :content-type "text/x"}
                                 {:name "csv" :content "a,b" :content-type "text/csv"}]}))
            part (fn [part-name]
                   (some #(when (str/includes? % (str "name=\"" part-name "\"")) %)
                         (str/split body #"--[-\w]+\r\n")))]
        (is (str/starts-with? type "multipart/form-data; boundary="))
        (is (str/includes? (part "text") "\r\n\r\nGrüße"))
        (is (not (str/includes? (part "text") "Content-Type")))
        (is (str/includes? (part "bytes") "filename=\"b.bin\""))
        (is (str/includes? (part "file") (str "filename=\"" (.getFileName file) "\"")))
        (is (str/includes? (part "file") "\r\n\r\nof a file"))
        (is (str/includes? (part "path") "filename=\"p\"\r\nContent-Type: application/json"))
        (is (str/includes? (part "stream") "Content-Type: text/x\r\n\r\nof a stream"))
        (is (str/includes? (part "csv") "Content-Type: text/csv")))
      (is (= :content-typ (:option (ex-data (thrown-by
                                              #(http/post (url "/")
                                                          {:multipart [{:name "a" :content "b"
                                                                        :content-typ "x"}]})))))))
    (Files/delete file)))

(deftest large-uploads-are-streamed
  (let [size (* 320 1024 1024)]
    (with-open [server (-> (heddle.server.HttpServer/builder)
                           (.maxBodyBytes (* 2 size))
                           (.exchangeHandler
                             (reify heddle.server.spi.ExchangeHandler
                               (handle [_ exchange]
                                 (serving/text
                                  (serving/count-bytes
                                    (.stream (.body (.request exchange))))))))
                           (.start))]
      (let [url (str "http://localhost:" (.port server) "/")]
        (testing "more than the heap of this JVM"
          (is (< (.maxMemory (Runtime/getRuntime)) size))
          (is (= (str size) (:body (http/post url {:body (serving/zeros size)}))))
          (let [parts [{:name "a" :content (serving/zeros size)}]]
            (is (< size (parse-long (:body (http/post url {:multipart parts})))))))))))

(deftest statuses-of-failure-are-thrown-unless-asked
  (with-server [url (fn [_] (serving/answer 422 ["X" "y" "Content-Type" "application/json"]
                                            (Body/of "{\"why\":1}")))]
    (doseq [as [:text :json :byte-array :stream :auto]]
      (let [e (thrown-by #(http/get (url "/a?b=c") {:as as :headers {"Secret" "s"}}))]
        (is (= {:type :heddle/status :status 422 :body "{\"why\":1}" :version :http-1.1
                :request {:method :get :url (url "/a?b=c")}}
               (dissoc (ex-data e) :headers)))
        (is (= "y" (get-in (ex-data e) [:headers "x"])))
        (is (str/includes? (ex-message e) "422"))))
    (is (= 422 (:status (http/get (url "/") {:throw-exceptions false}))))
    (is (= {:why 1} (:body (http/get (url "/") {:throw-exceptions false :as :json}))))
    (is (= 422 (:status (ex-data (thrown-by #(http/head (url "/")))))))))

(deftest failures-have-their-type-and-heddles-cause
  (let [e (thrown-by #(http/get "http://localhost:1/x"))]
    (is (= {:type :heddle/connect :request {:method :get :url "http://localhost:1/x"}}
           (ex-data e)))
    (is (instance? ConnectFailedException (ex-cause e))))
  (is (= :heddle/url (:type (ex-data (thrown-by #(http/get "http://[x/"))))))
  (is (= :heddle/url (:type (ex-data (thrown-by #(http/get "relative"))))))
  (is (= :heddle/bad-option (:type (ex-data (thrown-by #(http/get nil)))))))

(deftest timeouts-bound-the-whole-call
  (let [held (CountDownLatch. 1)]
    (with-server [url (fn [exchange]
                        (if (= "/head" (.target (.request exchange)))
                          (do (.await held) (serving/text "late"))
                          (serving/answer 200 []
                                          (Body/written
                                            (reify Body$Writer
                                              (writeTo [_ out]
                                                (.write out 1)
                                                (.flush out)
                                                (.await held)))))))]
      (doseq [path ["/head" "/body"] timeout [150 (java.time.Duration/ofMillis 150)]]
        (let [e (thrown-by #(http/get (url path) {:timeout timeout}))]
          (is (= :heddle/timeout (:type (ex-data e))) path)
          (is (instance? DeadlineExceededException (ex-cause e)))))
      (.countDown held))))

(deftest streams-that-are-closed-early-free-their-connections
  (with-open [client (http/client {:pool-limits {:max-per-route 1 :acquire-timeout 5000}})]
    (let [ended (CountDownLatch. 1)]
      (with-server [url (fn [exchange]
                          (if (= "/long" (.target (.request exchange)))
                            (serving/answer 200 []
                                            (Body/written
                                              (reify Body$Writer
                                                (writeTo [_ out]
                                                  (try
                                                    (while true
                                                      (.write out (byte-array 65536)))
                                                    (finally (.countDown ended)))))))
                            (serving/text "short")))]
        (let [^InputStream in (:body (http/get (url "/long") {:as :stream :client client}))]
          (is (= 0 (.read in)))
          (.close in))
        (is (= "short" (:body (http/get (url "/") {:client client}))))
        (.await ended)))))

(deftest every-path-but-a-stream-closes-the-response
  (with-open [client (http/client {:pool-limits {:max-per-route 1 :acquire-timeout 5000}})]
    (with-server [url (fn [exchange]
                        (case (.target (.request exchange))
                          "/500" (serving/answer 500 [] (Body/of "broken"))
                          "/bad" (serving/answer 200 ["Content-Type" "application/json"]
                                                 (Body/of "{"))
                          (serving/text "{}")))]
      (dotimes [_ 3]
        (doseq [as [:text :byte-array :json :auto]]
          (is (= 200 (:status (http/get (url "/") {:client client :as as})))))
        (is (= 500 (:status (ex-data (thrown-by #(http/get (url "/500") {:client client
                                                                         :as :stream}))))))
        (is (= :heddle/json (:type (ex-data (thrown-by #(http/get (url "/bad")
                                                                  {:client client
                                                                   :as :json}))))))
        (is (= 200 (:status (http/head (url "/") {:client client}))))))))

(deftest content-that-is-too-large-for-memory-is-refused-and-closed
  (with-open [client (http/client {:pool-limits {:max-per-route 1 :acquire-timeout 5000}})]
    (let [size (inc Body/MAX_IN_MEMORY)]
      (with-server [url (fn [exchange]
                          (if (= "/" (.target (.request exchange)))
                            (serving/text "small")
                            (serving/answer 200 [] (Body/of (serving/zeros size) size))))]
        (doseq [as [:text :byte-array :json]]
          (is (= :heddle/too-large (:type (ex-data (thrown-by #(http/get (url "/large")
                                                                         {:client client
                                                                          :as as})))))))
        (is (= "small" (:body (http/get (url "/") {:client client}))))))))

(deftest streams-that-cannot-be-sent-are-closed
  (let [closed (atom 0)
        stream #(proxy [FilterInputStream] [(ByteArrayInputStream. (.getBytes "x"))]
                  (close [] (swap! closed inc)))]
    (doseq [content [{:body (stream)}
                     {:multipart [{:name "a" :content (stream)}]}
                     {:multipart [{:name "a" :content (stream) :content-type "text/x"}]}]]
      (reset! closed 0)
      (is (= :heddle/connect (:type (ex-data (thrown-by #(http/post "http://localhost:1/"
                                                                    content))))))
      (is (pos? @closed)))))

(deftest redirects-are-followed-and-listed
  (with-server [url (fn [exchange]
                      (case (.target (.request exchange))
                        "/a" (serving/answer 302 ["Location" "/b"] (Body/empty))
                        "/b" (serving/answer 302 ["Location" "/c"] (Body/empty))
                        (serving/text "there")))]
    (let [result (http/get (url "/a"))]
      (is (= "there" (:body result)))
      (is (= [(url "/b") (url "/c")] (:redirects result))))
    (with-open [client (http/client {:redirects :never})]
      (is (= 302 (:status (http/get (url "/a") {:client client})))))))

(deftest clients-have-their-settings
  (with-server [url serving/echo]
    (with-open [client (http/client {:base-url (url "/v1") :user-agent "shop/1"
                                     :header {:x-key "k"} :version :http-2})]
      (let [seen (echoed (http/get "/items" {:client client}))]
        (is (= "/v1/items" (:target seen)))
        (is (= "shop/1" (get-in seen [:headers "user-agent"])))
        (is (= "k" (get-in seen [:headers "x-key"])))
        (is (= "HTTP/2" (:version seen)))))
    (let [client (http/client)]
      (.close client)
      (is (= :heddle/closed (:type (ex-data (thrown-by #(http/get (url "/")
                                                                  {:client client})))))))))

(deftest the-default-client-is-one
  (is (instance? HttpClient (http/default-client)))
  (is (identical? (http/default-client) (http/default-client))))
