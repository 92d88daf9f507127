/** Apache HttpClient 5, asynchronous, over Heddle as a raced client. */
@NullMarked
package heddle.bench.drivers.apacheasyncoverheddle;

import org.jspecify.annotations.NullMarked;
