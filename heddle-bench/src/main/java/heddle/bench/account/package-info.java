/** Counts of the servers, compared with what clients report. */
@NullMarked
package heddle.bench.account;

import org.jspecify.annotations.NullMarked;
