package heddle.examples.httparena;

import java.util.List;

/** An item of the data set. */
record Item(
    int id,
    String name,
    String category,
    long price,
    long quantity,
    boolean active,
    List<String> tags,
    Rating rating) {

  /** How users rate an item. */
  record Rating(int score, int count) {}

  /** An item with the price of all of them. */
  record Priced(
      int id,
      String name,
      String category,
      long price,
      long quantity,
      boolean active,
      List<String> tags,
      Rating rating,
      long total) {}

  /** The answer to a request for items. */
  record Page(List<Priced> items, int count) {}

  Priced times(long factor) {
    return new Priced(
        id, name, category, price, quantity, active, tags, rating, price * quantity * factor);
  }
}
