;; SPDX-License-Identifier: Apache-2.0

;; Has Elle judge histories of transactions on lists: a line "MODEL<tab>FILE" for each question, a JSON object in a line
;; for each answer. The file has an operation a line, as ElleHistory.java writes it.
(ns meteorshower.elle
  (:require [clojure.edn :as edn]
            [clojure.java.io :as io]
            [clojure.string :as string]
            [elle.list-append :as list-append]
            [jepsen.history :as history]))

(defn read-history [file]
  (with-open [lines (io/reader file)]
    (history/history (mapv edn/read-string (remove string/blank? (line-seq lines))))))

;; Of a history in which no transaction depends on another one Elle says :unknown. Its other rules were kept then.
(defn opinion [model file]
  (let [result (list-append/check {:consistency-models [(keyword model)]} (read-history file))
        anomalies (:anomaly-types result)]
    [(cond (true? (:valid? result)) "accepted"
           (false? (:valid? result)) "refused"
           (= anomalies [:empty-transaction-graph]) "accepted"
           :else "open")
     (string/join ", " (map name anomalies))]))

(defn failure [thrown]
  ["error" (string/replace (str thrown) #"[^ -~]|[\"\\]" " ")])

(doseq [question (line-seq (io/reader *in*))]
  (let [[model file] (string/split question #"\t")
        [verdict why] (try (opinion model file) (catch Throwable thrown (failure thrown)))]
    (println (str "{\"verdict\": \"" verdict "\", \"why\": \"" why "\"}"))
    (flush)))
(System/exit 0)
