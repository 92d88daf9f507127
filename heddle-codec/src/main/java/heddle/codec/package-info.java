/** What the sessions of all protocol versions share. */
@NullMarked
package heddle.codec;

import org.jspecify.annotations.NullMarked;
