import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { existsSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRepositories } from '../../../../src/sites/git/repositories.ts';
import type { GitRepositories } from '../../../../src/sites/git/repository.ts';
import { createSiteDiffs } from '../../../../src/sites/pages/siteDiff.ts';
import { failureOf, git, onBranch, task, Workplace } from '../../../helpers/team/workplace.ts';
import { testLauncher } from '../../../helpers/launcher.ts';
import { testPages as pages } from '../../../helpers/threads.ts';

const page = (title: string, text: string) =>
  `<!doctype html>\n<title>${title}</title>\n<h1>Shop</h1>\n<p>${text}</p>\n`;
/** Two commits of the production branch. */
const between = (before: string, after: string) => ({
  before: onBranch(before),
  after: onBranch(after),
});

describe('createSiteDiffs', () => {
  let place: Workplace;
  const opened: GitRepositories[] = [];
  beforeEach(() => {
    place = new Workplace();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((repositories) => repositories.close()));
    await place.remove();
  });

  const work = { organizationId: 'org-1' };
  const site = (root = '') => ({
    siteId: 'site-1',
    ...work,
    repository: { url: place.url, branch: 'main', root },
  });
  const diffs = () => {
    const repositories = createRepositories({
      dataDir: join(place.folder, 'diffs'),
      launcher: testLauncher,
    });
    opened.push(repositories);
    return createSiteDiffs({ repositories, pages });
  };

  it('shows the changed files as a patch that git applies, and the changed texts by page', async () => {
    const base = place.push({
      'a.html': page('A', 'Old'),
      'gone.html': page('Gone', 'Text'),
      'style.css': 'a{}\n',
      'same.html': page('Same', 'Same'),
    });
    const commit = place.push({
      'a.html': page('A', 'New &lt;1&gt;'),
      'gone.html': null,
      'b/index.html': page('B', 'Text'),
      'style.css': 'b{}\n',
    });
    const {
      patch,
      pages: changed,
      warnings,
    } = await diffs().read(site(), between(base, commit), work);
    const text = (
      role: string,
      section: string | null,
      before: string | null,
      after: string | null,
    ) => ({
      role,
      section,
      before,
      after,
    });
    expect(changed).to.deep.equal([
      {
        slug: '/b',
        change: 'created',
        texts: [
          text('title', null, null, 'B'),
          text('heading', null, null, 'Shop'),
          text('paragraph', 'Shop', null, 'Text'),
        ],
      },
      { slug: '/a', change: 'modified', texts: [text('paragraph', 'Shop', 'Old', 'New <1>')] },
      {
        slug: '/gone',
        change: 'deleted',
        texts: [
          text('title', null, 'Gone', null),
          text('heading', null, 'Shop', null),
          text('paragraph', 'Shop', 'Text', null),
        ],
      },
    ]);
    expect(warnings).to.deep.equal([]);
    git(place.clone, 'checkout', '-q', base);
    execFileSync('git', ['apply', '--index'], { cwd: place.clone, input: patch! });
    expect(git(place.clone, 'write-tree')).to.equal(
      git(place.clone, 'rev-parse', `${commit}^{tree}`),
    );
  });

  it('quotes hostile names, names binary files only, and runs nothing of the repository', async () => {
    const witness = join(place.folder, 'witness');
    const attributes = '*.html diff=evil filter=evil\n*.css diff=evil\n';
    const base = place.push({ '.gitattributes': attributes, 'x.css': 'a{}\n' });
    await writeFile(join(place.clone, 'image.png'), Buffer.from([0x89, 0, 1, 2]));
    const commit = place.push({
      'x.css': 'b{}\n',
      'a\nb"\x1b[31m.html': page('A', 'Text'),
      '-x.html': page('X', 'Text'),
    });
    const service = diffs();
    await service.read(site(), between(base, base), work);
    const store = place.copyOf('site-1', 'diffs');
    for (const [key, command] of [
      ['diff.evil.command', `touch ${witness}`],
      ['diff.evil.textconv', `touch ${witness}; cat`],
      ['diff.external', `touch ${witness}`],
    ])
      git(store, 'config', key!, command!);
    git(store, 'config', 'diff.noprefix', 'true');
    git(store, 'config', 'color.ui', 'always');
    const { patch } = await service.read(site(), between(base, commit), work);
    expect(patch).to.include('diff --git "a/a\\nb\\"\\033[31m.html" "b/a\\nb\\"\\033[31m.html"');
    expect(patch).to.include('Binary files /dev/null and b/image.png differ');
    expect(patch).to.include('-a{}\n+b{}');
    expect(patch).to.not.include('\x1b');
    expect(existsSync(witness)).to.equal(false);
  });

  it('omits a patch that is too large and texts of too many pages, and says so', async () => {
    const base = place.push({ 'a.html': page('A', 'Text') });
    const files: Record<string, string> = {};
    for (let i = 0; i < 205; i++)
      files[`p${String(i).padStart(3, '0')}.html`] = page(`P${i}`, 'Text');
    const commit = place.push({ ...files, 'data.txt': 'line\n'.repeat(400_001) });
    const {
      patch,
      pages: changed,
      warnings,
    } = await diffs().read(site(), between(base, commit), work);
    expect(patch).to.equal(null);
    expect(changed).to.have.lengthOf(205);
    expect(changed.filter(({ texts }) => texts.length === 0).map(({ slug }) => slug)).to.deep.equal(
      ['/p200', '/p201', '/p202', '/p203', '/p204'],
    );
    expect(warnings).to.have.length(2);
    expect(warnings[0]).to.match(/\bpatch\b.*\b2000000 bytes\b/);
    expect(warnings[1]).to.match(/\btexts\b.*\b5 pages\b/);
  });

  it("lists a page that can't be read, and says why its texts are missing", async () => {
    const base = place.push({ 'a.html': page('A', 'Text'), 'b.html': page('B', 'Text') });
    await symlink('a.html', join(place.clone, 'link.html'));
    await writeFile(join(place.clone, 'latin.html'), Buffer.from('<p>caf\xe9', 'latin1'));
    const commit = place.push({ 'b.html': '<p>x</p>'.repeat(3_001) });
    const { pages: changed, warnings } = await diffs().read(site(), between(base, commit), work);
    expect(changed.map(({ slug, texts }) => [slug, texts])).to.deep.equal([
      ['/latin', []],
      ['/link', []],
      ['/b', []],
    ]);
    expect(warnings).to.have.length(3);
    expect(warnings[0]).to.match(/^\/latin: .* latin\.html .*UTF-8/);
    expect(warnings[1]).to.match(/^\/link: .* link\.html .*symbolic link/);
    expect(warnings[2]).to.match(/^\/b: .* \/b: .*\b3001\b.*\b3000\b/);
  });

  it('finds a commit by its hidden ref in a process without a clone', async () => {
    place.push({ 'a.html': page('A', 'Text') });
    const worker = place.open();
    const base = await worker.fetchBase('bg-1');
    const commit = await worker.commitTask(task('bg-1', base, { 'new.html': page('New', 'Text') }));
    const known = await diffs().read(
      site(),
      { before: onBranch(base), after: { commit, retainedBy: 'bg-1' } },
      work,
    );
    expect(known.pages.map(({ slug }) => slug)).to.deep.equal(['/new']);
    const unknown = await failureOf(
      diffs().read(
        site(),
        { before: onBranch(base), after: { commit: 'f'.repeat(40), retainedBy: 'bg-1' } },
        work,
      ),
    );
    expect(unknown).to.include({ code: 'CONFLICT' });
    expect(unknown?.message).to.match(/\bffffffffff\b.*\bmain\b/);
  });

  it('creates a diff once for all simultaneous callers', async () => {
    const base = place.push({ 'a.html': page('A', 'Text') });
    const commit = place.push({ 'a.html': page('B', 'Text') });
    const service = diffs();
    const [first, second] = await Promise.all(
      [1, 2].map(() => service.read(site(), between(base, commit), work)),
    );
    expect(second).to.equal(first);
    expect(await service.read(site(), between(base, commit), work)).to.equal(first);
  });
});
