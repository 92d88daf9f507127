(ns ^:no-doc heddle.clj.options
  "Option maps: unknown keys, durations, and the settings of Heddle's builders. Shared by the
  namespaces for users; no API."
  (:require [clojure.string :as str])
  (:import (java.time Duration)
           (java.util Collection)))

(set! *warn-on-reflection* true)

(defn bad
  "An exception for an option that is refused. `data` says which."
  ([message data] (bad message data nil))
  ([message data cause] (ex-info message (assoc data :type :heddle/bad-option) cause)))

(defn- distance
  "How many characters one text has to gain, lose or change to become the other."
  [a b]
  (peek
    (reduce (fn [above [i c]]
              (reduce (fn [row [j d]]
                        (conj row (if (= c d)
                                    (nth above j)
                                    (inc (min (peek row) (nth above j) (nth above (inc j)))))))
                      [(inc i)]
                      (map-indexed vector b)))
            (vec (range (inc (count b))))
            (map-indexed vector a))))

(defn- nearest
  "The known key whose name is most similar, or nil if none is similar."
  [known k]
  (let [text (str/lower-case (if (keyword? k) (name k) (str k)))
        [least key] (first (sort-by first (map (fn [each] [(distance text (name each)) each])
                                               (sort known))))]
    (when (and least (<= least (max 1 (quot (count text) 2))))
      key)))

(defn unknown
  "The exception for the key `k`. `foreign` says what to do about keys of other libraries."
  [what known foreign k]
  (let [advice (get foreign k)
        like (when-not advice (nearest known k))]
    (bad (str what " has no option " (pr-str k)
              (cond
                advice (str ": " advice)
                like (str "; did you mean " like "?")
                :else (str "; the options are " (str/join " " (sort known)))))
         {:option k :nearest like})))

(defn check
  "Refuses a map with a key that is not in the set `known`."
  ([what known opts] (check what known nil opts))
  ([what known foreign opts]
   (when-not (or (nil? opts) (map? opts))
     (throw (bad (str what " takes a map of options, not " (pr-str opts)) {:option opts})))
   (reduce-kv (fn [_ k _] (when-not (contains? known k) (throw (unknown what known foreign k))))
              nil
              opts)))

(defn duration
  "A number of milliseconds or a Duration as a Duration."
  ^java.time.Duration [k v]
  (cond
    (integer? v) (Duration/ofMillis (long v))
    (instance? Duration v) v
    :else (throw (bad (str k " is a whole number of milliseconds or a java.time.Duration, not "
                           (pr-str v))
                      {:option k :value v}))))

(defn choice
  "The value that `choices` has for a keyword; other values are refused."
  [k choices v]
  (if-some [found (get choices v)]
    found
    (throw (bad (str k " is one of " (str/join " " (sort (keys choices))) ", not " (pr-str v))
                {:option k :value v}))))

(defn pair
  "The two values of a vector, such as [least most]."
  [k v]
  (if (and (sequential? v) (= 2 (count v)))
    v
    (throw (bad (str k " is a vector of two values, not " (pr-str v)) {:option k :value v}))))

(defn each
  "A collection as it is, another value as the only one of a list."
  [v]
  (if (or (instance? Collection v) (nil? v)) v (list v)))

(defn configure
  "Calls for each option the function that `table` has for its key, with the builder and the value.
  Returns the builder. Unknown keys, and values that cannot be converted, are refused; `foreign` is
  as in `unknown`."
  ([what table builder opts] (configure what table nil builder opts))
  ([what table foreign builder opts]
   (check what (set (keys table)) foreign opts)
   (reduce-kv (fn [_ k v]
                (try
                  ((get table k) builder v)
                  (catch ClassCastException e
                    (throw (bad (str k " of " what " cannot be a " (.getName (class v)))
                                {:option k}
                                e)))))
              nil
              opts)
   builder))
