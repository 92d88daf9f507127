(ns heddle.clj.sources-test
  "Rules for the sources of this module."
  (:require [clojure.edn :as edn]
            [clojure.java.io :as io]
            [clojure.string :as str]
            [clojure.test :refer [deftest is]]
            [clojure.xml :as xml])
  (:import (java.io File StringWriter)))

(def ^:private public
  '[heddle.clj.client heddle.clj.events heddle.clj.ring heddle.clj.websocket])

(defn- clojure-files [folder]
  (filter #(str/ends-with? (.getName ^File %) ".clj") (file-seq (io/file folder))))

(defn- warnings [load]
  (let [written (StringWriter.)]
    (binding [*warn-on-reflection* true *err* written]
      (load))
    (str written)))

(deftest nothing-is-called-by-reflection
  (let [files (clojure-files "src/main/clojure")
        order '[options stream message client websocket events ring]]
    (is (= (set (map #(str % ".clj") order)) (set (map #(.getName ^File %) files))))
    (doseq [each order]
      (is (= "" (warnings #(load (str "/heddle/clj/" each)))))))
  (is (str/includes? (warnings #(load-string "(fn [x] (.length x))")) "Reflection warning")))

(deftest public-vars-have-docstrings
  (doseq [each public]
    (is (:doc (meta (find-ns each))) each)
    (doseq [[symbol v] (ns-publics each)
            :when (not (or (:no-doc (meta v)) (re-find #"^map->|proxy[$]" (str symbol))))]
      (is (not (str/blank? (:doc (meta v)))) v))))

(deftest namespaces-for-users-are-those
  (is (= (set public)
         (into #{}
               (comp (map #(second (re-find #"(?s)^\(ns (?:\^:no-doc )?([\w.]+)" (slurp %))))
                     (map symbol)
                     (remove #(:no-doc (meta (find-ns %)))))
               (clojure-files "src/main/clojure")))))

(deftest sources-keep-their-format
  (doseq [file (mapcat clojure-files ["src" "../examples/clojure"])]
    (let [lines (str/split-lines (slurp file))]
      (is (< (count lines) 800) file)
      (doseq [[n line] (map-indexed vector lines)]
        (is (<= (count line) 100) (str file ":" (inc n)))
        (is (not (re-find #"\s$|\t" line)) (str file ":" (inc n)))))))

(defn- dependencies
  "The libraries and versions that users get by the pom."
  []
  (let [tags (fn [element tag] (filter #(= tag (:tag %)) (:content element)))
        text (fn [element tag] (first (:content (first (tags element tag)))))
        pom (xml/parse (io/file "pom.xml"))]
    (into {}
          (for [each (tags (first (tags pom :dependencies)) :dependency)
                :when (not= "test" (text each :scope))]
            [(symbol (text each :groupId) (text each :artifactId)) (text each :optional)]))))

(deftest deps-edn-has-the-dependencies-of-the-pom
  (let [{:keys [deps aliases paths]} (edn/read-string (slurp "deps.edn"))
        pom (dependencies)]
    (is (= ["src/main/clojure"] paths))
    (is (= (set (keep (fn [[library optional]] (when-not optional library)) pom))
           (set (keys deps))))
    (is (= (set (keep (fn [[library optional]] (when optional library)) pom))
           (set (keys (get-in aliases [:json :extra-deps])))))
    (is (= (clojure-version) (get-in deps ['org.clojure/clojure :mvn/version])))))
