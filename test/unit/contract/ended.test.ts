import { expect } from 'chai';
import {
  type OutcomeWithEvents,
  unpackOutcome,
  isPartialOutcome,
  outcomeMemo,
  packOutcome,
} from '../../../src/contract/outcome.ts';
import { createPageNote, type Page } from '../../../src/contract/task.ts';

const at = '2026-01-02T03:04:05.678Z';
const result = {
  taskId: `bg-${'a'.repeat(22)}`,
  base: 'b'.repeat(40),
  commit: 'c'.repeat(40),
  root: 'b'.repeat(40),
};
const bytesOf = (value: object) => Buffer.byteLength(JSON.stringify(value));

function completed(count: number, slug = (n: number) => `/page-${n}`): OutcomeWithEvents {
  const pagesModified = Array.from({ length: count }, (_, n): Page => {
    const url = `http://preview.localhost${encodeURI(slug(n))}`;
    return { slug: slug(n), previewUrl: url, editUrl: url, publishedUrl: null };
  });
  const output = { pagesCreated: [], pagesModified, pagesDeleted: [] };
  const events = [{ id: 1, at, type: 'status', status: 'running' } as const];
  return { status: 'completed', output, finishedAt: at, result, published: true, events };
}

describe('outcomeMemo(ended, there)', () => {
  it('has the whole end of a task if it is small', () => {
    const { events, ...finished } = completed(20);
    expect(outcomeMemo({ ...finished, events })).to.deep.equal({ finished, events });
  });

  it('has status, time, result and slugs of a larger end', () => {
    const { finished, events } = outcomeMemo(completed(400));
    const modified = Array.from({ length: 400 }, (_, n) => `/page-${n}`);
    const slugs = { created: [], modified, deleted: [] };
    const part = { isPart: true, status: 'completed', finishedAt: at, result, published: true };
    expect([finished, events]).to.deep.equal([{ ...part, slugs }, undefined]);
    const long = outcomeMemo(completed(500, (n) => `/${'ü'.repeat(190)}${n}`)).finished;
    expect(long, 'where the slugs are too long').to.deep.equal(part);
    expect(
      [completed(1), finished, long].map((end) => 'isPart' in end && isPartialOutcome(end)),
    ).to.deep.equal([false, true, true]);
  });

  it('leaves a long message, and many events, to the workflow', () => {
    const [{ events }, finishedAt] = [completed(1), at];
    const part = { finished: { isPart: true, status: 'failed', finishedAt } };
    expect(
      outcomeMemo({ status: 'failed', errorMessage: 'é'.repeat(15_000), finishedAt, events }),
    ).to.deep.equal(part);
    const many = Array.from({ length: 400 }, (_, n) => ({ ...events[0]!, id: n + 1 }));
    expect(
      outcomeMemo({ status: 'failed', errorMessage: 'No', finishedAt, events: many }),
    ).to.deep.equal(part);
  });

  it('stays under 24 KB with everything that is added later, whatever the size', () => {
    const there = {
      callbackUrl: `https://example.com/${'é'.repeat(2_000)}`,
      bodyHash: 'f'.repeat(64),
      createdAt: at,
    };
    const attempts = [1, 2, 3, 4].map(() => ({ at, status: 500, error: 'e'.repeat(300) }));
    for (let count = 1; count <= 500; count = Math.ceil(count * 1.1)) {
      const memo = {
        ...there,
        ...outcomeMemo(completed(count), there),
        callback: { state: 'failed', attempts },
      };
      expect(bytesOf(memo), `${count} pages`).to.be.below(24 * 1024 - 500);
    }
  });
});

describe('packOutcome(ended)', () => {
  const withNotes = (slugs: string[]): OutcomeWithEvents => {
    const end = completed(1);
    if (end.status === 'failed') throw new Error('It has failed');
    const notes = slugs.flatMap((slug) => [
      createPageNote(slug, 'price', 'the price is still the one of the template'),
      createPageNote(slug, 'contact', 'the map stays'),
    ]);
    return { ...end, output: { ...end.output, notes, summary: 'Done' } };
  };
  const failed: OutcomeWithEvents = {
    status: 'failed',
    errorMessage: 'No',
    finishedAt: at,
    events: [],
  };
  const ends = {
    'of ten pages': withNotes(Array.from({ length: 10 }, (_, n) => `/page-${n}`)),
    'without notes': completed(2),
    failed,
  };

  for (const [name, end] of Object.entries(ends))
    it(`returns the whole end of a task (${name})`, () => {
      const read = JSON.parse(JSON.stringify(packOutcome(end))) as never;
      expect(unpackOutcome(read)).to.deep.equal(end);
    });

  it('returns each note once', () => {
    const end = ends['of ten pages'];
    expect(JSON.stringify(packOutcome(end)).split('the map stays')).to.have.length(2);
    expect(packOutcome(end)).to.not.have.nested.property('output.notes');
  });
});
