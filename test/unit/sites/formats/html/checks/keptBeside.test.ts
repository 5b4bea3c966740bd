import { expect } from 'chai';
import { calls } from '../../../../../../src/sites/pages/pagesCalls.ts';

/** What is noted of a page's old texts after a change, and of a new page made from it. */
function notesOn(before: string, after: string): string[] {
  const page = (content: string) =>
    `<!doctype html><html lang="en"><head><title>A</title></head><body><main><h1>A</h1>${content}</main></body></html>`;
  const check = (path: string) =>
    calls.check({
      path,
      before: { path: 'a.html', source: page(before) },
      after: page(after),
      sitePaths: ['a.html'],
      newLinks: false,
    }).beside;
  const [edited, created] = [check('a.html'), check('b.html')];
  expect(edited).to.deep.equal(created);
  const path = 'a.html';
  // a commit that was made before an interruption is compared without the check
  expect(calls.sideEffects({ path, source: page(after) }, page(before)).beside).to.deep.equal(
    edited,
  );
  return edited.map(({ says }) => says);
}

const counter = (number: string, text: string) =>
  `<section><div data-target="${number}">${text}</div><p>Clients</p></section>`;
describe('what stays beside a new text', () => {
  it('is noted for the number of a counter', () => {
    expect(notesOn(counter('5234', '38'), counter('5234', '120'))).to.deep.equal([
      `the page's code still has the number "5234" for the text "120", and may show it in its place`,
    ]);
    expect(notesOn(counter('90', '90+'), counter('90', 'Many'))).to.have.length(1);
  });

  it('is noted for an empty counter beside a new text', () => {
    const empty = (text: string, number = '5234') =>
      `<section><div data-target="${number}"></div><p>${text}</p></section>`;
    expect(notesOn(empty('Happy clients'), empty('Loaves a day'))).to.deep.equal([
      `the page's code still has the number "5234" for the text "Loaves a day", and may show it in its place`,
    ]);
    expect(notesOn(empty('Happy clients'), empty('Loaves a day', '900'))).to.deep.equal([]);
    expect(notesOn(empty('Happy clients'), empty('Happy clients'))).to.deep.equal([]);
  });

  it('is not noted for a counter that follows, and for one that nobody changed', () => {
    expect(notesOn(counter('5234', '38'), counter('120', '120'))).to.deep.equal([]);
    expect(notesOn(counter('5234', '38'), counter('5234', '38'))).to.deep.equal([]);
    expect(notesOn(counter('90', '90+'), counter('90', '90 of them'))).to.deep.equal([]);
    expect(notesOn(counter('90', '90+'), '')).to.deep.equal([]);
    const bars = '<div><p data-share="15">15%</p></div><div><p data-share="15">30%</p></div>';
    expect(notesOn(bars, bars)).to.deep.equal([]);
  });
});
