/**
 * Everything that the service uses of the SDK's internals, which any version may change. A test
 * says what each must do, so that it fails with an upgrade that changes one.
 */
export { executionInfoFromRaw } from '@temporalio/client/lib/helpers.js';
export { decodeFromPayloadsAtIndex } from '@temporalio/common/lib/internal-non-workflow/index.js';
export { msToTs, optionalTsToDate, optionalTsToMs } from '@temporalio/common/lib/time.js';
