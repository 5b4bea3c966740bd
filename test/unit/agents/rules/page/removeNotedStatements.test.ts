import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import {
  remainingStatementSentence,
  removeNotedStatements,
} from '../../../../../src/agents/rules/page/removeNotedStatements.ts';
import { isDroppable, type Note, type NoteKind } from '../../../../../src/contract/task.ts';
import type { PageSource } from '../../../../../src/sites/formats/format.ts';
import { pageCalls } from '../../../../../src/sites/pages/pageCalls.ts';
import { corpus } from '../../../sites/corpus.ts';
import { makePage, pageWith } from './makePage.ts';

const austin = {
  path: 'locations/austin.html',
  source: readFileSync('src/demo/site/locations/austin.html', 'utf8'),
};
const demo = corpus[0]!;
const siblings = demo.pages;
const slug = '/locations/ottawa';
const path = 'locations/ottawa.html';

/** The page without what these notes on it are about. */
function dropFrom(source: string, notes: Note[], others: PageSource[] = []) {
  const page = { path, source };
  const { slots, digest, ...content } = pageCalls.readTemplate(page, others);
  const named = notes.map((note, i) => ({ ...note, id: `${i}` }));
  const unlocked = { ...content, slots: slots.filter(({ locked }) => !locked) };
  const { removed, ...done } = removeNotedStatements({ page: unlocked, notes: named });
  const sitePaths = [...demo.paths, path];
  const target = { slug, path };
  const after = pageCalls.create({
    template: page,
    target,
    texts: {},
    removed,
    sitePaths,
    digest,
    siblings: others,
  });
  const { violations: faults } = pageCalls.check({
    path,
    before: page,
    after,
    sitePaths,
    removed,
    mayAddLinks: false,
  });
  return { ...done, after, faults, left: named.filter(({ id }) => !done.dropped.includes(id)) };
}

const made = (context: string, facts: 'keep' | 'drop' = 'keep') => {
  const { html, written } = makePage(austin, { context, siblings, sitePaths: demo.paths, facts });
  return { html, notes: written.notes };
};
const note = (kind: NoteKind, value: string, more: Partial<Note> = {}): Note => ({
  page: slug,
  kind,
  value,
  text: `${slug}: ${kind} ${value}`,
  ...more,
});

describe('removeNotedStatements({ page, notes })', () => {
  for (const context of [
    'City: Ottawa',
    'City: Ottawa\nPhone: +1 613 555 0101\nPrice: C$6,200',
    '# Ottawa\n\nHello.',
  ])
    it(`removes from a page what "facts": "drop" leaves out of it: ${JSON.stringify(context)}`, () => {
      const { html, notes } = made(context);
      const { after, faults, left } = dropFrom(html, notes.filter(isDroppable), siblings);
      expect(faults).to.deep.equal([]);
      expect(left.map(({ text }) => text)).to.deep.equal([]);
      expect(after).to.equal(made(context, 'drop').html);
    });

  it('removes each value of a note with several values, and nothing else', () => {
    const { html, notes } = made('City: Ottawa');
    const dates = notes.filter(({ kind }) => kind === 'date');
    expect(dates[0]?.values, 'several dates in one note').to.have.length.above(1);
    const { after, left, sentences } = dropFrom(html, dates, siblings);
    expect(left).to.deep.equal([]);
    expect(after).to.not.match(/2014|January 11, 2027/);
    for (const stays of ['Calloway', '4.9', '$', 'Juniper']) expect(after, stays).to.include(stays);
    expect(sentences.join()).to.match(/^\/locations\/ottawa: .*"2014"/);
  });

  it('removes one fact of a kind if only that one is named', () => {
    const { source } = pageWith('<h2>A</h2><p>From $49.</p><p>Or $99.</p><p>Text.</p>');
    expect(dropFrom(source, [note('price', '$49')]).after)
      .to.include('<p>Or $99.</p>')
      .and.not.include('$49');
  });

  it('removes a quote whose words are cut in the note', () => {
    const quote =
      'They built it well, and in time, and we were never left alone with it for more than a day.';
    const { source } = pageWith(`<h2>A</h2><p>Text.</p><blockquote><p>${quote}</p></blockquote>`);
    const { after, left } = dropFrom(source, [note('quote', `${quote.slice(0, 59)}…`)]);
    expect(left).to.deep.equal([]);
    expect(after).to.include('<p>Text.</p>').and.not.include('blockquote');
  });

  it('keeps a fact among other texts or in a heading, and says so', () => {
    const { source } = pageWith('<h2>Since 2014</h2><p>Text.</p>');
    const { after, left, sentences } = dropFrom(source, [note('date', '2014')]);
    expect([after, left.length]).to.deep.equal([source.replaceAll('austin', 'ottawa'), 1]);
    expect(sentences).to.deep.equal([
      `${slug}: ${remainingStatementSentence({ label: 'date', text: '2014' })}`,
    ]);
  });

  it('removes a text that a model wrote, by its slot or its words', () => {
    const { source } = pageWith('<h2>A</h2><p>We won the Golden Tile.</p><p>Text.</p>');
    const { after, left } = dropFrom(source, [note('invented', 'Golden Tile')]);
    expect(left).to.deep.equal([]);
    expect(after).to.include('<p>Text.</p>').and.not.include('Golden');
  });

  it('succeeds if the page no longer states the fact', () => {
    const { source } = pageWith('<p>Text.</p>');
    expect(dropFrom(source, [note('price', '$49')])).to.deep.include({
      dropped: ['0'],
      sentences: [],
    });
  });

  it('changes no byte of a page from which nothing is removed', () => {
    const { html } = made('City: Ottawa');
    expect(dropFrom(html, [note('price', '$1')], siblings).after).to.equal(html);
  });
});
