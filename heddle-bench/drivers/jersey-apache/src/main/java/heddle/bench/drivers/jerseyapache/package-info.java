/** Jersey over Apache HttpClient 5 as a raced client. */
@NullMarked
package heddle.bench.drivers.jerseyapache;

import org.jspecify.annotations.NullMarked;
