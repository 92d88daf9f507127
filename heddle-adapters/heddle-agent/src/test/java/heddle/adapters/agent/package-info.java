/** Tests, most of them of the JDK's own client and Heddle's alike. */
package heddle.adapters.agent;
