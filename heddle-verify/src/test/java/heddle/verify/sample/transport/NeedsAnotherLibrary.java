package heddle.verify.sample.transport;

import com.tngtech.archunit.core.domain.JavaClasses;

/** Needs more than the JDK. */
public record NeedsAnotherLibrary(JavaClasses classes) {}
