import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { presentEvents } from '../../src/api/routes/taskEvents.present.ts';
import { taskListQuery } from '../../src/api/routes/taskLists.schema.ts';
import { cursorAt, sitePagesQuery } from '../../src/api/routes/sites.schema.ts';
import { encodeEvent, encodeRetry } from '../../src/api/eventStream.ts';
import { Story } from '../helpers/story.ts';
import { problemsOf } from '../helpers/openapi.ts';

const guide = readFileSync(join(import.meta.dirname, '../../docs/api.md'), 'utf8');
const examples = [...guide.matchAll(/```sh\n([\s\S]*?)```\n```(json|text)\n([\s\S]*?)```/g)].map(
  ([, command, language, reply]) => {
    const url = new URL(/https?:\/\/[^\s']+/.exec(command!)![0]);
    return { command: command!, url, path: url.pathname.replace('/api/v1', ''), language: language!, reply: reply! };
  },
);
const headers = { 'x-request-id': 'a', 'ratelimit-policy': '"read";q=600;w=60', ratelimit: '"read";r=599;t=60' };

describe('docs/api.md', () => {
  it('shows a request for each kind of reading', () => {
    expect(examples.map(({ path }) => path.replace(/bg-\w+|[\da-f-]{36}/, '{id}'))).to.deep.equal([
      ...['/agent/tasks', '/agent/tasks/{id}/events', '/agent/tasks/{id}/diff', '/sites/{id}/pages'],
    ]);
    for (const { command } of examples) expect(command).to.match(/-H 'Authorization: Bearer ak_\w{46}'/);
  });

  for (const { url, path, language, reply } of examples)
    it(`its reply of ${path} is one that the OpenAPI document knows`, () => {
      const type = language === 'json' ? 'application/json' : 'text/event-stream';
      const exchange = { method: 'GET', path: url.pathname, query: [...url.searchParams.keys()], status: 200 };
      const answer = { headers: { ...headers, 'content-type': type }, ...(language === 'json' && { body: reply }) };
      expect(problemsOf({ ...exchange, ...answer })).to.deep.equal([]);
    });

  it('its queries are ones that are accepted', () => {
    const queryOf = (path: string) =>
      Object.fromEntries(examples.find((it) => it.path.endsWith(path))!.url.searchParams);
    expect(taskListQuery.validate(queryOf('/agent/tasks')).error).to.equal(undefined);
    expect(sitePagesQuery.validate(queryOf('/pages')).error).to.equal(undefined);
    const { nextCursor, pages } = JSON.parse(examples[3]!.reply) as { nextCursor: string; pages: { slug: string }[] };
    expect(nextCursor).to.equal(cursorAt(pages.at(-1)!.slug));
  });

  it('its events are written as they are sent', () => {
    const shown = examples[1]!.reply;
    const [, id] = /(bg-\w+)/.exec(shown)!;
    const story = new Story('organization', id!);
    story.tell({ type: 'progress', steps: 1 });
    story.tell({ type: 'page', slug: '/locations/lisbon' });
    story.finish();
    const sent = presentEvents({ view: story.view, events: story.events });
    const keys = (text: string) => text.replace(/"(at|phase|previewUrl|editUrl)":(null|"[^"]*")/g, '"$1"');
    const withoutProgress = (text: string) => keys(text).replace(/,"(pages|steps)":(\{.*?\}|\d+)/, '');
    expect(withoutProgress(shown)).to.equal(withoutProgress([encodeRetry(2_000), ...sent.map(encodeEvent)].join('')));
  });
});
