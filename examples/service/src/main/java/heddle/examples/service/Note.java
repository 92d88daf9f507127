package heddle.examples.service;

/**
 * What the services store.
 *
 * @param id above 0; 0 for a note that is not stored yet
 */
public record Note(int id, String text) {}
