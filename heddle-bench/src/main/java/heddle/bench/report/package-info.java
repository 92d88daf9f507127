/** Shows the result of a race as a table, as JSON and as a page. */
@NullMarked
package heddle.bench.report;

import org.jspecify.annotations.NullMarked;
