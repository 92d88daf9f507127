/** What servers count by themselves, held against what clients say. */
@NullMarked
package heddle.bench.account;

import org.jspecify.annotations.NullMarked;
