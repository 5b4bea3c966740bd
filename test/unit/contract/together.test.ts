import { expect } from 'chai';
import fc from 'fast-check';
import { apart, notesApart, notesTogether, together } from '../../../src/contract/together.ts';
import { type Note, noteKinds, noteOn, type WrittenPage } from '../../../src/contract/task.ts';

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

describe('pages that are kept together', () => {
  const slugs = Array.from({ length: 10 }, (_, n) => `/locations/town-${n}`);
  const noted = (slug: string): WrittenPage => ({
    texts: { s1: `Web design in ${slug}` },
    groups: { g1: 3 },
    lang: 'de',
    notes: [
      noteOn(slug, 'price', 'the price is the template\'s: "$4,800"', { slot: 's2', value: '$4,800' }),
      noteOn(slug, 'case-study', `the case study "A bakery that sells out online first" is the template's`),
    ],
  });

  it('come apart as they were, each shared note written down once', () => {
    const pages = slugs.map(noted);
    const kept = together(slugs, pages);
    expect(apart(slugs, kept)).to.deep.equal(pages);
    expect(kept.notes).to.have.length(2);
    expect(bytesOf(kept)).to.be.lessThan(bytesOf(pages) / 2);
  });

  it('may lack some, and have notes on none or another page', () => {
    const other: Note = { page: '/a', kind: 'link', text: '/a: links' };
    const none: Note = { kind: 'held', text: '/b: is about no page' };
    const pages = [null, { texts: {}, notes: [other, none, other] }];
    expect(apart(['/a', '/b'], together(['/a', '/b'], pages))).to.deep.equal(pages);
  });

  it('come apart as they were, whatever stands in them', () => {
    const text = fc.oneof(fc.constantFrom('/a', '/a: ', '', '/b: x'), fc.string());
    const note = fc.record(
      { page: text, kind: fc.constantFrom(...noteKinds), text, slot: text, value: text },
      { requiredKeys: ['kind', 'text'], noNullPrototype: true },
    );
    const page = fc.record({ texts: fc.dictionary(text, text, { noNullPrototype: true }), notes: fc.array(note) });
    const pages = fc.array(fc.option(page), { maxLength: 4 });
    fc.assert(
      fc.property(pages, (written) => {
        const names = written.map((_, i) => ['/a', '/b', '', '/a: '][i]!);
        const read = JSON.parse(JSON.stringify(together(names, written))) as never;
        expect(apart(names, read)).to.deep.equal(written);
      }),
      { numRuns: 100 },
    );
  });
});

describe('notes that are kept together', () => {
  const slugs = Array.from({ length: 10 }, (_, n) => `/locations/town-${n}`);
  const says = [
    "the price is the template's",
    "the map is the template's",
    'the context says nothing of "Opening hours"',
  ];

  it('come apart as they were, each of ten pages written down once', () => {
    const notes = slugs.flatMap((slug) => says.map((text) => noteOn(slug, 'price', text, { slot: 's2' })));
    const kept = notesTogether(notes);
    expect(notesApart(kept)).to.deep.equal(notes);
    expect(kept.notes).to.have.length(says.length);
    expect(bytesOf(kept)).to.be.lessThan(bytesOf(notes) / 4);
    expect(notesApart(notesTogether([]))).to.deep.equal([]);
  });

  it('keep their order and every field, whatever stands in them', () => {
    const text = fc.oneof(fc.constantFrom('/a', '/a: ', '', ': ', '/b: x', '/a: x'), fc.string());
    const note = fc.record(
      { page: text, kind: fc.constantFrom(...noteKinds), text, slot: text, value: text },
      { requiredKeys: ['kind', 'text'], noNullPrototype: true },
    );
    fc.assert(
      fc.property(fc.array(note), (notes) => {
        const read = JSON.parse(JSON.stringify(notesTogether(notes))) as never;
        expect(notesApart(read)).to.deep.equal(notes);
      }),
      { numRuns: 100 },
    );
  });
});
