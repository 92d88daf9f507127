/** The JDK's own server, for the same routes. */
@NullMarked
package heddle.bench.jdkserver;

import org.jspecify.annotations.NullMarked;
