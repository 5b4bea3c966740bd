/**
 * The internal functions of the SDK that the service uses. Any version of the SDK may change them.
 * A test describes what each must do, and fails if an upgrade changes one.
 */
export { executionInfoFromRaw } from '@temporalio/client/lib/helpers.js';
export { decodeFromPayloadsAtIndex } from '@temporalio/common/lib/internal-non-workflow/index.js';
export { msToTs, optionalTsToDate, optionalTsToMs } from '@temporalio/common/lib/time.js';
