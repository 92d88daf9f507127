/** Reads forms: {@code application/x-www-form-urlencoded} and {@code multipart/form-data}. */
@NullMarked
package heddle.web.form;

import org.jspecify.annotations.NullMarked;
