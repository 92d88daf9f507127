/**
 * What users of the client implement: listeners that see what happens, and policies that decide
 * what is tried again.
 */
@NullMarked
package heddle.client.spi;

import org.jspecify.annotations.NullMarked;
