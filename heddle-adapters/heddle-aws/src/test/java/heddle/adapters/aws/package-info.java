/** Tests of the adapter, and the SDK's own suites run against it. */
package heddle.adapters.aws;
