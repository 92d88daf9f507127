/** The grammars of RFC 3986 and RFC 9110 over octets and strings; knows none of the values. */
@NullMarked
package heddle.http.syntax;

import org.jspecify.annotations.NullMarked;
