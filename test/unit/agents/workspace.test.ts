import { resolve } from 'node:path';
import { expect } from 'chai';
import { brokenLinksSentence } from '../../../src/agents/shared/site/taskWarnings.ts';
import type { ToolCall, ModelTurn } from '../../../src/agents/shared/agentTypes.ts';
import { editProblems } from '../../../src/agents/shared/markup/editSource.ts';
import {
  missingTextProblems,
  remainderSentences,
} from '../../../src/agents/shared/tools/editTexts.ts';
import { pageNotFound } from '../../../src/agents/shared/tools/pageNotFound.ts';
import { callProblems, modelTools } from '../../../src/agents/model/tools/modelTools.ts';
import { readFinishArguments } from '../../../src/agents/model/tools/finishTool.ts';
import { texts } from '../../helpers/texts.ts';
import { createWorkspace, finishTexts, replayTurns } from '../../../src/agents/workspace.ts';
import { DomainError } from '../../../src/errors.ts';
import { folderTree, memoryTree } from './memoryTree.ts';
import { testPages as pages } from '../../helpers/threads.ts';

const page = (title: string, body: string) =>
  `<!doctype html>\n<html lang="en"><head><title>${title}</title></head>\n<body><main>${body}</main></body></html>\n`;
const site = () =>
  memoryTree({
    'index.html': page(
      'Acme | Home',
      '<h1>Acme</h1><p>See <a href="/pricing">our <b>prices</b></a> or <a href="about.html">us</a>.</p>',
    ),
    'pricing.html': page(
      'Pricing',
      '<h1>Prices of ACME</h1><p>Acme charges $10. acme.example, hi@acme.example</p>',
    ),
    'about.html': page(
      'About',
      '<h1>About us</h1><p>Back to <a href="./">the start</a>. Acme&rsquo;s team: <em>Ac</em>me &amp; friends.</p>',
    ),
    'notes.txt': 'Acme',
  });

