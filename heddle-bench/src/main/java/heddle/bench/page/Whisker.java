package heddle.bench.page;

/** An interval as it is drawn, from one position to another, such as {@code 41.20%}. */
record Whisker(String from, String to) {}
