/** Apache HttpClient 5, classic as a raced client. */
@NullMarked
package heddle.bench.drivers.apache;

import org.jspecify.annotations.NullMarked;
