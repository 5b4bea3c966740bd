import { expect } from 'chai';
import { shapeOf } from '../../../../../src/agents/rules/prompt/language/shapes.ts';
import { piecesOf } from '../../../../../src/agents/rules/prompt/language/pieces.ts';
import { tokensOf } from '../../../../../src/agents/rules/prompt/language/tokens.ts';
import { parsePrompt } from './parsePrompt.ts';
import { table } from '../../../../../src/agents/rules/prompt/table.ts';

const quotes: [string, string][] = [
  ['“', '”'],
  ['«', '»'],
  ['`', '`'],
];
const requoted = (prompt: string, [open, close]: [string, string]) =>
  prompt.replace(/"([^"]*)"/g, `${open}$1${close}`);
const lower = (prompt: string) => prompt[0]!.toLowerCase() + prompt.slice(1);
const ask = (prompt: string) =>
  /^["“«`/]|^(?:there|our|we|the|basic|friday|closed|copyright|austin)\b/i.test(prompt)
    ? prompt
    : `Can you please ${lower(prompt)}?`;

describe('the table of wordings', () => {
  for (const [name, { wordings, read }] of Object.entries(table))
    it(`reads each example by its own wording, in any quotes, and politely asked: ${name}`, () => {
      for (const [shape, example] of wordings) {
        const [[piece] = []] = piecesOf(tokensOf(example)!);
        expect(
          shapeOf(shape)(piece!).some((found) => read(found)),
          `${shape}: ${example}`,
        ).to.equal(true);
        const read_ = parsePrompt(example);
        expect(read_, example).to.have.length(1);
        for (const pair of quotes)
          expect(parsePrompt(requoted(example, pair)), example).to.deep.equal(read_);
        expect(parsePrompt(`Please, ${ask(example)} Thanks!`), example).to.deep.equal(read_);
        expect(parsePrompt(`1. ${example}\n2. Delete /x`), example).to.deep.equal([
          ...read_,
          ...parsePrompt('Delete /x'),
        ]);
      }
    });

  it('has four wordings and more of what people ask for most', () => {
    const few = ['replace', 'part', 'create', 'delete', 'remove', 'swap'];
    for (const [name, { wordings }] of Object.entries(table))
      if (!few.includes(name)) expect(wordings.length, name).to.be.at.least(4);
  });

  it('takes a text without quotes up to the end of the sentence or line, and no description of one', () => {
    const set = (text: string) => [
      { kind: 'set', field: 'description', page: { slug: '/a' }, text },
    ];
    expect(parsePrompt('Set the description of /a to We plan, write and build.')).to.deep.equal(
      set('We plan, write and build').map((read) => ({ ...read, stop: true })),
    );
    expect(parsePrompt('Set the description of /a to Fast sites\nDelete /b')).to.deep.equal([
      ...set('Fast sites'),
      ...parsePrompt('Delete /b'),
    ]);
    expect(
      parsePrompt('On /a, set the description to Fast sites and the title to Speed'),
    ).to.deep.equal([
      ...set('Fast sites'),
      { kind: 'set', field: 'title', page: { slug: '/a' }, text: 'Speed' },
    ]);
    for (const wish of [
      'something better',
      'a better one',
      'be shorter',
      'more words',
      'better words',
    ])
      expect(() => parsePrompt(`Change the description of /a to ${wish}`), wish).to.throw(
        /not understood/,
      );
    expect(() => parsePrompt('Change the headline of /a to Hello and make it pop')).to.throw(
      /"make it pop"/,
    );
  });

  it('takes the whole of a text without quotes, with its marks and its first verb', () => {
    const set = (text: string) => [{ kind: 'set', field: 'headline', page: { slug: '/a' }, text }];
    for (const text of [
      'Read our story',
      'Be part of it',
      'Say hello!',
      'What should we do tomorrow?',
      'Can we help?',
      'Prices (from 2027)',
    ])
      expect(parsePrompt(`Change the headline of /a to ${text}`), text).to.deep.equal(set(text));
    expect(parsePrompt('Can you change the headline of /a to Simple prices?')).to.deep.equal(
      set('Simple prices'),
    );
    expect(parsePrompt('Change the headline of /a to read Simple prices, please!')).to.deep.equal(
      set('Simple prices'),
    );
    for (const text of ['Me too', 'We say thanks', 'Us too!'])
      expect(() => parsePrompt(`Change the headline of /a to ${text}`), text).to.throw(
        /not understood/,
      );
    expect(() => parsePrompt('Make the button "Go" say Me too')).to.throw(/not understood/);
    expect(parsePrompt('Delete /a too!')).to.deep.equal(parsePrompt('Delete /a'));
  });

  it('takes texts of the site without quotes, and none that begins inside of another word', () => {
    const names = new Set(['Our story', 'Free parking', 'Pricing']);
    expect(
      parsePrompt('Change the paragraph under Our story on /about to "New"', names),
    ).to.deep.equal(parsePrompt('Change the paragraph under "Our story" on /about to "New"'));
    expect(parsePrompt('Change the link Pricing on / to /plans', names)).to.deep.equal(
      parsePrompt('Change the link "Pricing" on / to /plans'),
    );
    expect(() => parsePrompt('Delete Pricing', names)).to.throw(/not understood/);
  });
});
