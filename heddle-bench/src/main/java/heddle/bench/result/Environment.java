package heddle.bench.result;

import java.util.List;
import java.util.Map;

/**
 * Where and how a race ran.
 *
 * @param date when it began, as ISO 8601 in UTC
 * @param jdk the JVM's name and version
 * @param os the kernel and its version
 * @param cpu the processor's name
 * @param cores how many cores this process may use
 * @param serverCores the cores that the server was pinned to; empty if nothing was pinned
 * @param clientCores the cores that the clients were pinned to; empty if nothing was pinned
 * @param jvmFlags flags of every client and of the server
 * @param versions of the clients, by name
 * @param servers the servers by group of cells, such as {@code HTTP/2 over TLS}
 * @param design the design of the race
 * @param wallSeconds how long the race took
 */
public record Environment(
    String date,
    String jdk,
    String os,
    String cpu,
    int cores,
    String serverCores,
    String clientCores,
    List<String> jvmFlags,
    Map<String, String> versions,
    Map<String, String> servers,
    Design design,
    double wallSeconds) {}
