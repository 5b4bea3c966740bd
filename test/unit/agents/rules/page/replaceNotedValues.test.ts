import { expect } from 'chai';
import {
  leftInDataSentence,
  replacementProblems,
  replaceNotedValues,
  unreplacedSentence,
} from '../../../../../src/agents/rules/page/replaceNotedValues.ts';
import type { NoteKind } from '../../../../../src/contract/task.ts';
import { pageCalls } from '../../../../../src/sites/pages/pageCalls.ts';

const path = 'locations/ottawa.html';
const slug = '/locations/ottawa';

/** The body of a page, and the sentences, after a text replaced a value of a note. */
function type(body: string, [kind, value, text]: [NoteKind, string, string]) {
  const page = { path, source: `<!DOCTYPE html>\n<title>Ottawa</title>\n<h1>Ottawa</h1>\n${body}` };
  const { digest, ...content } = pageCalls.readTemplate(page, []);
  const note = { id: 'n', page: slug, kind, value, text: `${slug}: ${kind}` };
  const plan = replaceNotedValues({ page: content, notes: [note], text });
  let source = pageCalls.setTexts(page, plan.texts);
  for (const [id, target] of Object.entries(plan.links))
    source = pageCalls.setLink({ path, source }, id, target);
  expect(digest).to.be.a('string');
  return { body: source.slice(source.indexOf('</h1>\n') + 6), ...plan };
}

const data = (value: object) =>
  `<script type="application/ld+json">${JSON.stringify(value)}</script>`;
const unreplaced = (value: string, problem: string) => [
  `${slug}: ${unreplacedSentence(value, problem)}`,
];

describe('replaceNotedValues', () => {
  const cases: [string, string, [NoteKind, string, string], string][] = [
    [
      'a price',
      '<p>Sites cost $4,800.</p>',
      ['price', '$4,800', 'from $5,200'],
      '<p>Sites cost from $5,200.</p>',
    ],
    [
      'a price after words that the text repeats',
      '<p>Sites <b>from $4,800</b></p>',
      ['price', '$4,800', 'from $5,200'],
      '<p>Sites <b>from $5,200</b></p>',
    ],
    [
      'a price by a number, which keeps its currency',
      '<p>It costs $4,800.</p>',
      ['price', '$4,800', '5,200'],
      '<p>It costs $5,200.</p>',
    ],
    [
      'a value on each place',
      '<p>It costs $4,800.</p><h2>For $4,800</h2>',
      ['price', '$4,800', '$9'],
      '<p>It costs $9.</p><h2>For $9</h2>',
    ],
    [
      'markup, as text',
      '<p>It costs $4,800.</p>',
      ['price', '$4,800', '<i>9</i>'],
      '<p>It costs &lt;i&gt;9&lt;/i&gt;.</p>',
    ],
    [
      'a telephone number, with its links',
      '<p>Call <a href="tel:+15125550142">(512) 555-0142</a> or <a href="tel:+15125550142">call us</a>.</p>',
      ['contact', '(512) 555-0142', '(613) 555-0177'],
      '<p>Call <a href="tel:+16135550177">(613) 555-0177</a> or <a href="tel:+16135550177">call us</a>.</p>',
    ],
    [
      'an e-mail address, with its links',
      '<p>Write to <a href="mailto:austin@x.org?subject=Hi">austin@x.org</a>.</p>',
      ['contact', 'austin@x.org', 'ottawa@x.org'],
      '<p>Write to <a href="mailto:ottawa@x.org?subject=Hi">ottawa@x.org</a>.</p>',
    ],
    [
      'a quote, inside its quotation marks',
      '<blockquote><p>“It went very well.”</p><footer>Ruth Calloway</footer></blockquote>',
      ['quote', 'It went very well.', '"It was good."'],
      '<blockquote><p>“It was good.”</p><footer>Ruth Calloway</footer></blockquote>',
    ],
    [
      'the author of a quote',
      '<blockquote><p>“It went very well.”</p><footer>Ruth Calloway</footer></blockquote>',
      ['quote', 'Ruth Calloway', 'Ana Lima'],
      '<blockquote><p>“It went very well.”</p><footer>Ana Lima</footer></blockquote>',
    ],
    [
      'a price in structured data, as a number',
      `<p>It costs $4,800.</p>${data({ '@type': 'Offer', price: '4800' })}`,
      ['price', '$4,800', 'from $5,200'],
      `<p>It costs from $5,200.</p>${data({ '@type': 'Offer', price: '5200' })}`,
    ],
    [
      'a headline',
      '<h2>Web design in Austin</h2>',
      ['template', 'Web design in Austin', 'Ottawa first'],
      '<h2>Ottawa first</h2>',
    ],
  ];
  for (const [what, body, typed, expected] of cases)
    it(`replaces ${what}`, () => {
      const { body: after, sentences, replaced } = type(body, typed);
      expect(after).to.equal(expected);
      expect([sentences, replaced]).to.deep.equal([[], [{ id: 'n', value: typed[1] }]]);
    });

  it('says that a page has no text with the value, or only a picture of it', () => {
    const missing = type('<p>It costs $9.</p>', ['price', '$4,800', '$5']);
    expect(missing.body).to.equal('<p>It costs $9.</p>');
    expect(missing.sentences).to.deep.equal(unreplaced('$4,800', replacementProblems.missing));
  });

  it('keeps a price whose number in structured data would become a word', () => {
    const body = `<p>It costs $4,800.</p>${data({ '@type': 'Offer', price: '4800' })}`;
    const kept = type(body, ['price', '$4,800', 'on request']);
    expect(kept.body).to.equal(body);
    expect(kept.sentences).to.deep.equal(unreplaced('$4,800', replacementProblems.number));
  });

  it('leaves opening hours of structured data to a person, with a sentence', () => {
    const body = `<p>Mon–Fri 9:00–17:00</p>${data({ '@type': 'LocalBusiness', openingHours: 'Mo-Fr 09:00-17:00' })}`;
    const {
      body: after,
      sentences,
      replaced,
    } = type(body, ['contact', 'Mon–Fri 9:00–17:00', 'Tue–Sat 10:00–16:00']);
    expect(after).to.include('<p>Tue–Sat 10:00–16:00</p>').and.include('Mo-Fr 09:00-17:00');
    expect(replaced).to.deep.equal([]);
    expect(sentences).to.deep.equal([`${slug}: ${leftInDataSentence('Mo-Fr 09:00-17:00')}`]);
  });

  it('refuses a text in place of a telephone number that nobody can call', () => {
    const call = () => type('<p>(512) 555-0142</p>', ['contact', '(512) 555-0142', 'soon']);
    expect(call).to.throw('"soon" is not a valid telephone number');
  });
});