describe('createWorkspace', () => {
  let calls = 0;
  const call = (name: string, args: Record<string, unknown>): ToolCall => ({
    id: `c${++calls}`,
    name,
    arguments: args,
  });
  const workspaceOf = (tree = site(), agent: 'rules' | 'model' = 'rules') => {
    const workspace = createWorkspace({ tree, pages, texts, agent });
    const run = (name: string, args: Record<string, unknown>) =>
      workspace.runCall(call(name, args));
    const read = (slug: string) => workspace.answer({ name: 'read_slots', arguments: { slug } });
    return { workspace, run, read };
  };

  it('knows the source of a page: its own bytes, or a page of the base commit', async () => {
    const { workspace, run } = workspaceOf();
    const about = { path: 'about.html', source: await site().read('about.html') };
    await run('replace_text', { from: 'Back', to: 'Return', slug: '/about' });
    await run('create_page', { template: '/about', slug: '/team' });
    await run('create_page', { template: '/team', slug: '/people' });
    for (const path of ['about.html', 'team.html', 'people.html'])
      expect(await workspace.before(path), path).to.deep.equal(about);
    expect(await workspace.before('nobody.html')).to.equal(null);
  });

  it('lists, reads and searches pages without changing any', async () => {
    const { workspace, read } = workspaceOf();
    expect(await workspace.pages()).to.deep.equal([
      { slug: '/', title: 'Acme | Home' },
      { slug: '/about', title: 'About' },
      { slug: '/pricing', title: 'Pricing' },
    ]);
    const { slots } = await read('/');
    expect(slots.map(({ role, text }) => `${role}: ${text}`))
      .to.include('heading: Acme')
      .and.to.include('paragraph: See <1>our <2>prices</2></1> or <3>us</3>.');
    const hits = await workspace.answer({ name: 'search', arguments: { text: 'prices' } });
    expect(hits.map(({ slug, count, sameCase }) => [slug, count, sameCase])).to.deep.equal([
      ['/', 1, 1],
      ['/pricing', 1, 0],
    ]);
    expect(workspace.changes()).to.deep.equal([]);
    expect(workspace.touched()).to.deep.equal({ created: [], modified: [], deleted: [] });
  });

  it('sets a text and fits plain text around inline tags', async () => {
    const { workspace, run, read } = workspaceOf();
    const { slots } = await read('/');
    const id = slots.find(({ role }) => role === 'paragraph')!.id;
    const set = (text: string) => run('set_texts', { slug: '/', edits: [{ id, text }] });
    expect(await set('Look at our prices & <1> or us')).to.include({ isError: true });
    expect(await set('Look at our prices & \\<1> or us')).to.include({ isError: false });
    const [change] = workspace.changes();
    expect(change?.path).to.equal('index.html');
    expect(change?.content).to.contain(
      '<p>Look at <a href="/pricing">our <b>prices</b></a> &amp; &lt;1&gt; or <a href="about.html">us</a></p>',
    );
  });

  it('replaces whole words in visible text but never in URLs, and names what it left', async () => {
    const { workspace, run } = workspaceOf();
    const result = await run('replace_text', { from: 'Acme', to: 'Brick & Co' });
    expect(result.isError, result.content).to.equal(false);
    const text = workspace
      .changes()
      .map(({ content }) => content)
      .join('');
    expect(text)
      .to.contain('<title>Brick &amp; Co | Home</title>')
      .and.to.contain('Brick &amp; Co charges $10. acme.example, hi@acme.example');
    expect(text).to.contain('Prices of ACME').and.to.contain('Brick &amp; Co&rsquo;s team');
    expect(workspace.touched().modified.map(({ slug }) => slug)).to.deep.equal([
      '/about',
      '/',
      '/pricing',
    ]);
    expect(await workspace.warnings()).to.deep.equal([
      `/pricing: ${remainderSentences.otherCase('Acme')}`,
    ]);
  });

  it('replaces a URL only as a whole', async () => {
    const { workspace, run } = workspaceOf();
    expect(await run('replace_text', { from: 'example', to: 'test' })).to.include({
      isError: true,
    });
    expect(
      await run('replace_text', {
        from: 'hi@acme.example',
        to: 'yo@acme.example',
        slug: '/pricing',
      }),
    ).to.include({
      isError: false,
    });
    expect(workspace.changes()[0]?.content).to.contain('yo@acme.example');
  });

  it('replaces a telephone number only as a whole', async () => {
    const body = '<p>Call +1 512 555 0142 or +1-512-555-0142.</p><p>In 512 days, 2025-01-02.</p>';
    const { workspace, run } = workspaceOf(
      memoryTree({ 'index.html': page('Acme', `<h1>Acme</h1>${body}`) }),
    );
    await run('replace_text', { from: '512', to: '999' });
    await run('replace_text', { from: '2025', to: '2026' });
    await run('replace_text', { from: '+1 512 555 0142', to: '+1 999' });
    expect(workspace.changes()[0]?.content)
      .to.contain('Call +1 999 or +1-512-555-0142.')
      .and.to.contain('In 999 days, 2026-01-02.');
  });

  it('creates a page from a template at its own path', async () => {
    const { workspace, run } = workspaceOf();
    expect(await run('create_page', { template: '/about', slug: '/team/lisbon' })).to.include({
      isError: false,
    });
    expect(workspace.touched().created).to.deep.equal([
      { slug: '/team/lisbon', path: 'team/lisbon.html' },
    ]);
    expect(workspace.changes()[0]?.content).to.contain('href="../"');
    expect(await run('create_page', { template: '/about', slug: '/pricing' })).to.include({
      isError: true,
      content: 'Page already exists: /pricing',
    });
    for (const slug of ['/../x', '/.git/x', '/a b', '//x', '/x/../../y', '/']) {
      expect(await run('create_page', { template: '/about', slug }), slug).to.include({
        isError: true,
      });
    }
    expect(workspace.changes()).to.have.length(1);
  });

  it('deletes a page, and warns about links that are broken in the end', async () => {
    const { workspace, run } = workspaceOf();
    expect(await run('delete_page', { slug: '/pricing' })).to.include({ isError: false });
    expect(await workspace.warnings()).to.deep.equal([brokenLinksSentence('/pricing', ['/'])]);
    await run('delete_page', { slug: '/' });
    expect(await workspace.warnings()).to.deep.equal([brokenLinksSentence('/', ['/about'])]);
    expect(workspace.touched().deleted.map(({ path }) => path)).to.deep.equal([
      'index.html',
      'pricing.html',
    ]);
  });

  it('counts written and deleted pages, but not moved ones as deleted', async () => {
    const { workspace, run } = workspaceOf();
    await run('create_page', { template: '/about', slug: '/team' });
    expect(workspace.counts()).to.deep.equal({ changed: 1, deleted: 0 });
    await run('move_page', { slug: '/about', to: '/company' });
    const { changed, deleted } = workspace.counts();
    expect({ changed, deleted }).to.deep.equal({
      changed: workspace.touched().created.length + workspace.touched().modified.length,
      deleted: 0,
    });
    await run('delete_page', { slug: '/pricing' });
    expect(workspace.counts().deleted).to.equal(1);
    await run('delete_page', { slug: '/company' });
    expect(workspace.counts().deleted).to.equal(2);
    await run('delete_page', { slug: '/team' });
    expect(workspace.counts().deleted).to.equal(2);
  });

  it('forgets a page that was created and deleted again', async () => {
    const { workspace, run } = workspaceOf();
    await run('create_page', { template: '/about', slug: '/x' });
    await run('delete_page', { slug: '/x' });
    expect(workspace.changes()).to.deep.equal([]);
  });

  it("answers a model's mistakes with an error result", async () => {
    const { workspace, run } = workspaceOf(site(), 'model');
    const { unknownTool, wrongArguments } = callProblems;
    const toolNames = modelTools.map(({ name }) => name);
    const readingKeys = ['slug', 'chrome?', 'from?'];
    const mistakes: [string, Record<string, unknown>, RegExp | string][] = [
      ['rm', {}, unknownTool('rm', toolNames)],
      ['read_page', {}, wrongArguments('read_page', '"slug" is required', readingKeys)],
      ['read_page', { slug: '/pric' }, pageNotFound('/pric', ['/pricing'])],
      ['read_page', { slug: '/notes.txt' }, pageNotFound('/notes.txt')],
      [
        'edit_html',
        { slug: '/', edits: [{ old: 'nope', new: 'x' }] },
        editProblems.missingText(''),
      ],
      [
        'edit_html',
        { slug: '/', edits: [{ old: 1, new: ['x'] }] },
        /old" must be a string.*new" must be a string/,
      ],
      ['replace_text', { from: 'Nowhere', to: 'x' }, missingTextProblems.nowhere('any page')],
      [
        'replace_text',
        { from: 'acme', to: 'x', slug: '/' },
        missingTextProblems.otherCase('/', '/'),
      ],
      ['delete_page', { slug: '/', force: true }, /"force" is not allowed/],
      ['finish', {}, /"summary" is required/],
    ];
    for (const [name, args, message] of mistakes) {
      const result = await run(name, args);
      expect(result.isError, name).to.equal(true);
      if (typeof message === 'string') expect(result.content).to.equal(message);
      else expect(result.content).to.match(message);
    }
    expect(workspace.changes()).to.deep.equal([]);
  });

  it('replays recorded turns to the same edits, and rejects turns that come out differently', async () => {
    const turns: ModelTurn[] = [
      {
        text: '',
        toolCalls: [
          call('replace_text', { from: 'Acme', to: 'Brick' }),
          call('read_page', { slug: '/nope' }),
        ],
      },
      { text: '', toolCalls: [call('delete_page', { slug: '/about' })] },
      { text: '', toolCalls: [call('finish', { summary: 'Done' })] },
    ];
    const model = () => workspaceOf(site(), 'model').workspace;
    const first = model();
    const recorded: ModelTurn[] = [];
    for (const turn of turns)
      recorded.push({ ...turn, digest: (await first.runTurn(turn)).digest });
    const second = model();
    const conversation = await replayTurns(second, 'a prompt', recorded);
    expect(second.changes()).to.deep.equal(first.changes());
    expect(conversation.pages).to.have.length(3);
    expect(
      conversation.turns.map(({ results }) => results.map(({ isError }) => isError)),
    ).to.deep.equal([[false, true], [false], [false]]);
    const altered = recorded.map((turn, i) =>
      i === 1 ? { ...turn, digest: 'of another version' } : turn,
    );
    const error = await replayTurns(model(), 'a prompt', altered).catch((error: unknown) => error);
    expect(error).to.be.instanceOf(DomainError).with.property('code', 'CHANGED_BY_DEPLOY');
  });

  describe('take(turn) with finish', () => {
    const turnOf = (...toolCalls: ToolCall[]): ModelTurn => ({ text: '', toolCalls });
    const finish = (args: object = {}) => call('finish', { summary: 'Done', ...args });
    const rename = () => call('replace_text', { from: 'Acme', to: 'Brick' });
    const open = () => workspaceOf(site(), 'model').workspace;

    it('ends the work, unless a call of the same turn failed, and fails with its error', async () => {
      const workspace = open();
      const failed = await workspace.runTurn(
        turnOf(call('delete_page', { slug: '/nope' }), finish()),
      );
      expect(failed.finished).to.equal(false);
      expect((await workspace.runTurn(turnOf(rename(), finish()))).finished).to.equal(true);
      const failing = workspace.runTurn(turnOf(finish({ summary: '', error: 'No such page' })));
      expect(await failing.catch((error: unknown) => error))
        .to.be.instanceOf(DomainError)
        .with.property('message', 'No such page');
    });

    it('asks back once if nothing changed, and then adds a note', async () => {
      const turns = [
        turnOf(call('read_page', { slug: '/' }), finish({ summary: 'Renamed it' })),
        turnOf(finish({ summary: 'It was so already' })),
      ];
      const workspace = open();
      const first = await workspace.runTurn(turns[0]!);
      expect(first.finished).to.equal(false);
      expect(first.results[1]).to.include({ isError: true });
      expect(first.results[1]!.content).to.equal(finishTexts.refused(finishTexts.nothingChanged));
      expect(await workspace.notes()).to.deep.equal([]);
      const second = await workspace.runTurn(turns[1]!);
      expect(second).to.deep.include({ finished: true });
      expect(await workspace.notes()).to.deep.equal([
        { kind: 'undone', text: 'Nothing was changed' },
      ]);
      const digests = [first.digest, second.digest];
      const again = open();
      await replayTurns(
        again,
        'a prompt',
        turns.map((turn, i) => ({ ...turn, digest: digests[i]! })),
      );
      expect(await again.notes()).to.deep.equal(await workspace.notes());
    });

    it('asks back if the edits were undone again', async () => {
      const workspace = open();
      const replace = (from: string, to: string) =>
        call('replace_text', { slug: '/pricing', from, to });
      await workspace.runTurn(turnOf(replace('Acme', 'Brick')));
      const back = replace('Brick', 'Acme');
      expect((await workspace.runTurn(turnOf(back, finish()))).finished).to.equal(false);
    });

    it('notes in plain words what was not done', async () => {
      const workspace = open();
      const undone = [
        '<b>The map</b>:\nno tool\u202E makes one',
        'The map: no tool makes one',
        ' \u200B',
      ];
      const { finished } = await workspace.runTurn(turnOf(rename(), finish({ undone })));
      expect(finished).to.equal(true);
      const text = 'Not done: The map: no tool makes one';
      expect((await workspace.notes()).filter(({ kind }) => kind === 'undone')).to.deep.equal([
        { kind: 'undone', text, value: 'The map: no tool makes one' },
      ]);
      const ending = readFinishArguments({ summary: '**Renamed** it', undone });
      expect(ending.summary).to.equal('Renamed it');
      const long = await open().runTurn(turnOf(finish({ undone: ['x'.repeat(301)] })));
      expect(long.results[0]!.content).to.match(/undone\[0\].*300 characters/);
    });
  });

  it('repeats recorded edits of the rules, and rejects edits that come out differently', async () => {
    const first = workspaceOf().workspace;
    const edit = { name: 'replace_text' as const, arguments: { from: 'Acme', to: 'Brick' } };
    await first.edit(edit);
    const turn = {
      text: '',
      toolCalls: [{ id: 'edit-1', ...edit }],
      digest: first.outcome().digest,
    };
    const second = workspaceOf().workspace;
    await replayTurns(second, 'a prompt', [turn]);
    expect(second.changes()).to.deep.equal(first.changes());
    expect(await second.notes()).to.deep.equal(await first.notes());
    const gone = { ...turn, toolCalls: [call('replace_text', { from: 'Nowhere', to: 'x' })] };
    const unknown = { ...turn, toolCalls: [call('edit_of_another_version', {})] };
    for (const other of [gone, unknown, { ...turn, digest: 'of another version' }]) {
      const error = await replayTurns(workspaceOf().workspace, 'a prompt', [other]).catch(
        (error: unknown) => error,
      );
      expect(error).to.be.instanceOf(DomainError).with.property('code', 'CHANGED_BY_DEPLOY');
    }
  });

  it('describes every tool of a language model as a JSON schema', () => {
    expect(modelTools.map(({ name }) => name)).to.include.members([
      'list_pages',
      'replace_text',
      'finish',
    ]);
    for (const { parameters } of modelTools)
      expect(parameters).to.include({ type: 'object', additionalProperties: false });
    // most of a first request: what tools have in common belongs into the instructions
    const { length } = JSON.stringify(modelTools);
    console.log(`      ${modelTools.length} tools, ${length} characters`);
    expect(length).to.be.at.most(12_000);
  });

  it('reads every page of a third-party site', async () => {
    const tree = folderTree(
      resolve(import.meta.dirname, '../../../node_modules/startbootstrap-modern-business/dist'),
    );
    const { workspace, run } = workspaceOf(tree);
    const result = await run('replace_text', { from: 'Start Bootstrap', to: 'Brick <1> & Co' });
    expect(result.isError, result.content).to.equal(false);
    const changed = workspace.changes();
    expect(changed.length).to.be.greaterThan(8);
    for (const { content } of changed) expect(content).to.contain('Brick &lt;1&gt; &amp; Co');
  });
});
