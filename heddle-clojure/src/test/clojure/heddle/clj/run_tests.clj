(ns heddle.clj.run-tests
  "Runs the tests in one JVM, prints their closing line, and ends with 1 if one has failed, or if a
  virtual thread was pinned. The plugin starts it as a script."
  (:require [clojure.string :as str]
            [clojure.test :as test])
  (:import (heddle.testwatch PinnedThreads)
           (java.util Timer TimerTask)
           (java.util.logging Level Logger)))

(def namespaces
  "In this order: the last one loads the sources again."
  '[heddle.clj.client-test heddle.clj.async-test heddle.clj.options-test heddle.clj.ring-test
    heddle.clj.ring-protocols-test heddle.clj.websocket-test heddle.clj.events-test
    heddle.examples.guide-test heddle.clj.sources-test])

(defn chosen
  "The namespaces that -Dtest=NAMES names by their last part, such as client-test; without it all."
  [names]
  (if (or (str/blank? names) (str/starts-with? names "${"))
    namespaces
    (let [wanted (set (str/split names #","))]
      (filterv #(wanted (last (str/split (name %) #"[.]"))) namespaces))))

(defn run-on
  "Runs this script on another JVM, and ends as it does."
  [jvm]
  (let [command (into [jvm "-Xmx256m" "-Dheddle.leaks=all"
                       (str "-Dheddle.tests=" (System/getProperty "heddle.tests"))
                       (str "-Dheddle.tests.limit=" (System/getProperty "heddle.tests.limit"))
                       "-cp" (System/getProperty "java.class.path")
                       "clojure.main" "-m" "heddle.clj.run-tests"])]
    (System/exit (.waitFor (.start (.inheritIO (ProcessBuilder. ^java.util.List command)))))))

(defn end-after
  "Ends the JVM if the tests hang."
  [seconds]
  (when (pos? seconds)
    (.schedule (Timer. true)
               (proxy [TimerTask] []
                 (run []
                   (println "The tests have not ended within" seconds "s.")
                   (doseq [[^Thread thread stack] (Thread/getAllStackTraces)]
                     (println (str thread))
                     (run! #(println "   " (str %)) stack))
                   (.halt (Runtime/getRuntime) 1)))
               (* 1000 (long seconds)))))

(def logger
  "Referred to, so that its level stays. Tests break handlers on purpose."
  (doto (Logger/getLogger "heddle") (.setLevel Level/OFF)))

(defn run-all []
  (end-after (parse-long (System/getProperty "heddle.tests.limit" "1200")))
  (let [wanted (chosen (System/getProperty "heddle.tests"))
        watch (PinnedThreads/watch false)
        _ (run! require wanted)
        {:keys [test fail error]} (if (seq wanted)
                                    (apply test/run-tests wanted)
                                    {:test 0 :fail 0 :error 0})
        pinned (.stop watch)]
    (println (str "Tests run: " test ", Failures: " fail ", Errors: " error ", Skipped: 0"))
    (run! println pinned)
    (System/exit (if (and (zero? (+ fail error)) (empty? pinned)) 0 1))))

(defn -main [& _]
  (run-all))

(let [jvm (System/getProperty "heddle.tests.jvm")]
  (when jvm
    (if (str/blank? jvm) (run-all) (run-on jvm))))
