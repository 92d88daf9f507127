package heddle.http.syntax;

/** A text that breaks a grammar at a known place. */
final class SyntaxException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private static final String HIDDEN = "***";
  private static final int SHOWN_BEFORE = 60;
  private static final int SHOWN_AFTER = 40;

  private final int index;

  /** @param index of the char at which the text is wrong; its length if something is missing */
  SyntaxException(int index, String message) {
    super(message);
    this.index = index;
  }

  /**
   * The same failure with the URL and a caret under the char at which it is wrong. Of the query
   * only that char is shown, and nothing that may be user information: both may hold secrets.
   */
  IllegalArgumentException pointingInto(String url) {
    int scheme = url.indexOf("://");
    int authority = scheme < 0 ? 0 : scheme + 3;
    int mark = url.indexOf('?');
    int query = mark < 0 ? url.length() : mark + 1;
    int at = url.lastIndexOf('@', query - 1); // a password may hold a slash
    StringBuilder before = new StringBuilder();
    StringBuilder after = new StringBuilder();
    boolean hiding = false;
    for (int i = 0; i < url.length(); i++) {
      boolean hides = i >= authority && i < at || i >= query && i != index;
      if (!hides || !hiding) {
        (i < index || (hides && i < at) ? before : after)
            .append(hides ? HIDDEN : visible(url.charAt(i)));
      }
      hiding = hides;
    }
    String left = before.length() <= SHOWN_BEFORE
        ? before.toString()
        : "..." + before.substring(before.length() - SHOWN_BEFORE);
    String right =
        after.length() <= SHOWN_AFTER ? after.toString() : after.substring(0, SHOWN_AFTER) + "...";
    return new IllegalArgumentException(
        "%s\n  %s%s\n  %s^".formatted(getMessage(), left, right, " ".repeat(left.length())), this);
  }

  /** Nothing that could forge a line of a log. */
  private static String visible(char c) {
    return c == ' ' || Octets.isVisible(c) ? String.valueOf(c) : "\\u%04X".formatted((int) c);
  }
}
