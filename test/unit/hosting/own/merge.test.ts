import { expect } from 'chai';
import type { PendingMerge } from '../../../../src/contract/deployment.ts';
import type { ExternalHost } from '../../../../src/contract/site.ts';
import type {
  ForgeProject,
  PullRequest,
  BuildReport,
} from '../../../../src/forges/forgeProject.ts';
import { mergeOnce } from '../../../../src/hosting/external/mergePullRequest.ts';
import { ownHost } from '../../../helpers/ownHost.ts';

const never = new AbortController().signal;
const [previewed, head, mergeCommit] = ['a', 'b', 'c'].map((digit) => digit.repeat(40)) as [
  string,
  string,
  string,
];
const host = { of: 'deployment', name: 'Preview', creator: 'vercel[bot]' } as const;
const report = (state: BuildReport['state'], more: Partial<BuildReport> = {}): BuildReport => ({
  ...host,
  state,
  url: null,
  logUrl: 'https://host.example/log',
  ...more,
});

describe('mergeOnce(forge, host, merge, signal)', () => {
  let reported: Record<string, BuildReport[]>;
  /** The heads with which the forge was asked to merge. */
  let asked: string[];
  let state: PullRequest['state'];
  /** Why the forge merges nothing. */
  let blocker: string | undefined;
  beforeEach(() => {
    [asked, state, blocker] = [[], 'open', undefined];
    reported = { [previewed]: [report('success')], [head]: [report('success')] };
  });

  const merge = (
    settings: Partial<ExternalHost> = {},
    more: Partial<PendingMerge> = {},
  ): Promise<string> => {
    const pull = () => Promise.resolve({ state, mergeCommit, blocker } as PullRequest);
    const forge: Partial<ForgeProject> = {
      reports: (commit) => Promise.resolve(reported[commit] ?? []),
      pullRequest: pull,
      merge(_, commit) {
        asked.push(commit);
        if (blocker === undefined) state = 'merged';
        return pull();
      },
    };
    const asking = { pullRequest: 7, url: 'https://forge.example/7', byPeople: false, ...more };
    const until = new Date(Date.now() + 60_000);
    return mergeOnce(
      forge as ForgeProject,
      { ...ownHost, ...settings },
      { ...asking, head, previewed, until },
      never,
    ).catch((error: { code: string; message: string }) => `${error.code}: ${error.message}`);
  };

  it('names the head whose reports it has read', async () => {
    expect(await merge()).to.equal(mergeCommit);
    expect(asked).to.deep.equal([head]);
  });

  it('waits a moment for checks if there was no preview to wait for, and merges without any', async () => {
    reported = {};
    const settings = { hasPreviews: false, buildMinutes: 1 };
    expect(await merge(settings)).to.match(/^STILL_BUILDING: .*\bchecks\b/);
    expect(await merge({ ...settings, buildMinutes: 2 })).to.equal(mergeCommit);
    state = 'open';
    reported = { [head]: [report('pending')] };
    expect(await merge({ ...settings, buildMinutes: 2 })).to.match(
      /^STILL_BUILDING: .*\bPreview\b/,
    );
  });

  it('requests no merge of a failed build, which a branch without protection would accept', async () => {
    reported[head] = [report('success'), report('failure', { of: 'check', name: 'lint' })];
    expect(await merge()).to.match(/^BUILD_FAILED: .* lint failed: https:\/\/host\.example\/l/);
    expect(asked).to.deep.equal([]);
  });

  for (const [what, ofHead] of Object.entries({
    'has not reported on the head': [],
    'still builds the head': [report('pending')],
    'is waited for under its name, which somebody else reports too': [
      report('success', { creator: 'mallory' }),
    ],
  }))
    it(`waits for a host that ${what}`, async () => {
      reported[head] = ofHead;
      expect(await merge()).to.match(/^STILL_BUILDING: .*\bPreview\b/);
      expect(asked).to.deep.equal([]);
    });

  it('waits only for the reporter that the team named', async () => {
    reported[previewed]!.push(report('success', { name: 'note', creator: 'mallory' }));
    expect(await merge()).to.match(/^STILL_BUILDING: .*\bnote\b/);
    expect(await merge({ reporter: 'vercel[bot]' })).to.equal(mergeCommit);
  });

  it('treats a skipped build as finished', async () => {
    reported[head] = [report('skipped')];
    expect(await merge()).to.equal(mergeCommit);
  });

  it('says why the forge does not merge yet', async () => {
    blocker = '2 approvals are missing';
    expect(await merge()).to.equal(
      'STILL_BUILDING: The pull request is still open, because 2 approvals are missing: https://forge.example/7',
    );
  });

  it('requests nothing if people merge, and finds their commit, squashed or not', async () => {
    expect(await merge({}, { byPeople: true })).to.match(/^STILL_BUILDING: .*\bnobody\b/);
    state = 'merged';
    expect(await merge({}, { byPeople: true })).to.equal(mergeCommit);
    state = 'closed';
    expect(await merge({}, { byPeople: true })).to.match(
      /^FORGE_REFUSED: .* closed without a merge/,
    );
    expect(asked).to.deep.equal([]);
  });
});
