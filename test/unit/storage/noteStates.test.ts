import { expect } from 'chai';
import { createOrganizations } from '../../../src/organizations/organizations.ts';
import { createNoteStates } from '../../../src/storage/noteStates.ts';
import { createRowChanges } from '../../../src/storage/rowChanges.ts';
import { testDatabase } from '../../helpers/database.ts';

const DAY = 86_400_000;
const at = new Date();

describe('createNoteStates(db)', () => {
  let db: Awaited<ReturnType<typeof testDatabase>>;
  let organizationId: string;
  before(async () => {
    db = await testDatabase();
    ({ organizationId } = await createOrganizations(db).create({ name: 'Notes' }));
  });
  const setting = (more: object = {}) => ({
    organizationId,
    taskId: 'bg-1',
    noteIds: ['a', 'b'],
    state: 'done' as const,
    by: { userId: 'u1' },
    at,
    ...more,
  });

  it('keeps who resolved a note and how, for the last time', async () => {
    const states = createNoteStates(db);
    expect(await states.of('bg-1')).to.deep.equal([]);
    await states.set(setting());
    await states.set(
      setting({ noteIds: ['b', 'b'], state: 'dropped', by: { keyId: 'k' }, droppedIn: 'bg-2' }),
    );
    await states.set(setting({ noteIds: ['c'], by: null, isEdit: true }));
    expect(await states.of('bg-1')).to.have.deep.members([
      { noteId: 'a', state: 'done', by: { userId: 'u1' }, at },
      { noteId: 'b', state: 'dropped', by: { keyId: 'k' }, at, droppedIn: 'bg-2' },
      { noteId: 'c', state: 'done', by: null, at, isEdit: true },
    ]);
    await states.reopen({ taskId: 'bg-1', noteIds: ['a', 'c'] });
    expect((await states.of('bg-1')).map(({ noteId }) => noteId)).to.deep.equal(['b']);
  });

  it('forgets the notes of removed tasks', async () => {
    const states = createNoteStates(db);
    await states.set(setting({ taskId: 'bg-old', at: new Date(Date.now() - 36 * DAY) }));
    await states.set(setting({ taskId: 'bg-new', noteIds: ['x'] }));
    expect(await states.of('bg-old')).to.deep.equal([]);
    expect(await states.of('bg-new')).to.have.length(1);
  });

  it('caches rows as long as it hears of changes, and sees its own changes at once', async () => {
    const changes = createRowChanges();
    changes.heardFor(60_000);
    const [states, others] = [createNoteStates(db, { changes }), createNoteStates(db)];
    await states.set(setting({ taskId: 'bg-k', noteIds: ['a'] }));
    expect(await states.of('bg-k')).to.have.length(1);
    await others.set(setting({ taskId: 'bg-k', noteIds: ['z'] }));
    expect(await states.of('bg-k')).to.have.length(1);
    changes.tell('note_states bg-k');
    expect(await states.of('bg-k')).to.have.length(2);
  });
});
