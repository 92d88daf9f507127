/** The JDK's own server, with the same routes. */
@NullMarked
package heddle.bench.jdkserver;

import org.jspecify.annotations.NullMarked;
