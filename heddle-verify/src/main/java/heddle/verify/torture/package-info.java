/**
 * The torture suite: attacks, injected errors and greedy neighbours against a server and a client
 * in JVMs with little memory and few descriptors. {@code heddle-verify/run torture} runs it.
 */
@NullMarked
package heddle.verify.torture;

import org.jspecify.annotations.NullMarked;
