/** Apache HttpClient 4.5 as a raced client. */
@NullMarked
package heddle.bench.drivers.apache4;

import org.jspecify.annotations.NullMarked;
