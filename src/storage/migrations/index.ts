import type { Migration } from 'kysely';
import * as initial from './001_initial.ts';
import * as previewHolders from './002_preview_holders.ts';
import * as previewEnds from './003_preview_ends.ts';
import * as failedDeployments from './004_failed_deployments.ts';
import * as earlyDeletions from './005_early_deletions.ts';
import * as pastDeployments from './006_past_deployments.ts';
import * as toldChanges from './007_told_changes.ts';
import * as accounts from './008_accounts.ts';
import * as siteCredentials from './009_site_credentials.ts';
import * as keysAudit from './010_keys_audit.ts';
import * as shares from './011_shares.ts';
import * as shareMakers from './012_share_makers.ts';
import * as rateLimits from './013_rate_limits.ts';
import * as keyQuotas from './015_key_quotas.ts';

/**
 * Every migration by its name; they run in the names' order. Released ones are never edited, only followed by new ones.
 */
export const migrations: Record<string, Migration> = {
  '001_initial': initial,
  '002_preview_holders': previewHolders,
  '003_preview_ends': previewEnds,
  '004_failed_deployments': failedDeployments,
  '005_early_deletions': earlyDeletions,
  '006_past_deployments': pastDeployments,
  '007_told_changes': toldChanges,
  '008_accounts': accounts,
  '009_site_credentials': siteCredentials,
  '010_keys_audit': keysAudit,
  '011_shares': shares,
  '012_share_makers': shareMakers,
  '013_rate_limits': rateLimits,
  '015_key_quotas': keyQuotas,
};
