/** What external conformance tools need to test the client and the server. */
@NullMarked
package heddle.verify.conformance;

import org.jspecify.annotations.NullMarked;
