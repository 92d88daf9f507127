package heddle.verify.sample.http;

import heddle.verify.sample.client.Facade;

/** Breaks the layers: a value that knows the facade, which knows it in turn: a cycle too. */
public record ImportsTheFacade(Facade facade) {}
