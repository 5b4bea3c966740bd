import { expect } from 'chai';
import { lostPartNames } from '../../../../../../src/sites/formats/lostPartNames.ts';
import { pageCalls } from '../../../../../../src/sites/pages/pageCalls.ts';

const pageOf = (body: string) =>
  `<!doctype html>\n<html lang="en"><head><title>A</title></head>\n<body><h1>A</h1>${body}</body></html>`;

/** What an edit of a page's body disabled, as the check before a commit reports it. */
const lostParts = (before: string, after: string) =>
  pageCalls.sideEffects({ path: 'a/b.html', source: pageOf(after) }, pageOf(before)).setup.removed;

const field = (name: string, more = '') =>
  `<p><label>Mail <input name="${name}" type="email"${more}></label></p>`;
const form = (fields: string, attributes = ' action="/send" method="post"') =>
  `<form${attributes}>${fields}<button>Send</button></form>`;
const link = (rel: string) => `<a href="https://shop.example/a?b=c"${rel}>Shop</a>`;
const script = (code: string) => `<script>${code}</script>`;

const lost: [edit: string, before: string, after: string, part: string][] = [
  [
    'takes a mark off a link',
    link(' rel="sponsored noopener"'),
    link(' rel="noopener"'),
    lostPartNames.linkMark('sponsored', 'https://shop.example/a'),
  ],
  [
    'adds a link without the mark that the others have',
    link(' rel="NoFollow"'),
    link(' rel="nofollow"') + link(''),
    lostPartNames.linkMark('nofollow', 'https://shop.example/a'),
  ],
  ['renames a field', form(field('mail')), form(field('email')), lostPartNames.field('mail')],
  [
    'takes the name off a field',
    form(field('mail')),
    form(field('mail').replace(' name="mail"', '')),
    lostPartNames.field('mail'),
  ],
  [
    'renames one of two options',
    form('<input type="radio" name="a" value="1"><input type="radio" name="a" value="2">'),
    form('<input type="radio" name="a" value="1"><input type="radio" name="b" value="2">'),
    lostPartNames.field('a'),
  ],
  [
    'disables a field',
    form(field('mail')),
    form(`<fieldset disabled>${field('mail')}</fieldset>`),
    lostPartNames.field('mail'),
  ],
  [
    'moves a field out of its form',
    form(field('mail') + field('name')),
    form(field('name') + field('')) + field('mail'),
    lostPartNames.field('mail'),
  ],
  [
    'lets a form send to another page',
    form(''),
    form('', ' action="/other" method="post"'),
    lostPartNames.formAttribute('action'),
  ],
  [
    'takes from a form what a service reads',
    form('', ' data-netlify="true"'),
    form('', ''),
    lostPartNames.formAttribute('data-netlify'),
  ],
  [
    'lets the button of a form send nothing',
    form(''),
    form('').replace('<button>', '<button type="button">'),
    lostPartNames.sendingButton,
  ],
  [
    'changes the key in a hidden field',
    form('<input type="hidden" name="access_key" value="4f2a-91">'),
    form('<input type="hidden" name="access_key" value="66ee-00">'),
    lostPartNames.hiddenField('access_key'),
  ],
  [
    'renames the id that a label needs',
    '<label for="city">City</label><input id="city">',
    '<label for="city">City</label><input id="town">',
    lostPartNames.neededId('city', 'a label'),
  ],
  [
    'removes what a button opens',
    '<button data-bs-target="#menu">Menu</button><ul id="menu"><li>A</li></ul>',
    '<button data-bs-target="#menu">Menu</button>',
    lostPartNames.neededId('menu', 'another element'),
  ],
  [
    'renames the id that a script needs',
    `<p id="map">x</p>${script("draw(document.getElementById('map'))")}`,
    `<p id="plan">x</p>${script("draw(document.getElementById('map'))")}`,
    lostPartNames.neededId('map', 'a script'),
  ],
  [
    'lets a button open what is not there',
    '<button data-bs-target="#menu">Menu</button><ul id="menu"><li>A</li></ul>',
    '<button data-bs-target="#list">Menu</button><ul id="menu"><li>A</li></ul>',
    lostPartNames.neededId('list', 'another element'),
  ],
  [
    'takes from a button what opens a menu',
    `<button data-bs-toggle="collapse">Menu</button>${script('a()')}`,
    `<button>Menu</button>${script('a()')}`,
    lostPartNames.attribute('data-bs-toggle', 'button'),
  ],
  [
    'lets a label belong to another field',
    form('<label for="a">A</label><input id="a"><input id="b">'),
    form('<label for="b">A</label><input id="a"><input id="b">'),
    lostPartNames.label('a'),
  ],
  [
    'lets a choice send another value',
    form('<select name="town"><option value="at">Austin</option></select>'),
    form('<select name="town"><option value="dv">Austin</option></select>'),
    lostPartNames.choice('Austin'),
  ],
  [
    'hides a field',
    form(field('mail')),
    form(field('mail').replace('"email"', '"hidden"')),
    lostPartNames.field('mail'),
  ],
  [
    'lets nobody fill in a field',
    form(field('mail')),
    form(field('mail', ' readonly')),
    lostPartNames.field('mail'),
  ],
  [
    'leaves the fields of a form without it',
    form(field('mail')),
    field('mail'),
    lostPartNames.field('mail'),
  ],
  [
    'puts a field in the place of a function of its form',
    form(field('mail')) + script('a()'),
    form(field('mail')).replace('<button>', '<button id="submit">') + script('a()'),
    lostPartNames.scriptName('submit'),
  ],
  [
    'puts an element in the place of a variable',
    `<p>x</p>${script('const list = window.orders || []')}`,
    `<p id="orders">x</p>${script('const list = window.orders || []')}`,
    lostPartNames.scriptName('orders'),
  ],
  [
    'puts a form in the place of a function of the document',
    form('') + script('a()'),
    form('', ' action="/send" method="post" name="querySelector"') + script('a()'),
    lostPartNames.scriptName('querySelector'),
  ],
];

