import { expect } from 'chai';
import { brokenLinksSentence } from '../../../../../src/agents/shared/site/taskWarnings.ts';
import { pageNotFound } from '../../../../../src/agents/shared/tools/pageNotFound.ts';
import { pageTexts } from '../../../../../src/agents/shared/tools/wholePages.ts';
import { checkChanges } from '../../../../../src/sites/checks/checkChanges.ts';
import { createWorkspace } from '../../../../../src/agents/workspace.ts';
import { testPages as pages } from '../../../../helpers/threads.ts';
import { texts } from '../../../../helpers/texts.ts';
import { memoryTree } from '../../memoryTree.ts';

const page = (name: string) =>
  `<!DOCTYPE html><html lang="en"><head><title>${name}</title></head><body><h1>${name}</h1></body></html>`;
const files = {
  'index.html': page('Home'),
  'about.html': page('About'),
  'team/index.html': page('Team'),
  'old.html': page('Old'),
};
const three = (from: string, to: string) =>
  [from, `${from}/`, `${from}.html`].map((one) => `${one} ${to} 301\n`).join('');

const { moved, redirect, selfRedirect, redirectedLinks, brokenLinks } = pageTexts;

describe('redirects of moved and deleted pages', () => {
  function open(more: Record<string, string> = {}, newHostFile?: string, base: object = files) {
    const tree = memoryTree({ ...base, ...more });
    const workspace = createWorkspace({
      tree,
      pages,
      texts,
      agent: 'model',
      ...(newHostFile !== undefined && { newHostFile }),
    });
    const run = async (name: string, args: object) => {
      const { content, isError } = await workspace.runCall({
        id: 'c',
        name,
        arguments: { ...args },
      });
      if (isError) throw new Error(content);
      return content;
    };
    const written = (path: string) =>
      workspace.changes().find((change) => change.path === path)?.content;
    const check = () =>
      checkChanges(pages, tree, {
        files: workspace.changes(),
        before: (path) => workspace.before(path),
        mayAddLinks: true,
      });
    return { workspace, run, written, check };
  }

  it('are added by move_page for the old paths, which names the file', async () => {
    const { run, written, check } = open({ _redirects: '# ours\n/x /about 302\n/* / 404\n' });
    expect(await run('move_page', { slug: '/about', to: '/company' })).to.contain(
      moved('/about', '/company') + redirect('/about', '/company', ['_redirects']),
    );
    expect(written('_redirects')).to.equal(
      `# ours\n/x /company 302\n${three('/about', '/company')}/* / 404\n`,
    );
    await check();
  });

  it('of a folder page start at its folder', async () => {
    const { run, written } = open({ _redirects: '' });
    await run('move_page', { slug: '/team', to: '/people' });
    expect(written('_redirects')).to.equal(
      '/team /people/ 301\n/team/ /people/ 301\n/team/index.html /people/ 301\n',
    );
  });

  it('are added by delete_page only on request', async () => {
    const { run, written, check } = open({ _redirects: '' });
    await run('delete_page', { slug: '/old' });
    expect(written('_redirects')).to.equal(undefined);
    expect(await run('delete_page', { slug: '/about', redirect: '/team' })).to.contain(
      redirect('/about', '/team', ['_redirects']),
    );
    expect(written('_redirects')).to.equal(three('/about', '/team/'));
    await check();
    await expectRefusal(
      run('delete_page', { slug: '/team', redirect: '/team' }),
      selfRedirect('/team'),
    );
    await expectRefusal(
      run('delete_page', { slug: '/team', redirect: '/none' }),
      pageNotFound('/none'),
    );
  });

  it('prevent broken links to a deleted page', async () => {
    const linking = page('Start').replace('</body>', '<a href="/about">About</a></body>');
    const { run, workspace } = open({ 'index.html': linking, _redirects: '' });
    const deletion = { slug: '/about', redirect: '/team' };
    expect(await run('delete_page', deletion)).to.contain(
      redirect('/about', '/team', ['_redirects']) + redirectedLinks(['/']),
    );
    expect(await workspace.warnings()).to.deep.equal([]);
    await run('delete_page', { slug: '/team' });
    expect(await workspace.warnings()).to.deep.equal([brokenLinksSentence('/about', ['/'])]);
    await run('undo', { slug: '/team' });
    expect(await workspace.warnings()).to.deep.equal([]);
    const other = open({ 'index.html': linking });
    expect(await other.run('delete_page', deletion)).to.contain(brokenLinks(['/']));
  });

  it('of several moves form no chain, and a move back leaves the file unchanged', async () => {
    const { run, written } = open({ _redirects: '/x /y' });
    await run('move_page', { slug: '/about', to: '/a' });
    await run('move_page', { slug: '/a', to: '/b' });
    expect(written('_redirects')).to.equal(`/x /y\n${three('/about', '/b')}`);
    await run('move_page', { slug: '/b', to: '/about' });
    expect(written('_redirects')).to.equal(undefined);
  });

  it('a published move can be moved back, over several addresses too', async () => {
    const { 'about.html': about, ...others } = files;
    const _redirects = three('/about', '/company');
    const moved = { ...others, 'company.html': about };
    const { run, written, check } = open({ _redirects }, undefined, moved);
    await run('move_page', { slug: '/company', to: '/about' });
    expect(written('_redirects')).to.equal(three('/company', '/about'));
    await check();
  });

  it('are removed by undo', async () => {
    const { run, written, workspace } = open({ _redirects: '/x /y\n' });
    await run('move_page', { slug: '/about', to: '/company' });
    await run('delete_page', { slug: '/old', redirect: '/company' });
    await run('undo', { slug: '/about' });
    expect(written('_redirects')).to.equal(`/x /y\n${three('/old', '/about')}`);
    await run('undo', { slug: '/old' });
    expect(workspace.changes()).to.deep.equal([]);
  });

  it('are removed by a page at the old path', async () => {
    const { run, written } = open({ _redirects: '/new /about\n/x /y\n' });
    await run('create_page', { slug: '/new', from: '/about' });
    expect(written('_redirects')).to.equal('/x /y\n');
  });

  it('create a new file if the host supports it, which an undo removes', async () => {
    const { run, written, workspace, check } = open({}, '_redirects');
    await run('move_page', { slug: '/about', to: '/company' });
    expect(written('_redirects')).to.equal(three('/about', '/company'));
    await check();
    await run('undo', { slug: '/about' });
    expect(workspace.changes()).to.deep.equal([]);
    const other = open();
    await other.run('move_page', { slug: '/about', to: '/company' });
    expect(other.written('_redirects')).to.equal(undefined);
  });

  it('are the only change to such a file that passes the checks', async () => {
    const tree = memoryTree({ ...files, _redirects: '/a /b\n' });
    for (const content of [
      '/a /b\n/x https://evil.example/ 301\n',
      '/a /b\n/* /about 301\n',
      '/a /b\n/x //evil.example 301\n',
      '/a /b\n/x /about 301!\n',
      '/a /b\n/x /about 200\n',
      null,
    ]) {
      const made = checkChanges(pages, tree, {
        files: [{ path: '_redirects', content }],
        before: (path) => tree.read(path).then((source) => ({ path, source })),
        mayAddLinks: true,
      });
      await expectRefusal(made, '_redirects: ');
    }
  });
});

async function expectRefusal(work: Promise<unknown>, says: string): Promise<void> {
  const refusal = await work.then(
    () => 'not refused',
    (error: unknown) => (error as Error).message,
  );
  expect(refusal).to.contain(says);
}
