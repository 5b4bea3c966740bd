import { expect } from 'chai';
import { checkHost } from '../../../src/api/hostCheck.ts';
import { DomainError } from '../../../src/errors.ts';
import type {
  ForgeProject,
  ForgeCheck,
  HttpRequest,
  BuildReport,
} from '../../../src/forges/forgeProject.ts';
import type { HostSettings } from '../../../src/forges/externalHost.ts';
import { proofWarnings } from '../../../src/api/hostFindings.ts';

const TOKEN = 'forge-token-4711';
const BYPASS = 'bypass-value-4711';
const COMMIT = 'c0'.repeat(20);
const settings: HostSettings = {
  forge: 'gitea',
  apiUrl: 'https://git.team.com/api/v1',
  project: 'acme/site',
  publish: 'pull-request',
  merge: 'by-people',
  previewReports: ['preview'],
  liveReports: [],
  reporter: 'builder',
  hosts: ['*.pages.team.com'],
  previewUrl: null,
  liveUrl: null,
  pageUrls: [],
  buildMinutes: 10,
  hasPreviews: true,
  publishWindow: 20,
};
const report: BuildReport = {
  of: 'status',
  name: 'preview',
  creator: 'builder',
  state: 'success',
  url: 'https://main.pages.team.com/',
  logUrl: null,
};
const fine: ForgeCheck = {
  problems: [],
  mayPush: true,
  isProtected: false,
  pastDeployments: [{ commit: COMMIT, reports: [report] }],
};

describe('checkHost(deps, asked, signal)', () => {
  let sent: HttpRequest[];
  beforeEach(() => (sent = []));

  function check(
    forge: Partial<ForgeCheck> | Error = {},
    given: Partial<HostSettings> = {},
    page: { status: number; body: string } | Error = { status: 200, body: '<title>Acme</title>' },
  ) {
    const tried = () =>
      forge instanceof Error ? Promise.reject(forge) : Promise.resolve({ ...fine, ...forge });
    return checkHost(
      {
        addressRules: { allowPrivate: false, checkUrl: (url) => new URL(url) },
        openForge: () => ({ check: tried }) as unknown as ForgeProject,
        send(request) {
          sent.push(request);
          return page instanceof Error
            ? Promise.reject(page)
            : Promise.resolve({ status: page.status, headers: {}, body: Buffer.from(page.body) });
        },
      },
      {
        settings: { ...settings, ...given },
        credential: { kind: 'token', username: 'x', token: TOKEN },
        bypass: { header: 'x-bypass', value: BYPASS },
        branch: 'main',
      },
      new AbortController().signal,
    );
  }
  const codes = (found: { code: string }[]) => found.map(({ code }) => code);

  it('shows an earlier deployment as proof, and all names to choose from', async () => {
    const other: BuildReport = { ...report, name: 'lint', creator: 'ci', url: null };
    const pastDeployments = [{ commit: COMMIT, reports: [other, report] }];
    expect(await check({ pastDeployments })).to.deep.equal({
      problems: [],
      warnings: [],
      reports: [
        { of: 'status', name: 'lint', creator: 'ci' },
        { of: 'status', name: 'preview', creator: 'builder' },
      ],
      hosts: ['main.pages.team.com'],
      proof: { commit: COMMIT, name: 'preview', url: report.url, status: 200, title: 'Acme' },
    });
    expect(sent).to.deep.equal([{ url: report.url, headers: { 'x-bypass': BYPASS } }]);
  });

  for (const [what, more] of Object.entries<Partial<BuildReport>>({
    'at another host': { url: 'https://evil.example.net/' },
    'at a name that ends alike': { url: 'https://evilpages.team.com/' },
    'without https': { url: 'http://main.pages.team.com/' },
    'with credentials': { url: 'https://a:b@main.pages.team.com/' },
    'by somebody else': { creator: 'mallory' },
    'of another name': { name: 'preview-2' },
    'of a build that failed': { state: 'failure' },
  }))
    it(`checks no URL that is reported ${what}`, async () => {
      const pastDeployments = [{ commit: COMMIT, reports: [{ ...report, ...more }] }];
      expect((await check({ pastDeployments })).proof).to.equal(null);
      expect(sent).to.deep.equal([]);
    });

  it('separates problems that prevent tasks from warnings about what may come later', async () => {
    const protectedBranch = { mayPush: false, isProtected: true };
    expect(codes((await check(protectedBranch, { publish: 'push' })).problems)).to.deep.equal([
      'protected-branch',
    ]);
    expect(codes((await check(protectedBranch)).problems)).to.deep.equal([]);
    const none = await check({
      pastDeployments: [],
      problems: [
        { code: 'reports', message: 'Nothing was reported' },
        { code: 'scope', message: 'The token lacks a scope' },
      ],
    });
    expect([codes(none.problems), codes(none.warnings)]).to.deep.equal([['scope'], ['reports']]);
    expect(none.problems[0]!.message).to.match(/\bread and write access to repositories\b/);
    expect(none.warnings[0]!.message).to.match(/\bpattern\b/);
    const byPattern = await check(
      { pastDeployments: [], problems: [{ code: 'reports', message: 'Nothing was reported.' }] },
      { previewUrl: 'https://{branch}.pages.team.com' },
    );
    expect(byPattern.warnings[0]!.message).to.match(/\bWithout reports\b/);
    const others = await check({}, { previewReports: ['Preview – site'], reporter: 'nobody' });
    expect(codes(others.warnings)).to.deep.equal(['report-names', 'reporter']);
    expect(others.warnings[0]!.message).to.include('"Preview – site"').and.include('"preview"');
    const elsewhere = await check({}, { hosts: ['www.team.com'] });
    expect(codes(elsewhere.warnings)).to.deep.equal(['hosts']);
    expect(
      codes((await check({}, { hosts: ['*.vercel.app'], reporter: null })).warnings),
    ).to.include('reporter');
  });

  it('reports in words that the forge does not answer or rejects the credential', async () => {
    for (const [error, code] of [
      [new DomainError('UNAVAILABLE', 'git.team.com did not answer in time'), 'forge-unreachable'],
      [new DomainError('FORGE_REFUSED', 'git.team.com refused'), 'credential'],
    ] as const)
      expect(codes((await check(error)).problems)).to.deep.equal([code]);
    const bug = new TypeError('a bug');
    expect(await check(bug).catch((error: unknown) => error)).to.equal(bug);
  });

  it('warns if the deployment asks for a login, is elsewhere, or does not answer', async () => {
    for (const [status, word] of [
      [401, 'login'],
      [302, 'redirects'],
      [404, 'no page'],
    ] as const) {
      const { warnings } = await check({}, {}, { status, body: '' });
      expect(codes(warnings)).to.deep.equal(['deployment']);
      expect(warnings[0]!.message)
        .to.include(report.url)
        .and.match(new RegExp(`${word}.*\\b${status}\\b`));
    }
    const live = await check(
      { pastDeployments: [] },
      { liveUrl: 'https://www.team.com' },
      { status: 404, body: '' },
    );
    expect(live.proof).to.include({ commit: null, url: 'https://www.team.com', status: 404 });
    expect(codes(live.warnings)).to.deep.equal(['deployment']);
    expect(live.warnings).to.deep.equal(proofWarnings(live.proof));
    const silent = await check({}, {}, new DomainError('UNAVAILABLE', 'did not answer'));
    expect(silent.proof).to.include({ status: 0, title: null });
  });
});
