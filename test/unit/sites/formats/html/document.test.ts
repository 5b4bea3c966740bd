import { expect } from 'chai';
import { parseDocument } from '../../../../../src/sites/formats/html/document.ts';
import { groupsOf, removeMember } from './groups/members.ts';
import { findSlotPlaces } from '../../../../../src/sites/formats/html/slots/findSlotPlaces.ts';

const list = (...items: string[]) =>
  `<!doctype html><title>T</title><ul>${items.map((item) => `<li class=a>${item}</li>`).join('')}</ul>`;

describe('parseDocument', () => {
  it('parses a page once, however often it is requested', () => {
    const page = list('one', 'two', 'three');
    expect(parseDocument(page)).to.equal(parseDocument(`${page}`));
    expect(findSlotPlaces(parseDocument(page))).to.equal(findSlotPlaces(parseDocument(page)));
    expect(parseDocument(page)).not.to.equal(parseDocument(`${page} `));
  });

  it('keeps the parse errors of a page for its checks, and only the first of equal errors', () => {
    const page = parseDocument(`${list('one')}\n<p id=a id=b>&x;</p>\n<p id=c id=d></p>\0`);
    expect([...page.errors]).to.deep.equal([
      ['duplicate-attribute at <p>', { line: 2, element: '<p>' }],
      ['unknown-named-character-reference at <p>', { line: 2, element: '<p>' }],
      ['unexpected-null-character at </p>', { line: 3, element: '</p>' }],
    ]);
    expect(parseDocument(list('one')).errors).to.have.property('size', 0);
  });

  it('gives a page that was created from another one its own numbers', () => {
    const page = list('one', 'two', 'three');
    const [group] = groupsOf(page);
    const shorter = removeMember(page, group!.id, 0);
    const ids = findSlotPlaces(parseDocument(shorter)).map(({ slot }) => slot.id);
    removeMember(page, group!.id, 0);
    expect(findSlotPlaces(parseDocument(shorter)).map(({ slot }) => slot.id)).to.deep.equal(ids);
  });

  it('forgets the pages of long ago', () => {
    const first = list('first');
    const known = parseDocument(first);
    for (let i = 0; i < 5; i++) parseDocument(list(`${i}`.repeat(300_000)));
    expect(parseDocument(first)).not.to.equal(known);
  });
});
