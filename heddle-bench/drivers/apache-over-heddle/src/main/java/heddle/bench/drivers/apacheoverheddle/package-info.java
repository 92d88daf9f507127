/** Apache HttpClient 5 over Heddle as a raced client. */
@NullMarked
package heddle.bench.drivers.apacheoverheddle;

import org.jspecify.annotations.NullMarked;
