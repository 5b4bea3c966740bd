import { expect } from 'chai';
import { lostPartNames } from '../../../../../../src/sites/formats/lostPartNames.ts';
import { pageCalls } from '../../../../../../src/sites/pages/pageCalls.ts';

const page = `<!doctype html>
<html lang="en"><head><title>A</title></head>
<body class="page"><header><p>Acme, the bakery at the end of the road</p></header>
<main id="main"><div class="wrap"><h1 class="title">Bread for the whole week</h1>
<p class="lead">We bake at night, so that you have warm bread at six in the morning.</p></div></main>
<aside class="note"><p>Closed on Monday.</p></aside></body></html>`;

const { headline, text } = lostPartNames;

/** What other style sheets, or another page, hide from readers. */
const hiddenBy = (sheet: string, { sheetBefore = '', source = page } = {}) =>
  pageCalls.findHiddenParts(
    { path: 'a.html', source, sheets: [sheet] },
    { path: 'a.html', source: page, sheets: [sheetBefore] },
  );

const hiding = [
  'body { display: none }',
  '* { visibility: hidden !important }',
  ':root { opacity: 0 }',
  'html { opacity: 4% }',
  'body { filter: opacity(0) }',
  'main { position: absolute; left: -9999px }',
  'main { text-indent: -100vw }',
  'main { transform: translateX(-200%) }',
  'main { transform: scale(0) }',
  'main { height: 0; overflow: hidden }',
  '#main { clip-path: inset(50%) }',
  '.wrap { font-size: 0 }',
  '.wrap { color: rgb(0 0 0 / 0) }',
  '.page > main .wrap { color: transparent }',
  'body:not(.open) { display: none }',
  'main[id="main"] { display: none }',
  ':is(main, aside) { display: none }',
  'header + main { display: none }',
  'body > :nth-child(2) { content-visibility: hidden }',
  '@media screen { main { display: none } }',
  '@media (max-width: 40em) { main { display: none } }',
  '@supports (display: grid) { main { display: none } }',
  ':root { --shown: none } main { display: var(--shown) }',
  '.page { main { display: none } }',
];

const harmless = [
  'main { color: red; height: 0 }',
  '.note, footer { display: none }',
  '@media (max-width: 40em) { .note { display: none } }',
  '@media print { body { display: none } }',
  'main:hover, main::before { display: none }',
  '.lead { position: absolute; left: -4px; text-indent: -1em }',
  '.wrap { opacity: 0; animation: appear 1s forwards }',
  '@keyframes appear { from { opacity: 0 } main { opacity: 0 } }',
  'nav.main { display: none }',
  'main {',
];

const attributes: [from: string, to: string, hidden: string[]][] = [
  ['<main', '<main hidden', [headline, text]],
  ['<main', '<main style="display:none"', [headline, text]],
  ['<main', '<main aria-hidden="true"', [headline, text]],
  ['<main', '<main inert', [headline, text]],
  ['class="wrap"', 'class="wrap d-none"', [headline, text]],
  ['class="title"', 'class="title visually-hidden"', [headline]],
  ['</head>', '<style>.title { display: none }</style></head>', [headline]],
  ['</head>', '<style media="print">body { display: none }</style></head>', []],
  ['class="note"', 'class="note" hidden', []],
  ['class="lead"', 'class="lead d-none d-md-block" style="color:"', [text]],
  ['<aside class="note">', '<dialog class="note">', []],
  ['<h1 class="title">', '<details><summary>More</summary><h1>', [headline]],
  ['</aside>', `</aside><p hidden>${'Cheap bread. '.repeat(40)}</p>`, []],
  ['<p class="lead">', '<p class="lead"><!--', []],
  ['<p class="lead">', '<button aria-controls="a">More</button><p id="a" class="collapse">', []],
  ['<p class="lead">', '<button>More</button><p id="a" class="collapse">', [text]],
];

describe('the hidden text of a page', () => {
  for (const sheet of hiding)
    it(`is reported for ${sheet}`, () => expect(hiddenBy(sheet)).to.deep.equal([headline, text]));

  for (const sheet of harmless)
    it(`is not reported for ${sheet}`, () => expect(hiddenBy(sheet)).to.deep.equal([]));

  for (const [from, to, hidden] of attributes)
    it(`is ${hidden.length > 0 ? '' : 'not '}reported for ${to}`, () =>
      expect(hiddenBy('', { source: page.replace(from, to) })).to.deep.equal(hidden));

  it('is not reported if it was hidden before', () =>
    expect(
      hiddenBy('main { display: none } p { color: red }', {
        sheetBefore: 'main { display: none }',
      }),
    ).to.deep.equal([]));

  it('is reported for the headline alone', () =>
    expect(hiddenBy('h1 { display: none }')).to.deep.equal([headline]));
});
