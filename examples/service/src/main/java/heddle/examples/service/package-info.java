/** The same service on Heddle and on Javalin. */
@NullMarked
package heddle.examples.service;

import org.jspecify.annotations.NullMarked;
