import { expect } from 'chai';
import fc from 'fast-check';
import {
  unpackNotes,
  packNotes,
  packPage,
  unpackPage,
} from '../../../src/contract/notes/packNotes.ts';
import { noteKinds, createPageNote } from '../../../src/contract/task.ts';
import { casesOf } from '../../helpers/cases.ts';

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

describe('packed notes', () => {
  const slugs = Array.from({ length: 10 }, (_, n) => `/locations/town-${n}`);
  const says = [
    'the price is still the one of the template',
    'the map is still the one of the template',
    'the context says nothing of "Opening hours"',
  ];

  it('are unpacked unchanged, with each of ten pages written down once', () => {
    const notes = slugs.flatMap((slug) =>
      says.map((text) => createPageNote(slug, 'price', text, { slot: 's2' })),
    );
    const kept = packNotes(notes);
    expect(unpackNotes(kept)).to.deep.equal(notes);
    expect(kept.notes).to.have.length(says.length);
    expect(bytesOf(kept)).to.be.lessThan(bytesOf(notes) / 4);
    expect(unpackNotes(packNotes([]))).to.deep.equal([]);
  });

  it('of one page name the page once, and get it back when they are unpacked', () => {
    const [slug] = slugs as [string];
    const page = {
      texts: { s1: 'x' },
      notes: says.map((text) => createPageNote(slug, 'price', text)),
    };
    const packed = packPage(page);
    expect(JSON.stringify(packed).split(slug)).to.have.length(2);
    expect(unpackPage(packed)).to.deep.equal(page);
    expect(unpackPage(packPage({ texts: {}, notes: [] }))).to.deep.equal({ texts: {} });
  });

  it('keep their order and every field, whatever they contain', () => {
    const text = fc.oneof(fc.constantFrom('/a', '/a: ', '', ': ', '/b: x', '/a: x'), fc.string());
    const note = fc.record(
      { page: text, kind: fc.constantFrom(...noteKinds), text, slot: text, value: text },
      { requiredKeys: ['kind', 'text'], noNullPrototype: true },
    );
    fc.assert(
      fc.property(fc.array(note), (notes) => {
        const read = JSON.parse(JSON.stringify(packNotes(notes))) as never;
        expect(unpackNotes(read)).to.deep.equal(notes);
      }),
      { numRuns: casesOf(100) },
    );
  });
});
