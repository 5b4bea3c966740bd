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
      sitePaths: ['a.html', 'ann.jpg', 'bob.jpg', 'brand.jpg'],
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
const card = (file: string, name: string, about = 'Founder') =>
  `<div class="card"><img src="${file}" alt=""><h3>${name}</h3><p>${about}</p></div>`;
const team = (...cards: string[]) => `<section><h2>Our team</h2>${cards.join('')}</section>`;

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

  it('is noted for the portrait of another person', () => {
    const [before, after] = [
      team(card('ann.jpg', 'Ann Lee'), card('bob.jpg', 'Bob Ray')),
      team(card('ann.jpg', 'Maria Silva'), card('bob.jpg', 'Bob Ray')),
    ];
    expect(notesOn(before, after)).to.deep.equal([
      'the picture of "Ann Lee" is now beside the name "Maria Silva": it may need another picture',
    ]);
    const quote = (name: string) =>
      `<div class="testimonial"><p>“Good.”</p><img src="ann.jpg" alt="${name}"><div>${name}<span>CEO</span></div></div>`;
    expect(notesOn(quote('Ann Lee'), quote('Tom Ato'))).to.have.length(1);
  });

  it('is noted for a portrait in the background of an element', () => {
    const person = (name: string) =>
      team(
        `<div><div class="face" style="background: url('ann.jpg')"></div><h3>${name}</h3></div>`,
      );
    expect(notesOn(person('Ann Lee'), person('Maria Silva'))).to.deep.equal([
      'the picture of "Ann Lee" is now beside the name "Maria Silva": it may need another picture',
    ]);
  });

  it('is not noted for another picture, another spelling of a name, and pictures of things', () => {
    const one = team(card('ann.jpg', 'Ann Lee'));
    expect(notesOn(one, team(card('bob.jpg', 'Maria Silva')))).to.deep.equal([]);
    expect(notesOn(one, team(card('ann.jpg', 'Ann Lee-Ray')))).to.deep.equal([]);
    expect(notesOn(one, team(card('ann.jpg', 'Ann Lee', 'Owner')))).to.deep.equal([]);
    const services = (name: string) =>
      `<section><h2>Services</h2>${card('brand.jpg', name, 'From $10')}</section>`;
    expect(notesOn(services('Web Design'), services('Brand Identity'))).to.deep.equal([]);
  });
});
