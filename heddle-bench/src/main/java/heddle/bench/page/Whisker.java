package heddle.bench.page;

/** An interval as it is drawn, between two positions such as {@code 41.20%}. */
record Whisker(String from, String to) {}
