/** Spring Boot's HTTP clients over Heddle. */
@NullMarked
package heddle.adapters.spring.boot;

import org.jspecify.annotations.NullMarked;
