/** What applications on the server need: routes, parameters, negotiation, errors. */
module heddle.web {
  requires static transitive org.jspecify;
  requires transitive heddle.server;

  exports heddle.web;
  exports heddle.web.conditional;
  exports heddle.web.files;
  exports heddle.web.filter;
  exports heddle.web.form;
  exports heddle.web.testkit;
}
