import { expect } from 'chai';
import { noteIdOf } from '../../src/contract/notes/noteIds.ts';
import type { NoteStates } from '../../src/contract/notes/noteStates.ts';
import type { Note, TaskOutput } from '../../src/contract/task.ts';
import { DomainError } from '../../src/errors.ts';
import type { FactRemovalRequest } from '../../src/editor/removeFacts.ts';
import type { TaskRecord } from '../../src/temporal/tasks/taskService.ts';
import { noEditing } from '../helpers/editing.ts';
import { publicationOf } from '../helpers/deployed.ts';
import {
  bearer,
  createdAt,
  failingTasks,
  keys,
  noNoteStates,
  organizationId,
  publicationsIn,
  startApi,
  taskId,
  type TestApi,
} from '../helpers/api.ts';

const idOf = (letters: string) => `bg-${letters.repeat(11)}`;
const [second, newTaskId] = ['b2', 'f6'].map(idOf) as [string, string];
const commit = (letter: string) => letter.repeat(40);
const date: Note = {
  page: '/a',
  kind: 'date',
  slots: ['s3', 's9'],
  text: '/a: the dates',
  value: '2014; May 1',
  values: ['2014', 'May 1'],
};
const story: Note = {
  page: '/a',
  kind: 'quote',
  slot: 's7',
  text: '/a: the case study',
  value: 'The bakery',
};
const storyOfB: Note = { ...story, page: '/b', text: '/b: the case study' };
const link: Note = { page: '/a', kind: 'part', text: '/a: a link leads nowhere', value: '#x' };

