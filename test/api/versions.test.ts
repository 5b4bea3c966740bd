import { expect } from 'chai';
import {
  replacementProblems,
  unreplacedSentence,
} from '../../src/agents/rules/page/replaceNotedValues.ts';
import { noteIdOf } from '../../src/contract/notes/noteIds.ts';
import type { Note, NoteKind } from '../../src/contract/task.ts';
import { bearer } from '../helpers/api.ts';
import { type EditingHost, startEditing } from '../helpers/editingHost.ts';
import { git } from '../helpers/team/workplace.ts';

const quote = 'They built it well, and in time.';
const story = 'Calloway Bakery had a line out of the door.';
const html = (name: string) =>
  `<!DOCTYPE html>\n<title>${name}</title>\n<h1>${name}</h1>\n` +
  '<section><h2>A recent project</h2><img src="/bakery.jpg" alt="The bakery">' +
  `<p>${story}</p><figure><blockquote><p>${quote}</p></blockquote></figure></section>\n` +
  '<section><h2>Prices</h2><p>Text.</p><p>From $49.</p></section>\n';
const noteOn = (page: string, kind: NoteKind, value: string): Note => ({
  page,
  kind,
  value,
  text: `${page}: ${kind} ${value}`,
});
const notesOn = (page: string) => [
  noteOn(page, 'quote', quote),
  noteOn(page, 'invented', story),
  noteOn(page, 'price', '$49'),
];

interface VersionView {
  version: number;
  kind: string;
  summary: string;
  pages: string[];
  undone: boolean;
  by: object | null;
}
interface NoteView {
  id: string;
  kind: string;
  state: string;
}
interface Removal {
  taskId: string;
  version: VersionView | null;
  undo: string | null;
  removed: NoteView[];
  gone: NoteView[];
  remaining: NoteView[];
  messages: string[];
}