const kept: [edit: string, before: string, after: string][] = [
  ['removes a marked link', link(' rel="nofollow"'), ''],
  ['adds a mark to a link', link(''), link(' rel="nofollow"')],
  [
    'adds another link without a mark',
    link(' rel="ugc"'),
    `${link(' rel="ugc"')}<a href="/">x</a>`,
  ],
  ['removes a field as a whole', form(field('mail') + field('fax')), form(field('mail'))],
  ['adds a field', form(field('mail')), form(field('mail') + field('city'))],
  ['makes a field optional', form(field('mail', ' required')), form(field('mail'))],
  ['removes a form', form(field('mail')), ''],
  ['moves a field', form(field('mail') + field('city')), form(field('city') + field('mail'))],
  [
    'changes words in a hidden field',
    form('<input type="hidden" name="subject" value="From Austin">'),
    form('<input type="hidden" name="subject" value="From Lisbon">'),
  ],
  [
    'renames an id with its label',
    '<label for="city">City</label><input id="city">',
    '<label for="town">City</label><input id="town">',
  ],
  [
    'removes a section with the heading that names it',
    '<section aria-labelledby="why"><h2 id="why">Why</h2></section><p>x</p>',
    '<p>x</p>',
  ],
  [
    'translates a choice',
    form('<label><input type="radio" name="town" value="vienna"> Vienna</label>'),
    form('<label><input type="radio" name="town" value="wien"> Wien</label>'),
  ],
  [
    'removes a button that opens a menu',
    `<button data-toggle="x">Menu</button>${script('a()')}`,
    script('a()'),
  ],
  ['adds a colour for a script', script('a()'), `<p data-color="#abc">x</p>${script('a()')}`],
  [
    'adds a picture with a title',
    '<p>x</p>',
    '<svg role="img" aria-labelledby="t"><title id="t">x</title></svg><p aria-describedby="t">x</p>',
  ],
  ['renames an id that nothing needs', '<p id="a">x</p>', '<p id="b">x</p>'],
  [
    'gives a button an id on a page without scripts',
    form(''),
    form('').replace('<button>', `<button id="submit">`),
  ],
  [
    'gives a section the id of a function of forms',
    `<p>x</p>${script('a()')}`,
    `<p id="submit">x</p>${script('a()')}`,
  ],
];

describe('what works on a page', () => {
  for (const [edit, before, after, part] of lost)
    it(`is reported as lost if an edit ${edit}`, () =>
      expect(lostParts(before, after)).to.deep.equal([part]));

  for (const [edit, before, after] of kept)
    it(`is not reported as lost if an edit ${edit}`, () =>
      expect(lostParts(before, after)).to.deep.equal([]));

  it('is the same in a form of a page that moves and sends to itself', () => {
    const source = pageOf(form(field('mail'), ' action="b.html" method="post"'));
    const after = source.replace('"b.html"', '"c.html"');
    const before = { path: 'a/b.html', source };
    const sitePaths = ['a/c.html'];
    const check = { path: 'a/c.html', before, after, sitePaths, mayAddLinks: true };
    const parts = pageCalls.check(check).setup.removed;
    expect(parts).to.deep.equal([]);
  });
});
