/** Apache HttpClient 5, asynchronous, as a raced client. */
@NullMarked
package heddle.bench.drivers.apacheasync;

import org.jspecify.annotations.NullMarked;
