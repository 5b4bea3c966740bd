import { expect } from 'chai';
import { staleWords } from '../../../../../../src/sites/formats/html/checks/derivedWords.ts';
import { unlinkedPage } from '../../../../../../src/sites/formats/html/checks/missingEntry.ts';
import { stalePortrait } from '../../../../../../src/sites/formats/html/checks/portraits.ts';
import {
  lostRule,
  staleFiles,
  staleTranslation,
} from '../../../../../../src/sites/formats/html/checks/subjectTraces.ts';
import { staleCounter } from '../../../../../../src/sites/formats/html/counters/staleCounters.ts';
import type { StaleDetail } from '../../../../../../src/sites/formats/pageFindings.ts';
import { pageCalls } from '../../../../../../src/sites/pages/pageCalls.ts';

/** What is noted of a page's old texts after a change, and of a new page made from it. */
function notesOn(before: string, after: string): StaleDetail[] {
  const page = (content: string) =>
    `<!doctype html><html lang="en"><head><title>A</title></head><body><main><h1>A</h1>${content}</main></body></html>`;
  const check = (path: string) =>
    pageCalls.check({
      path,
      before: { path: 'a.html', source: page(before) },
      after: page(after),
      sitePaths: ['a.html', 'ann.jpg', 'bob.jpg', 'brand.jpg'],
      mayAddLinks: false,
    }).staleDetails;
  const [edited, created] = [check('a.html'), check('b.html')];
  expect(edited).to.deep.equal(created);
  const path = 'a.html';
  // a commit that was made before an interruption is compared without the check
  expect(
    pageCalls.sideEffects({ path, source: page(after) }, page(before)).staleDetails,
  ).to.deep.equal(edited);
  return edited;
}

const counter = (number: string, text: string) =>
  `<section><div data-target="${number}">${text}</div><p>Clients</p></section>`;
const card = (file: string, name: string, about = 'Founder') =>
  `<div class="card"><img src="${file}" alt=""><h3>${name}</h3><p>${about}</p></div>`;
const team = (...cards: string[]) => `<section><h2>Our team</h2>${cards.join('')}</section>`;

