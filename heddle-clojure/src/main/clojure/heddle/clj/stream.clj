(ns ^:no-doc heddle.clj.stream
  "What arrives over time, as a sequence or to be reduced, and to be closed. No API."
  (:import (clojure.lang IReduceInit Seqable Sequential)
           (java.io Closeable)))

(set! *warn-on-reflection* true)

(defn- lazily
  "A sequence that takes one value at a time: chunks would wait for values that are not needed."
  [next-value]
  (lazy-seq
    (let [value (next-value)]
      (when (some? value)
        (cons value (lazily next-value))))))

(deftype Arriving [next-value close values]
  Sequential
  Seqable
  (seq [_] (seq @values))
  IReduceInit
  (reduce [_ f init]
    (loop [result init]
      (if (reduced? result)
        @result
        (let [value (next-value)]
          (if (nil? value)
            result
            (recur (f result value)))))))
  Closeable
  (close [_] (close)))

(defmethod print-method Arriving [_ ^java.io.Writer out]
  (.write out "#<values that arrive>"))

(defn arriving
  "The values that `next-value` returns until nil. As a sequence they are kept while the sequence is
  referred to; `reduce` and what is built on it (transduce, into, run!) keep none. `close` ends
  them."
  ^java.io.Closeable [next-value close]
  (->Arriving next-value close (delay (lazily next-value))))
