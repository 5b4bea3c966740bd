import { expect } from 'chai';
import type { OfferedPage } from '../../src/editor/protocol.ts';
import { noteIdOf } from '../../src/contract/notes/noteIds.ts';
import type { Note, NoteKind } from '../../src/contract/task.ts';
import { type EditingHost, startEditing } from '../helpers/editingHost.ts';

const text = 'From $49 a month, since 2014.';
const source = `<!doctype html>\n<html lang="en">\n<title>A</title>\n<body>\n<main>\n<h1>Web design</h1>\n<p>${text}</p>\n<p>Rated 4.9 out of 5</p>\n<p>Stays.</p>\n</main>\n</body>\n</html>\n`;
const note = (kind: NoteKind, value: string): Note => ({
  page: '/a',
  kind,
  value,
  text: `/a: the ${kind} "${value}" is still the one of the template`,
});
const [price, date, rating, unused] = [
  note('price', '$49'),
  note('date', '2014'),
  note('rating', '4.9'),
  note('unused', 'Open on Sundays'),
];

describe('notes in the editor', () => {
  let editing: EditingHost;
  let taskId: string;
  let Cookie: string;
  before(async () => (editing = await startEditing()));
  after(() => editing.close());
  beforeEach(async () => {
    taskId = await editing.completeTask({ '/a': source });
    const task = editing.tasks.get(taskId)!;
    if (task.finished?.status === 'completed')
      task.finished.output.notes = [price, date, rating, unused];
    Cookie = await editing.signIn('member');
  });

  const ask = async (method: string, path: string, body?: object) => {
    const { status, json, text } = await editing.api.request(
      method,
      `/edit/${taskId}/${path}?slug=/a`,
      {
        headers: {
          Origin: editing.origin(),
          Cookie,
          ...(body && { 'Content-Type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      },
    );
    return { status, page: json as unknown as OfferedPage, text };
  };
  const open = async () => (await ask('GET', '.page')).page;
  const states = (page: OfferedPage) =>
    Object.fromEntries(page.notes.map(({ text, state }) => [text.slice(8, 12), state]));
  const write = async (from: string, to: string) => {
    const page = await open();
    const at = page.texts.find(({ texts }) => texts[0] === from)!;
    return (await ask('PUT', '.page', { digest: page.digest, texts: { [at.id]: [to] } })).page;
  };

  it('are resolved by an edit that removes their value, with the person, and reopened when the edit is undone', async () => {
    const edited = await write(text, 'From $39 a month, since 2014.');
    expect(states(edited)).to.deep.equal({
      pric: 'done',
      date: 'open',
      rati: 'open',
      unus: 'open',
    });
    expect(edited.notes[0]!.by).to.be.a('string');
    expect(states(await open())).to.deep.equal(states(edited));
    expect(states(await write('From $39 a month, since 2014.', text))).to.include({ pric: 'open' });
  });

  it('are removed at once, and reopened when the block is put back', async () => {
    const { digest, notes } = await open();
    const { status, page } = await ask('PUT', '.page', { digest, drop: [notes[2]!.id] });
    expect(status).to.equal(200);
    expect(page.source).to.equal(source.replace('<p>Rated 4.9 out of 5</p>\n', ''));
    expect(states(page)).to.deep.equal({
      pric: 'open',
      date: 'open',
      rati: 'dropped',
      unus: 'open',
    });
    const back = await ask('PUT', '.page', { digest: page.digest, source });
    expect(states(back.page)).to.include({ rati: 'open' });
  });

  it("are not removed from a page that has changed since, nor if they can't be removed automatically", async () => {
    const { digest, notes } = await open();
    await write('Stays.', 'Changed.');
    expect((await ask('PUT', '.page', { digest, drop: [notes[2]!.id] })).status).to.equal(412);
    const now = await open();
    expect((await ask('PUT', '.page', { digest: now.digest, drop: ['x'] })).status).to.equal(404);
    expect(
      (await ask('PUT', '.page', { digest: now.digest, drop: [unused].map(noteIdOf) })).status,
    ).to.equal(409);
  });
});