describe('a part that stays beside a new text', () => {
  it('is noted for the number of a counter', () => {
    expect(notesOn(counter('5234', '38'), counter('5234', '120'))).to.deep.equal([
      staleCounter({ number: '5234', text: '120' }),
    ]);
    expect(notesOn(counter('90', '90+'), counter('90', 'Many'))).to.have.length(1);
  });

  it('is noted for an empty counter beside a new text', () => {
    const empty = (text: string, number = '5234') =>
      `<section><div data-target="${number}"></div><p>${text}</p></section>`;
    expect(notesOn(empty('Happy clients'), empty('Loaves a day'))).to.deep.equal([
      staleCounter({ number: '5234', text: 'Loaves a day' }),
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
    expect(notesOn(before, after)).to.deep.equal([stalePortrait('Ann Lee', 'Maria Silva')]);
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
      stalePortrait('Ann Lee', 'Maria Silva'),
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

  /** What is noted of a new page in another town, made from one of a town. */
  function notesInHull(
    of: (town: string) => string,
    head: (town: string) => string = () => '',
    sitePaths: string[] = [],
  ) {
    const page = (town: string, content: string) =>
      `<!doctype html><html lang="en"><head><title>Kites in ${town}</title>${head('York')}</head><body><main><h1>Kites in ${town}</h1>${content}</main></body></html>`;
    return pageCalls.check({
      path: 'en/hull.html',
      before: { path: 'en/york.html', source: page('York', of('York')) },
      after: page('Hull', of('Hull')).replace(
        '<meta name="robots" content="noindex, nofollow">',
        '',
      ),
      sitePaths,
      removed: [],
      mayAddLinks: false,
    }).staleDetails;
  }

  it('is noted once for the files that are named for the former town', () => {
    const content = (town: string) =>
      `<figure><img src="/img/york-skyline.jpg" alt="x"><figcaption>Kites over ${town}</figcaption></figure><a href="/york-menu.pdf">Menu</a><div style="background: url(/img/york.png)"></div><img src="/img/logo.png" alt="">`;
    expect(notesInHull(content)).to.deep.equal([
      staleFiles([
        ['york-skyline.jpg', 'Kites over Hull'],
        ['york-menu.pdf', 'Menu'],
        ['york.png', ''],
      ]),
    ]);
  });

  it('is noted for a photo with its photographer beside a new text', () => {
    const content = (town: string) =>
      `<figure><img src="hero.jpg" alt=""><figcaption>The river in ${town}, photo by K. Lund</figcaption></figure>`;
    expect(notesInHull(content)).to.deep.equal([
      staleFiles([['hero.jpg', 'The river in Hull, photo by K. Lund']]),
    ]);
    const staying = () =>
      '<figure><img src="hero.jpg"><figcaption>Photo: K. Lund</figcaption></figure>';
    expect(notesInHull(staying)).to.deep.equal([]);
  });

  it("is noted for a link to the former page's translation", () => {
    const alternate = () => '<link rel="alternate" hreflang="fr" href="/fr/a-york">';
    const says = staleTranslation('/fr/a-york', 'Français');
    const plain = () => '<a href="/fr/a-york">Français</a>';
    expect(notesInHull(plain, alternate)).to.deep.equal([says]);
    const marked = () => '<a lang="fr" href="/fr/a-york">Français</a> <a href="/fr/">FR</a>';
    expect(notesInHull(marked)).to.deep.equal([says]);
    const menu = () => '<select><option>EN<option value="/fr/a-york">Français</select>';
    expect(notesInHull(menu, alternate)).to.deep.equal([says]);
  });

  it('is noted for a link whose address only names another language', () => {
    expect(notesInHull(() => '<a href="/fr/york">FR</a> <a href="/fr/">All</a>')).to.deep.equal([
      staleTranslation('/fr/york', 'FR'),
    ]);
    const button = () => '<button data-href="/york">Welsh</button>';
    expect(notesInHull(button)).to.deep.equal([staleTranslation('/york', 'Welsh')]);
    const flag = () => '<a href="york.fr.html" title="Français"><img src="fr.png" alt=""></a>';
    expect(notesInHull(flag)).to.deep.equal([staleTranslation('/en/york.fr', 'Français')]);
    expect(notesInHull(() => '<a href="/shops/york">York</a>')).to.deep.equal([]);
  });

  it('is noted for words that are other forms of the name of the former town', () => {
    const note = (from: string, slug: string, content: (town: string) => string) => {
      const page = (town: string) =>
        `<!doctype html><html><head><title>${town}</title></head><body><h1>Kites in ${town}</h1>${content(town)}</body></html>`;
      const before = { path: `${slug}.html`, source: page(from) };
      const to = { path: 'hull.html', after: page('Hull') };
      return pageCalls.check({ ...to, before, sitePaths: [], mayAddLinks: false }).staleDetails;
    };
    const english = (town: string) => `<p>${town}: Austinites fly #AustinKites. Austerity.</p>`;
    expect(note('Austin', 'austin', english)).to.deep.equal(
      staleWords(['Austinites', '#AustinKites']),
    );
    const german = (town: string) => `<p>Die Münchner in ${town}, Münchens Herz. Muenchen.</p>`;
    expect(note('München', 'muenchen', german)).to.deep.equal(
      staleWords(['Münchner', 'Münchens', 'Muenchen']),
    );
    const turkish = (town: string) => `<p>IZMIR ${town}</p>`;
    expect(note('İzmir', 'izmir', turkish)).to.deep.equal(staleWords(['IZMIR']));
    expect(note('York', 'york', () => '<p>Yorkshire in New York</p>')).to.deep.equal([]);
  });

  it('is noted for a list of the other pages that does not have the former one', () => {
    const paths = ['en/york.html', 'en/hull.html', 'en/bath.html', 'en/derby.html', 'fr/york.html'];
    const others = () => '<ul><li><a href="bath.html">Bath</a><li><a href="derby">Derby</a></ul>';
    expect(notesInHull(others, undefined, paths)).to.deep.equal([unlinkedPage('/en/york')]);
    const some = [...paths, 'en/leeds.html', 'en/poole.html'];
    expect(notesInHull(others, undefined, some)).to.deep.equal([]);
    const all = () => `${others()}<a href="/en/york">York</a>`;
    expect(notesInHull(all, undefined, paths)).to.deep.equal([]);
    const one = () => '<a href="bath.html">Bath</a>';
    expect(notesInHull(one, undefined, paths)).to.deep.equal([]);
  });

  it('is noted for rules for search engines that a new page loses', () => {
    const rules = () => '<meta name="robots" content="noindex, nofollow">';
    expect(notesInHull(() => '', rules)).to.deep.equal([lostRule('robots "noindex, nofollow"')]);
  });

  it('is not noted for a page that only moves', () => {
    const source =
      '<title>York</title><h1>York</h1><img src="york.jpg"><select><option selected>York</select>';
    const before = { path: 'york.html', source };
    const move = { path: 'shop.html', before, after: source, sitePaths: [], mayAddLinks: false };
    expect(pageCalls.check(move).staleDetails).to.deep.equal([]);
  });
});
