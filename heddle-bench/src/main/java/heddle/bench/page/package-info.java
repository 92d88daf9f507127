/** Shows the result of a race as a page that needs nothing but itself. */
@NullMarked
package heddle.bench.page;

import org.jspecify.annotations.NullMarked;
