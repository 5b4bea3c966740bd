import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { checkQuery } from '../../src/api/middleware/validate.ts';
import { batchQuery } from '../../src/api/routes/batches/batches.schema.ts';
import { batchStatuses, rowStates } from '../../src/contract/batches/batch.ts';
import { presentEvents } from '../../src/api/routes/tasks/taskEvents.present.ts';
import { taskListQuery } from '../../src/api/routes/tasks/taskLists.schema.ts';
import { sitePagesQuery, slugCursor } from '../../src/api/routes/sites/sites.schema.ts';
import { exampleStreams as ofDocument } from '../../src/api/openapi/exampleStreams.ts';
import { encodeEvent, encodeRetry } from '../../src/api/eventStream.ts';
import { noteKinds, type TaskEvent } from '../../src/contract/task.ts';
import { inParts, readSentBatch } from '../helpers/batches.ts';
import { document, problemsOf, schemaProblems } from '../helpers/openapi.ts';
import { eventsIn, shownStreams } from '../helpers/streams.ts';
import { shown as shownAbout } from '../helpers/about.ts';

const guide = readFileSync(join(import.meta.dirname, '../../docs/api.md'), 'utf8');
const examples = [
  ...guide.matchAll(/```sh\n((?:(?!```)[\s\S])*)```\n```(json|text)\n([\s\S]*?)```/g),
].map(([, command, language, reply]) => {
  const url = new URL(/https?:\/\/[^\s']+/.exec(command!)![0]);
  return {
    command: command!,
    url,
    path: url.pathname.replace('/api/v1', ''),
    language: language!,
    reply: reply!,
  };
});
const headers = {
  'x-request-id': 'a',
  'ratelimit-policy': '"read";q=600;w=60',
  ratelimit: '"read";r=599;t=60',
};

const optionsOf = (schema: typeof batchQuery) =>
  Object.keys((schema.describe() as { keys: object }).keys);

describe('docs/api.md', () => {
  it('explains every kind of note', () => {
    const table = guide.split('| `kind` |')[1]!.split('\n\n')[0]!;
    const named = [...table.matchAll(/^\| (`[^|]*)/gm)].flatMap(
      ([, names]) => names!.match(/[a-z-]+/g) ?? [],
    );
    expect(named).to.have.members([...noteKinds]);
  });

  it('shows a request for each kind of reading', () => {
    expect(examples.map(({ path }) => path.replace(/bg-\w+|[\da-f-]{36}/, '{id}'))).to.deep.equal([
      '/agent/tasks',
      '/agent/tasks/{id}/events',
      '/agent/tasks/{id}/diff',
      '/sites/{id}/pages',
    ]);
    for (const { command } of examples)
      expect(command).to.match(/-H 'Authorization: Bearer ak_\w{46}'/);
  });

  for (const { url, path, language, reply } of examples)
    it(`shows a reply of ${path} that the OpenAPI document allows`, () => {
      const type = language === 'json' ? 'application/json' : 'text/event-stream';
      const exchange = {
        method: 'GET',
        path: url.pathname,
        query: [...url.searchParams.keys()],
        status: 200,
      };
      const answer = {
        headers: { ...headers, 'content-type': type },
        ...(language === 'json' && { body: reply }),
      };
      expect(problemsOf({ ...exchange, ...answer })).to.deep.equal([]);
    });

  it('shows queries that the service accepts', () => {
    const queryOf = (path: string) =>
      Object.fromEntries(examples.find((it) => it.path.endsWith(path))!.url.searchParams);
    expect(taskListQuery.validate(queryOf('/agent/tasks')).error).to.equal(undefined);
    expect(sitePagesQuery.validate(queryOf('/pages')).error).to.equal(undefined);
    const { nextCursor, pages } = JSON.parse(examples[3]!.reply) as {
      nextCursor: string;
      pages: { slug: string }[];
    };
    expect(nextCursor).to.equal(slugCursor.at(pages.at(-1)!.slug));
  });

  describe('the batches in docs/api.md', () => {
    const text = guide.split('\n## Batches\n')[1]!.split('\n## ')[0]!;

    it('are requested with a table and options that the service accepts', async () => {
      const [, csv, query] = /printf '(.*?)' [\s\S]*\/agent\/batches\?(.*?)"/.exec(text)!;
      const given = new URLSearchParams(query!.replace('$SITE_ID', randomUUID()));
      const options = checkQuery(batchQuery, Object.fromEntries(given));
      const bytes = Buffer.from(csv!.replaceAll('\\n', '\n'));
      const { rows } = await readSentBatch({ parts: inParts(bytes), options });
      expect(rows).to.deep.equal([
        {
          number: 1,
          targetPageSlug: '/locations/faro',
          templatePageSlug: '/locations/austin',
          context: 'City: Faro\nHeadline: Web design in Faro',
        },
      ]);
    });

    it('have all statuses, states of rows, commands and options', () => {
      const commands = Object.keys(document.paths).flatMap(
        (path) => /\{batchId\}(\/\w+)$/.exec(path)?.[1] ?? [],
      );
      const names = [...batchStatuses, ...rowStates, ...commands, ...optionsOf(batchQuery)];
      for (const name of names.filter((each) => each !== '/rows' && each !== 'siteId'))
        expect(text, name).to.match(new RegExp(`\`${name}[\`=]`));
    });
  });

  describe('the streams in docs/api.md', () => {
    const { completed, failed } = shownStreams();

    for (const shown of [completed, failed])
      it(`are written as they are sent: ${eventsIn(shown).length} events`, () => {
        const told = eventsIn(shown).slice(0, -1);
        const view = eventsIn(shown).at(-1)!.data as never;
        const events = told.map(({ id, event, data: { at, ...more } }) => ({
          id,
          at,
          ...fieldsOf(event, more),
        }));
        const sent = presentEvents({ view, events: events as TaskEvent[] });
        expect(shown).to.equal([encodeRetry(2_000), ...sent.map(encodeEvent)].join(''));
      });

    it('end with a status view', () => {
      for (const shown of [completed, failed]) {
        const { event, data } = eventsIn(shown).at(-1)!;
        expect([
          event,
          schemaProblems(['components', 'schemas', 'TaskView'], {
            ...(data as object),
            ...shownAbout,
          }),
        ]).to.deep.equal(['done', '']);
      }
    });

    it('match the OpenAPI document', () => {
      expect(Object.values(ofDocument)).to.deep.equal([completed, failed]);
    });
  });
});

/** What an event of the workflow has beside its id and time. */
function fieldsOf(type: string, data: object): object {
  if (type === 'progress') return { type, progress: data };
  return type === 'page' ? { type, page: data } : { type, ...data };
}
