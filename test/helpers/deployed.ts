import type { Publication } from '../../src/contract/publication.ts';
import type { DeploymentRecord } from '../../src/storage/liveDeployments.ts';

/** What tests of other things leave out of a preview, of what goes live, and of a deployment. */
export const begun = { base: 'b'.repeat(40) };
export const went = { name: 'A deployment', deleted: [] };
export const going = {
  name: 'A deployment',
  restores: null,
  pages: { created: 0, modified: 0, deleted: 0 },
  changed: [],
};

export const deploymentOf = (
  facts: Pick<DeploymentRecord, 'commit'> & Partial<DeploymentRecord>,
): DeploymentRecord => ({
  taskId: null,
  deployedAt: '2026-01-02T03:04:05.678Z',
  name: going.name,
  restores: null,
  pages: going.pages,
  ...facts,
});

export const publicationOf = (facts: Partial<Publication> = {}): Publication => ({
  publishedAt: '2026-01-02T03:04:05.678Z',
  publishedBy: `bg-${'p'.repeat(22)}`,
  commit: 'd'.repeat(40),
  base: begun.base,
  result: 'c'.repeat(40),
  live: ['/a'],
  replaced: [],
  replacedAt: null,
  replacedBy: null,
  ...facts,
});
