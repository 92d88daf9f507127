/** What applications on the server need: routes, parameters, negotiation, errors. */
module heddle.web {
  requires static transitive org.jspecify;
  requires transitive heddle.server;

  exports heddle.web;
  exports heddle.web.testkit;
}
