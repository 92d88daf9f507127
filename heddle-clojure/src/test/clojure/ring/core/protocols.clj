(ns ring.core.protocols
  "A stand-in for the namespace of Ring, after its specification.")

(defprotocol StreamableResponseBody
  (write-body-to-stream [body response output-stream]))
