/** A wire log, recordings in the HTTP Archive format, and tests that replay them. */
module heddle.har {
  requires static transitive org.jspecify;
  requires transitive heddle.client;
  requires tools.jackson.databind;

  exports heddle.har;

  // Jackson reads the components of records.
  opens heddle.har to
      tools.jackson.databind;
}
