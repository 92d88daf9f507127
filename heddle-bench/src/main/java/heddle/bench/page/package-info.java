/** Renders the result of a race as a self-contained page. */
@NullMarked
package heddle.bench.page;

import org.jspecify.annotations.NullMarked;
