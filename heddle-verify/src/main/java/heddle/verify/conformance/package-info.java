/** What foreign tools need from us to judge how well the protocols are kept. */
@NullMarked
package heddle.verify.conformance;

import org.jspecify.annotations.NullMarked;
