import type { SiteHost } from '../../../contract/responses.ts';

/** Who merges a site's pull requests, and so puts its pages live. */
export type MergeMode = 'by-people' | 'automatic';

/** Who merges at this host. undefined: the site's pages go live without pull requests. */
export const mergeModeAt = (host: SiteHost | undefined): MergeMode | undefined =>
  host?.type === 'own' && host.publish === 'pull-request' ? host.merge : undefined;

/** Says how the pages of an open pull request go live. */
export const mergeWords: Record<MergeMode, string> = {
  'by-people': 'They go live when somebody on your team merges the pull request.',
  automatic:
    'When you publish, the pull request is merged after its checks have passed, and the pages go live.',
};

/** Says what a publish waits for. */
export const publishWords: Record<MergeMode, string> = {
  'by-people': 'The pages go live when somebody on your team merges the pull request.',
  automatic: 'The pull request is merged after its checks have passed.',
};