describe('notes of a task', () => {
  let api: TestApi;
  let records: TaskRecord[];
  let states: NoteStates;
  let publishers: Record<string, string[]>;
  const removals: FactRemovalRequest[] = [];

  const outputOf = (notes: Note[]): TaskOutput => ({
    pagesCreated: [
      { slug: '/a', previewUrl: null, editUrl: null, publishedUrl: null, externalId: 'row-1' },
    ],
    pagesModified: [],
    pagesDeleted: [],
    notes,
  });
  const recordOf = (id: string, notes: Note[], more: Partial<TaskRecord> = {}): TaskRecord => ({
    taskId: id,
    organizationId,
    siteId: api.site.siteId,
    type: 'generate_pages',
    status: 'completed',
    publish: false,
    createdAt,
    hasCallback: false,
    title: 'A table',
    createdBy: { keyId: keys.member },
    finished: {
      status: 'completed',
      output: outputOf(notes),
      finishedAt: createdAt,
      result: { taskId: id, base: commit('b'), commit: commit(id[3]!), root: commit('b') },
    },
    ...more,
  });

  before(async () => {
    api = await startApi({
      noteStates: {
        of: (id) => states.of(id),
        set: (all) => states.set(all),
        reopen: (all) => states.reopen(all),
      },
      deployments: {
        preview: (id) => Promise.resolve({ commit: commit(id[3]!), retainedBy: id, isShown: true }),
        knownPreview: (id) =>
          Promise.resolve({ commit: commit(id[3]!), retainedBy: id, isShown: true }),
      },
      publications: publicationsIn(
        (ids) => new Map(ids.filter((id) => publishers[id]).map((id) => [id, publicationOf()])),
      ),
      tasks: {
        ...failingTasks(new Error('not asked for')),
        find(organization, asked) {
          const found = records.find(
            (task) => task.taskId === asked && organization === organizationId,
          );
          return found
            ? Promise.resolve(found)
            : Promise.reject(new DomainError('NOT_FOUND', 'Task not found'));
        },
        read(organization, asked) {
          const found = records.find(
            (task) => task.taskId === asked && organization === organizationId,
          );
          if (found?.finished?.status !== 'completed')
            return Promise.reject(new DomainError('NOT_FOUND', 'Task not found'));
          return Promise.resolve({
            taskId: asked,
            status: 'completed',
            output: found.finished.output,
            about: found,
          });
        },
        list: () => Promise.resolve({ tasks: [], nextCursor: null }),
      },
      editing: {
        ...noEditing(),
        editor: {
          ...noEditing().editor,
          removeFacts(_, request) {
            removals.push(request);
            return Promise.resolve({
              commit: null,
              removed: [],
              gone: request.notes,
              remaining: [],
              sentences: [],
            });
          },
        },
      },
    });
  });
  after(() => api.close());
  beforeEach(() => {
    removals.length = 0;
    publishers = {};
    states = noNoteStates();
    records = [recordOf(taskId, [date, story, link]), recordOf(second, [storyOfB])];
  });

  const unfinished = (record: TaskRecord): TaskRecord => {
    const running: TaskRecord = { ...record, status: 'running' };
    delete running.finished;
    return running;
  };

  const ask = async (
    method: string,
    path: string,
    body?: object,
    given: object = bearer(keys.member),
  ) => {
    const headers = { ...(body && { 'Content-Type': 'application/json' }), ...given };
    const { status, json } = await api.request(method, `/api/v1/agent/tasks/${path}`, {
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status, json };
  };
  const outputNow = async (id = taskId) =>
    (await ask('GET', id)).json['output'] as Record<string, unknown>;
  const settle = (note: Note, state: string, id = taskId) =>
    ask('PATCH', `${id}/notes`, { state, notes: [noteIdOf(note)] });
  const drop = (body: object) => ask('POST', `${taskId}/notes/drop`, body);

  describe('PATCH …/notes', () => {
    it('resolves a note with the person, so that it is no longer a warning, and reopens it', async () => {
      const { status, json } = await settle(date, 'done');
      const [{ state, by }] = json['notes'] as [{ state: string; by: unknown }];
      expect([status, state, by]).to.deep.equal([200, 'done', { keyId: keys.member, name: null }]);
      const output = await outputNow();
      expect(output['warnings']).to.deep.equal([story.text, link.text]);
      expect((output['notes'] as { state: string }[]).map(({ state }) => state)).to.deep.equal([
        'done',
        'open',
        'open',
      ]);
      await settle(date, 'open');
      expect((await outputNow())['warnings']).to.have.length(3);
    });

    it('leaves out changes that the request asked for: they are removed, and never open', async () => {
      const removed: Note = { page: '/a', kind: 'requested', text: '/a: parts were removed' };
      records = [recordOf(taskId, [link, removed])];
      const statesNow = async () =>
        ((await outputNow())['notes'] as { state: string }[]).map(({ state }) => state);
      expect(await statesNow()).to.deep.equal(['open', 'dropped']);
      expect((await outputNow())['warnings']).to.deep.equal([link.text]);
      await ask('PATCH', `${taskId}/notes`, { state: 'done', page: '/a' });
      expect(await statesNow()).to.deep.equal(['done', 'dropped']);
      await settle(removed, 'open');
      expect(await statesNow()).to.deep.equal(['done', 'dropped']);
    });

    it('rejects unknown notes and other states', async () => {
      expect(await ask('PATCH', `${taskId}/notes`, { state: 'done', notes: ['x'] })).to.deep.equal({
        status: 404,
        json: { error: 'Note not found' },
      });
      expect((await settle(date, 'dropped')).status).to.equal(400);
      expect((await settle(date, 'done', newTaskId)).status).to.equal(404);
      expect(
        (
          await ask(
            'PATCH',
            `${taskId}/notes`,
            { state: 'done', notes: ['x'] },
            bearer(keys.foreign),
          )
        ).status,
      ).to.equal(404);
      expect(
        (
          await ask(
            'PATCH',
            `${taskId}/notes`,
            { state: 'done', notes: ['x'] },
            bearer(keys.viewer),
          )
        ).status,
      ).to.equal(403);
      records = [unfinished(records[0]!)];
      expect((await settle(date, 'done')).status).to.equal(409);
    });
  });

  it('PATCH …/notes resolves all notes of a task, so that nothing is left to check', async () => {
    const { json } = await ask('PATCH', `${taskId}/notes`, { state: 'kept', page: '/a' });
    expect(json['notes']).to.have.length(3);
    expect(await outputNow()).to.not.have.property('warnings');
  });

  describe('POST …/notes/drop', () => {
    const removedTexts = () => removals.at(-1)!.notes.map(({ text }) => text);

    it('removes the facts of the selected notes: by slots, by kind, or by ID', async () => {
      records = [recordOf(taskId, [date, story, storyOfB, link])];
      await drop({ page: '/a', slots: ['s7'] });
      expect(removedTexts()).to.deep.equal([story.text]);
      await settle(story, 'open');
      await drop({ kind: 'quote' });
      expect(removedTexts()).to.deep.equal([story.text, storyOfB.text]);
      expect(removals.at(-1)!.allNotes).to.have.length(4);
      await drop({ notes: [noteIdOf(date)] });
      expect(removedTexts()).to.deep.equal([date.text]);
    });

    it("rejects notes that can't be removed, and notes that a person has resolved", async () => {
      await settle(story, 'kept');
      for (const [body, status] of [
        [{}, 400],
        [{ slots: ['s7'] }, 400],
        [{ kind: 'template' }, 400],
        [{ notes: [noteIdOf(link)] }, 409],
        [{ notes: [noteIdOf(story)] }, 409],
        [{ kind: 'date', page: '/z' }, 409],
      ] as const)
        expect((await drop(body)).status, JSON.stringify(body)).to.equal(status);
      records[0] = {
        ...records[0]!,
        finished: { status: 'failed', errorMessage: 'No', finishedAt: createdAt },
      };
      expect((await drop({ kind: 'date' })).status).to.equal(409);
      expect(removals).to.deep.equal([]);
    });

    it('removes notes of a base task from the result of the task on top of it only', async () => {
      records = [recordOf(taskId, [date], { baseTaskId: second }), recordOf(second, [storyOfB])];
      await drop({ kind: 'quote' });
      expect(removedTexts()).to.deep.equal([storyOfB.text]);
      const [state] = await states.of(second);
      expect(state).to.include({ state: 'dropped', droppedIn: taskId });
      expect((await drop({ kind: 'quote' })).json).to.deep.include({ version: null, removed: [] });
      expect(removedTexts(), 'it is removed already').to.deep.equal([]);
    });
  });
});
