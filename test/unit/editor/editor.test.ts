import { expect } from 'chai';
import { createEditor, type PageEditor } from '../../../src/editor/editor.ts';
import type { EditableTask } from '../../../src/editor/editableTask.ts';
import { limits } from '../../../src/contract/task.ts';
import { commitTask, type Host, startHost } from '../hosting/embedded/host.ts';
import { failureOf, git } from '../../helpers/team/workplace.ts';
import { noBatches } from '../../helpers/editing.ts';
import { testNoteResolver, testPages as pages } from '../../helpers/threads.ts';
import { begun } from '../../helpers/deployed.ts';
import { sourceProblems } from '../../../src/editor/applyContentChange.ts';
import { unknownTextError } from '../../../src/sites/pages/texts/editableTexts.ts';
import { pageTooLargeError } from '../../../src/sites/pages/pageSource.ts';

const html = (h1: string) =>
  `<!DOCTYPE html>\r\n<title>A &amp; B</title>\r\n<h1 class='x'>${h1}</h1>\r\n<p>Call <a href=/x>us</a>  <b>today</b></p>\r\n<img src=i.png alt='An image'>\r\n`;

describe('createEditor(deps)', () => {
  let host: Host;
  let editor: PageEditor;
  let task: EditableTask;
  const deps = () => ({ ...host, ...noBatches, pages, ...testNoteResolver });
  const shown = async (path = '/a') => (await host.preview(task.taskId, path)).text;
  const remoteRef = () => git(host.team.remote, 'rev-parse', `refs/agent-tasks/${task.taskId}`);

  before(async () => {
    host = await startHost();
    host.team.push({ 'index.html': html('Home') });
    editor = createEditor(deps());
  });
  after(async () => {
    await host.close();
  });
  beforeEach(async () => {
    const { taskId, commit } = await commitTask(host, {
      'a.html': html('Old'),
      'b/index.html': html('B'),
    });
    const files = [
      { slug: '/a', path: 'a.html' },
      { slug: '/b', path: 'b/index.html' },
    ];
    const deployed = await host.hosting.deployPreview({
      ...begun,
      site: host.site,
      taskId,
      commit,
      retainedBy: taskId,
      pages: files,
    });
    const { organizationId } = host;
    const shownPages = deployed.pages.map(({ slug, url }) => ({ slug, previewUrl: url! }));
    task = {
      taskId,
      organizationId,
      siteId: host.site.siteId,
      commit,
      pages: shownPages,
      notes: [],
    };
  });

  it('opens a page with all of its texts', async () => {
    const opened = await editor.open(task, '/a');
    expect(opened).to.include({
      slug: '/a',
      title: 'A & B',
      source: html('Old'),
      previewUrl: task.pages[0]?.previewUrl,
    });
    expect(opened.pages).to.deep.equal(['/a', '/b']);
    expect(opened.texts.map(({ role, texts }) => [role, texts])).to.deep.equal([
      ['title', ['A & B']],
      ['heading', ['Old']],
      ['paragraph', ['Call ', 'us', ' ', 'today', '']],
      ['link-target', ['/x']],
      ['image-alt', ['An image']],
      ['image-file', ['/i.png']],
    ]);
  });

  it('saves texts as a commit on the result, changes only their bytes, and shows it in the preview', async () => {
    const { digest, texts } = await editor.open(task, '/a');
    const id = texts[1]?.id ?? '';
    const saved = await editor.save(task, '/a', { digest, texts: { [id]: ['New <b> & "more"'] } });
    expect(saved.source).to.equal(html('New &lt;b&gt; &amp; "more"'));
    expect(await shown()).to.equal(saved.source);
    const log = git(
      host.team.remote,
      'log',
      '-1',
      '--format=%P|%an|%s|%(trailers:key=Agent-Task-Edit,valueonly)',
      remoteRef(),
    );
    expect(log).to.equal(`${task.commit}|${host.site.author.name}|Edit /a by hand|${task.taskId}`);
    expect(git(host.team.remote, 'diff', '--name-only', task.commit, remoteRef())).to.equal(
      'a.html',
    );
  });

  it('rejects a save of a page that has changed since, and keeps the other version', async () => {
    const { digest, texts } = await editor.open(task, '/a');
    const id = texts[1]?.id ?? '';
    await editor.save(task, '/a', { digest, texts: { [id]: ['First'] } });
    const failure = await failureOf(
      editor.save(task, '/a', { digest, texts: { [id]: ['Second'] } }),
    );
    expect(failure).to.include({ code: 'OUTDATED' });
    expect(failure?.message).to.contain(' /a ');
    expect(await shown()).to.equal(html('First'));
  });

  it('treats a repeated save as the first one', async () => {
    const { digest, texts } = await editor.open(task, '/a');
    const change = { digest, texts: { [texts[1]?.id ?? '']: ['New'] } };
    await editor.save(task, '/a', change);
    const ref = remoteRef();
    expect((await editor.save(task, '/a', change)).source).to.equal(html('New'));
    expect(remoteRef()).to.equal(ref);
  });

  it('repairs at the next load what ended between the push and the preview', async () => {
    const advancePreview = () => Promise.reject(new Error('killed'));
    const { digest, texts } = await editor.open(task, '/a');
    let calls = 0;
    const dying = createEditor({
      ...deps(),
      hosting: {
        advancePreview: (request) =>
          calls++ ? advancePreview() : host.hosting.advancePreview(request),
      },
    });
    const change = { digest, texts: { [texts[1]?.id ?? '']: ['New'] } };
    expect((await failureOf(dying.save(task, '/a', change)))?.message).to.equal('killed');
    expect(await shown()).to.equal(html('Old'));
    expect((await editor.open(task, '/a')).source).to.equal(html('New'));
    expect(await shown()).to.equal(html('New'));
  });

  it('rejects invalid pages, and texts that the page does not have', async () => {
    const { digest, texts } = await editor.open(task, '/a');
    const id = texts[2]?.id ?? '';
    for (const [change, message] of [
      [{ source: ' \n' }, new RegExp(`^${sourceProblems.empty}$`)],
      [{ source: 'half \ud800' }, new RegExp(`^${sourceProblems.surrogate}$`)],
      [{ source: 'ä'.repeat(limits.pageBytes / 2 + 1) }, /\b2000000 bytes\b/],
      [{ source: '<i>'.repeat(600) }, /\b500 levels\b/],
      [{ texts: { s99: ['x'] } }, new RegExp(`${unknownTextError('s99').message}$`)],
      [{ texts: { [id]: ['x'] } }, /\b5 pieces\b.*\b1\b/],
    ] as const) {
      const failure = await failureOf(editor.save(task, '/a', { digest, ...change } as never));
      expect(failure).to.include({ code: 'INVALID_INPUT' });
      expect(failure?.message).to.match(message);
    }
    expect(remoteRef()).to.equal(task.commit);
  });

  it('accepts a page that passes the checks of tasks, and names what does not', async () => {
    const { digest, source } = await editor.open(task, '/a');
    const wrong = source.replace('<h1', '<script src=https://evil.test/x.js></script><h1');
    const failure = await failureOf(editor.save(task, '/a', { digest, source: wrong }));
    expect(failure).to.include({ code: 'INVALID_INPUT' });
    expect(failure?.message).to.match(/^Line 3, <script>: .*Nothing was saved\.$/);
    expect(remoteRef()).to.equal(task.commit);
  });

  it('rejects a source that requests a new host, or has an attribute that pages do not need', async () => {
    const { digest, source } = await editor.open(task, '/a');
    for (const [markup, message] of [
      ['<style>@import/**/"//evil.test";</style>', /Line 3, <style>: .*"\/\/evil.test"/],
      [
        '<svg><style>b{<!-- -->}i{mask:u\\72l(//evil.test)}</style></svg>',
        /Line 3, <style>: .*"\/\/evil.test"/,
      ],
      ['<a href=/a ping=/a>x</a>', /<a ping>: .*"ping".*\(expected: .*\bcommon one\b/],
    ] as const) {
      const wrong = source.replace('<h1', `${markup}<h1`);
      const failure = await failureOf(editor.save(task, '/a', { digest, source: wrong }));
      expect(failure).to.include({ code: 'INVALID_INPUT' });
      expect(failure?.message).to.match(message);
    }
    expect(remoteRef()).to.equal(task.commit);
  });

  it('rejects a page over the limit before it is read', async () => {
    const large = await commitTask(host, { 'a.html': 'x'.repeat(limits.pageBytes + 1) });
    const { taskId, commit } = large;
    const files = [{ slug: '/a', path: 'a.html' }];
    await host.hosting.deployPreview({ site: host.site, ...large, pages: files });
    const read: string[] = [];
    const open: Host['repositories']['open'] = (site) => {
      const repository = host.repositories.open(site);
      const tree: typeof repository.tree = async (...args) => {
        const found = await repository.tree(...args);
        return { ...found, read: (path) => (read.push(path), found.read(path)) };
      };
      return { ...repository, tree };
    };
    const noting = createEditor({ ...deps(), repositories: { open } });
    const asked = { ...task, taskId, commit };
    const calls = [
      noting.open(asked, '/a'),
      noting.frame(asked, '/a', { head: () => '', attribute: 'data-x' }),
      noting.save(asked, '/a', { digest: '', source: '<p>small' }),
    ];
    for (const failure of await Promise.all(calls.map((call) => failureOf(call))))
      expect(failure).to.include({
        code: 'INVALID_INPUT',
        message: pageTooLargeError('a.html', 'has', limits.pageBytes + 1).message,
      });
    expect(read).to.deep.equal([]);
  });

  it('knows only the pages of the task, and only sites of its organization', async () => {
    expect(await failureOf(editor.open(task, '/'))).to.include({ code: 'NOT_FOUND' });
    const foreign = { ...task, organizationId: '00000000-0000-4000-8000-000000000000' };
    expect(await failureOf(editor.open(foreign, '/a'))).to.include({ code: 'NOT_FOUND' });
  });

  it('frames the page with the URLs of its preview', async () => {
    const framing = { head: (digest: string) => `<!--${digest}-->`, attribute: 'data-x' };
    const framed = await editor.frame(task, '/b', framing);
    const { digest } = await editor.open(task, '/b');
    expect(framed).to.contain(
      `<base href="${task.pages[1]?.previewUrl}" target="_self"><!--${digest}-->`,
    );
  });
});
