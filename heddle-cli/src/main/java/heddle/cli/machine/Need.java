package heddle.cli.machine;

/**
 * What a load or a race needs of the machine.
 *
 * @param ofProcess connections that one client process opens at once
 * @param toServer connections that all clients together hold to one address at once
 * @param isServerLocal whether a server on this machine is started for them
 */
public record Need(int ofProcess, int toServer, boolean isServerLocal) {}