describe('versions of a task', function () {
  this.timeout(60_000);
  let host: EditingHost;
  before(async () => {
    host = await startEditing();
    host.host.team.push({ 'index.html': '<h1>Home</h1>', 'bakery.jpg': 'a picture' });
  });
  after(() => host.close());
  afterEach(() => void (host.publishing.length = 0));

  const ask = async (method: string, path: string, body?: object) => {
    const { status, json, text } = await host.api.request(method, `/api/v1/agent/tasks/${path}`, {
      headers: { ...bearer(host.member.apiKey), 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status, json, text };
  };
  const done = async <T>(method: string, path: string, body?: object) => {
    const { status, json, text } = await ask(method, path, body);
    expect(status, text).to.equal(200);
    return json as T;
  };
  const drop = (taskId: string, body: object) =>
    done<Removal>('POST', `${taskId}/notes/drop`, body);
  const undo = (taskId: string, body: object = {}) =>
    done<{ version: VersionView }>('POST', `${taskId}/versions/undo`, body);
  const versionsOf = async (taskId: string) =>
    (await done<{ versions: VersionView[] }>('GET', `${taskId}/versions`)).versions;
  const shown = async (taskId: string, slug: string) =>
    (await host.host.preview(taskId, slug)).text;
  const refOf = (taskId: string) =>
    git(host.host.team.remote, 'rev-parse', `refs/agent-tasks/${taskId}`);
  const openNotes = async (taskId: string) => {
    const { output } = await done<{ output: { notes: NoteView[] } }>('GET', taskId);
    return output.notes.filter(({ state }) => state === 'open').map(({ kind }) => kind);
  };
  const complete = (slugs: string[], more: { baseTaskId?: string } = {}) =>
    host.completeTask(
      Object.fromEntries(slugs.map((slug) => [slug, html(slug)])),
      {},
      (url) => url,
      { notes: slugs.flatMap(notesOn), ...more },
    );
  let pages = 0;
  const newSlug = () => `/page-${pages++}`;
  const editor = () => host.editor;
  const editable = (taskId: string) => host.editable(taskId);
  /** Replaces words of a page by hand. */
  const edit = async (taskId: string, slug: string, before: string, after: string) => {
    const task = await editable(taskId);
    const { digest, source } = await editor().open(task, slug);
    await editor().save(task, slug, { digest, source: source.replace(before, after) });
  };

  describe('POST …/notes/drop', () => {
    it('makes the next version of the same task, and undo makes the one after it', async () => {
      const slugs = [newSlug(), newSlug()];
      const taskId = await complete(slugs);
      const {
        version,
        undo: undoUrl,
        removed,
        gone,
        remaining,
      } = await drop(taskId, {
        kind: 'price',
      });
      expect(version).to.deep.include({ version: 2, kind: 'removal', pages: slugs, undone: false });
      expect(version!.by).to.deep.include({ keyId: host.member.keyId });
      expect([removed.length, gone, remaining]).to.deep.equal([2, [], []]);
      expect(removed.map(({ state }) => state)).to.deep.equal(['dropped', 'dropped']);
      expect(undoUrl).to.match(/\/agent\/tasks\/bg-[a-z0-9]+\/versions\/undo$/);
      for (const slug of slugs) expect(await shown(taskId, slug)).to.not.include('$49');
      expect(await openNotes(taskId)).to.not.include('price');
      expect(host.published).to.deep.equal([]);

      expect((await undo(taskId, { version: 2 })).version).to.include({ version: 3, kind: 'undo' });
      for (const slug of slugs) expect(await shown(taskId, slug)).to.equal(html(slug));
      expect((await openNotes(taskId)).filter((kind) => kind === 'price')).to.have.length(2);
      expect(
        (await versionsOf(taskId)).map(({ version, kind, undone }) => [version, kind, undone]),
      ).to.deep.equal([
        [3, 'undo', false],
        [2, 'removal', true],
        [1, 'result', false],
      ]);
    });

    it('has the same outcome in each order, and leaves no half of a section behind', async () => {
      const orders = [
        [['quote'], ['invented']],
        [['invented'], ['quote']],
        [['quote', 'invented']],
      ];
      const outcomes: string[] = [];
      for (const order of orders) {
        const [slug, other] = [newSlug(), newSlug()];
        const taskId = await complete([slug, other]);
        for (const kinds of order) {
          const notes = notesOn(slug).filter(({ kind }) => kinds.includes(kind));
          await drop(taskId, { notes: notes.map(noteIdOf) });
          await edit(taskId, other, 'Text.', `Text after ${kinds.join()}.`);
        }
        outcomes.push((await shown(taskId, slug)).replaceAll(slug, ''));
        expect(await openNotes(taskId)).to.have.length(4);
      }
      expect(outcomes[0]).to.not.match(/A recent project|bakery/);
      expect(outcomes[1]).to.equal(outcomes[0]);
      expect(outcomes[2]).to.equal(outcomes[0]);
    });

    it('keeps an edit by hand of the same page', async () => {
      const slug = newSlug();
      const taskId = await complete([slug]);
      await drop(taskId, { kind: 'quote' });
      await edit(taskId, slug, 'Text.', 'A typed text.');
      await drop(taskId, { kind: 'price' });
      expect(await shown(taskId, slug))
        .to.include('A typed text.')
        .and.not.match(/\$49|in time/);
    });

    it('makes no version if the fact is gone, and says so', async () => {
      const slug = newSlug();
      const taskId = await complete([slug]);
      await edit(taskId, slug, '<p>From $49.</p>', '');
      const ref = refOf(taskId);
      const first = await drop(taskId, { kind: 'price' });
      expect([first.version, first.undo, first.removed]).to.deep.equal([null, null, []]);
      expect(first.gone.map(({ kind, state }) => [kind, state])).to.deep.equal([
        ['price', 'dropped'],
      ]);
      expect(await openNotes(taskId)).to.deep.equal(['quote', 'invented']);
      const again = await drop(taskId, { kind: 'price' });
      expect([again.version, again.gone.length]).to.deep.equal([null, 1]);
      expect(refOf(taskId)).to.equal(ref);
    });

    it('says which notes stay open, because their facts can not be removed alone', async () => {
      const slug = newSlug();
      const notes = [noteOn(slug, 'date', '2014'), noteOn(slug, 'price', '$49')];
      // a heading is not removed alone
      const source = html(slug).replace('<h2>Prices</h2>', '<h2>Prices since 2014</h2>');
      const taskId = await host.completeTask({ [slug]: source }, {}, (url) => url, { notes });
      const ids = notes.map(noteIdOf);
      const { removed, remaining } = await drop(taskId, { notes: ids });
      expect([removed, remaining].map((list) => list.map(({ kind }) => kind))).to.deep.equal([
        ['price'],
        ['date'],
      ]);
      expect(await openNotes(taskId)).to.deep.equal(['date']);
    });

    it('leaves notes open if it ends after its commit, and a repeated request resolves them', async () => {
      const slug = newSlug();
      const taskId = await complete([slug]);
      const noteStates = { ...host.noteStates };
      host.noteStates.set = () => Promise.reject(new Error('killed'));
      expect((await ask('POST', `${taskId}/notes/drop`, { kind: 'price' })).status).to.equal(500);
      Object.assign(host.noteStates, noteStates);
      expect(await openNotes(taskId)).to.include('price');
      const ref = refOf(taskId);
      expect(await drop(taskId, { kind: 'price' })).to.include({ version: null });
      expect(await openNotes(taskId)).to.not.include('price');
      expect(refOf(taskId)).to.equal(ref);
    });

    it('makes one version after the other for requests at the same time', async () => {
      const slug = newSlug();
      const taskId = await complete([slug]);
      const removals = await Promise.all(
        ['quote', 'invented', 'price'].map((kind) => drop(taskId, { kind })),
      );
      expect(new Set(removals.map(({ version }) => version?.version)).size).to.equal(3);
      expect(await shown(taskId, slug)).to.not.match(/\$49|in time|Calloway|A recent project/);
      expect(await openNotes(taskId)).to.deep.equal([]);
    });

    it('is refused while the task runs or is being published', async () => {
      const taskId = await complete([newSlug()]);
      host.publishing.push({ taskId: 'bg-publish', follows: taskId } as never);
      for (const path of ['notes/drop', 'versions/undo', 'versions/update'])
        expect(
          (await ask('POST', `${taskId}/${path}`, path.startsWith('n') ? { kind: 'price' } : {}))
            .status,
        ).to.equal(409);
      host.publishing.length = 0;
      const task = host.tasks.get(taskId)!;
      host.tasks.set(taskId, { ...task, status: 'running', finished: undefined } as never);
      expect((await ask('POST', `${taskId}/notes/drop`, { kind: 'price' })).status).to.equal(409);
      expect((await ask('GET', `${taskId}/versions`)).status).to.equal(409);
    });
  });

  describe('POST …/notes/drop with a text', () => {
    it('writes the text in place of the fact on all pages, as plain text, and undo brings it back', async () => {
      const slugs = [newSlug(), newSlug()];
      const taskId = await complete(slugs);
      const notes = slugs.map((slug) => noteIdOf(notesOn(slug)[2]!));
      const text = 'from $52 <b>& more</b>';
      const { version, removed, remaining } = await drop(taskId, { notes, text });
      expect(version).to.deep.include({ version: 2, kind: 'replacement', pages: slugs });
      expect(removed.map(({ state }) => state)).to.deep.equal(['done', 'done']);
      expect(remaining).to.deep.equal([]);
      for (const slug of slugs)
        expect(await shown(taskId, slug)).to.equal(
          html(slug).replace('From $49.', 'From $52 &lt;b&gt;&amp; more&lt;/b&gt;.'),
        );
      expect(await openNotes(taskId)).to.not.include('price');
      expect(await drop(taskId, { notes, text })).to.deep.include({ version: null });
      await undo(taskId, { version: 2 });
      for (const slug of slugs) expect(await shown(taskId, slug)).to.equal(html(slug));
      expect((await openNotes(taskId)).filter((kind) => kind === 'price')).to.have.length(2);
    });

    it('leaves a page without the fact to the person, and says why', async () => {
      const slug = newSlug();
      const note = noteOn(slug, 'price', '$1,900');
      const pages = { [slug]: html(slug) };
      const taskId = await host.completeTask(pages, {}, (url) => url, { notes: [note] });
      const notes = [noteIdOf(note)];
      const outcome = await drop(taskId, { notes, text: '$2,000' });
      expect(outcome.version).to.equal(null);
      expect(outcome.remaining.map(({ id }) => id)).to.deep.equal(notes);
      expect(outcome.messages).to.deep.equal([
        `${slug}: ${unreplacedSentence('$1,900', replacementProblems.missing)}`,
      ]);
    });

    it('asks which value to replace if a note names several, and resolves it with the last one', async () => {
      const slug = newSlug();
      const note = { ...noteOn(slug, 'price', ''), value: undefined, values: ['$49', '$59'] };
      const page = html(slug).replace('Text.', 'To $59.');
      const taskId = await host.completeTask({ [slug]: page }, {}, (url) => url, {
        notes: [note as unknown as Note],
      });
      const notes = [noteIdOf(note)];
      const unclear = await ask('POST', `${taskId}/notes/drop`, { notes, text: '$60' });
      expect([unclear.status, unclear.text]).to.deep.equal([
        400,
        JSON.stringify({
          error: 'value is required, because the note names several: "$49", "$59"',
        }),
      ]);
      const first = await drop(taskId, { notes, text: '$50', value: '$49' });
      expect(first.remaining.map(({ id }) => id)).to.deep.equal(notes);
      const second = await drop(taskId, { notes, text: '$60', value: '$59' });
      expect(second.removed.map(({ state }) => state)).to.deep.equal(['done']);
      expect(await shown(taskId, slug)).to.equal(page.replace('$49', '$50').replace('$59', '$60'));
    });

    it('refuses a text without notes, a value without text, and control characters', async () => {
      const taskId = await complete([newSlug()]);
      for (const body of [
        { kind: 'price', text: '$1' },
        { notes: ['x'], value: '$1' },
        { notes: ['x'], text: 'a\nb' },
        { notes: ['x'], text: '  ' },
      ])
        expect((await ask('POST', `${taskId}/notes/drop`, body)).status).to.equal(400);
    });
  });

  describe('POST …/versions/undo', () => {
    it('goes back by one version each time, and reopens what each of them resolved', async () => {
      const slug = newSlug();
      const taskId = await complete([slug]);
      await drop(taskId, { kind: 'price' });
      await edit(taskId, slug, 'Text.', 'Typed.');
      await drop(taskId, { kind: 'quote' });
      await undo(taskId);
      expect(await shown(taskId, slug))
        .to.include(quote)
        .and.include('Typed.');
      await undo(taskId);
      expect(await shown(taskId, slug))
        .to.include('Text.')
        .and.not.include('$49');
      expect(await openNotes(taskId)).to.deep.equal(['quote', 'invented']);
      await undo(taskId);
      expect(await shown(taskId, slug)).to.equal(html(slug));
      expect(await openNotes(taskId)).to.have.length(3);
      expect((await ask('POST', `${taskId}/versions/undo`)).status).to.equal(409);
    });

    it('is refused if another version has become current', async () => {
      const slug = newSlug();
      const taskId = await complete([slug]);
      await drop(taskId, { kind: 'price' });
      await edit(taskId, slug, 'Text.', 'Typed.');
      expect((await ask('POST', `${taskId}/versions/undo`, { version: 2 })).status).to.equal(409);
      expect(await shown(taskId, slug))
        .to.include('Typed.')
        .and.not.include('$49');
    });
  });

  describe('of a task that another one builds on', () => {
    const publish = (taskId: string) => ask('POST', `${taskId}/publish`, {});

    it('go live with the task on top of it', async () => {
      const [slug, upperSlug] = [newSlug(), newSlug()];
      const base = await complete([slug]);
      const upper = await complete([upperSlug], { baseTaskId: base });
      await edit(base, slug, 'Text.', 'Typed in the base task.');
      expect((await publish(upper)).status).to.equal(200);
      expect((await versionsOf(upper)).map(({ kind }) => kind)).to.deep.equal(['update', 'result']);
      await host.putLive(upper);
      expect((await host.host.live(slug)).text).to.include('Typed in the base task.');
      const publication = (await host.host.deployments.publications.of([base])).get(base);
      expect(publication?.result).to.equal(refOf(base));
      expect((await publish(base)).status, 'it is live already').to.equal(409);
    });

    it('are refused with the pages in conflict, until a person says whose pages win', async () => {
      for (const [winner, text] of [
        ['own', 'Typed on top.'],
        ['other', 'Typed in the base task.'],
      ] as const) {
        const slug = newSlug();
        const base = await complete([slug]);
        const upper = await complete([newSlug()], { baseTaskId: base });
        const source = html(slug).replace('Text.', 'Typed on top.');
        const top = await host.completeTask({ [slug]: source }, {}, (url) => url, {
          baseTaskId: upper,
        });
        await edit(base, slug, 'Text.', 'Typed in the base task.');
        const refused = await publish(top);
        expect(refused.status).to.equal(409);
        expect(refused.json['error']).to.include(slug);
        const { conflicts } = await done<{ conflicts: object[] }>('GET', `${top}/publish`);
        expect(conflicts).to.deep.equal([
          { taskId: top, baseTaskId: upper, pages: { count: 1, slugs: [slug] } },
        ]);
        const { version } = await done<{ version: VersionView }>('POST', `${top}/versions/update`, {
          conflicts: winner,
        });
        expect(version).to.include({ kind: 'update' });
        expect(await shown(top, slug)).to.include(text);
        expect((await publish(top)).status).to.equal(200);
        await host.putLive(top);
        expect((await host.host.live(slug)).text).to.include(text);
      }
    });

    it('can be published after others changed the same page on the live site', async () => {
      const slug = newSlug();
      const taskId = await complete([slug]);
      host.host.team.push({ [`${slug.slice(1)}.html`]: html('Pushed') });
      const { conflicts } = await done<{ conflicts: object[] }>('GET', `${taskId}/publish`);
      expect(conflicts).to.deep.equal([
        { taskId, baseTaskId: null, pages: { count: 1, slugs: [slug] } },
      ]);
      expect((await ask('POST', `${taskId}/versions/update`)).status).to.equal(409);
      await done('POST', `${taskId}/versions/update`, { conflicts: 'own' });
      await host.putLive(taskId);
      expect((await host.host.live(slug)).text).to.equal(html(slug));
    });
  });
});
