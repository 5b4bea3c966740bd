/**
 * V8's flags for the services that tests start; a benchmark's service is the operator's. PGlite is
 * 8 MB of WebAssembly: what V8 spends on optimizing it, a test never brings back.
 */
process.env['TEST_NODE_FLAGS'] ??= '--liftoff-only';
