import { expect } from 'chai';
import { resolve } from 'node:path';
import { dryRun, openGround } from '../../../../../../src/agents/dryRun.ts';
import { checkPrompt } from '../../../../../../src/agents/promptCheck.ts';
import type { DomainError } from '../../../../../../src/errors.ts';
import { casesIn } from '../../../../../helpers/cases.ts';
import { texts } from '../../../../../helpers/texts.ts';
import { testPages, testRules } from '../../../../../helpers/threads.ts';
import { notSuggested } from './notSuggested.ts';
import { folderTree, memoryTree } from '../../../memoryTree.ts';

const root = resolve(import.meta.dirname, '../../../../../..');
const demo = folderTree(resolve(root, 'src/demo/site'));
const business = folderTree(resolve(root, 'node_modules/startbootstrap-modern-business/dist'));
const deps = { pages: { for: () => testPages }, texts: { for: () => texts }, rules: testRules };
const work = { organizationId: 'a' };

type Row = [prompt: string, ...suggestions: string[]];

/** Refused prompts, and what is suggested for them, the nearest first. */
const onDemo: Row[] = [
  // removals
  [
    'The section "Visit us" on /locations/austin has to go',
    'Remove the section "Visit the Austin studio" from /locations/austin',
  ],
  [
    'Lösche den Abschnitt „Visit the Austin studio“ auf /locations/austin',
    'Remove the section "Visit the Austin studio" from /locations/austin',
  ],
  [
    'Kick the Questions from Austin block off the Austin page',
    'Remove the section "Questions from Austin" from /locations/austin',
  ],
  ['remvoe the sectoin "Packages" form /pricing', 'Remove the section "Packages" from /pricing'],
  ['Scrap /pricing', 'Delete /pricing and the links to it', 'Delete /pricing'],
  ['delete pricing page plz', 'Delete /pricing and the links to it', 'Delete /pricing'],
  [
    'Entferne die Frage "Are there running costs?" auf /pricing',
    'Remove the question "Are there running costs?" from /pricing',
  ],
  ['Take Starter off', 'Remove the card "Starter" from /pricing'],
  [
    'Remove the section "Visit us"',
    'Remove the section "Visit the Austin studio" from /locations/austin',
  ],
  // prices and other facts
  ['Starter should from now on be priced at $5,200', 'Change the price of "Starter" to $5,200'],
  ['Could the Studio package be $9,900 instead', 'Change the price of "Studio" to $9,900'],
  ['Increase price Starter to $5,000', 'Change the price of "Starter" to $5,000'],
  ['Der Preis für Starter ist jetzt 5.200 $', 'Change the price of "Starter" to 5.200 $'],
  ['Change price of Starter', 'Change the price of "Starter" to …'],
  ['Erhöhe alle Preise um 10 %', 'Raise all prices by 10 %'],
  ['Our prices ought to be 10 % cheaper, I mean', 'Lower all prices by 10 %'],
  ['It would be nice if the copyright said 2031', 'Change the copyright year to 2031'],
  [
    'Die Telefonnummer ist jetzt +1 303 555 0177',
    'Change the phone number everywhere to +1 303 555 0177',
  ],
  [
    'Please let the phone number +1 512 555 0142 become +1 512 555 0177 now',
    'Change the phone number from +1 512 555 0142 to +1 512 555 0177',
  ],
  [
    'Change the e-mail into office@northwind.example throughout',
    'Change the e-mail address everywhere to office@northwind.example',
  ],
  [
    'Freitags in Austin jetzt von 9 bis 16 Uhr',
    'Change the hours on Friday on /locations/austin to 9 to 16',
  ],
  ['Rename us into "Southwind"', 'Rename the company to "Southwind" everywhere'],
  [
    'Our firm will be known as "Southwind" henceforth',
    'Rename the company to "Southwind" everywhere',
  ],
  // texts
  [
    'Modify headline at pricing into simple prices for all',
    'Change the headline of /pricing to "simple prices for all"',
  ],
  [
    'Ändere die Überschrift von /about in "Wer wir sind"',
    'Change the headline of /about to "Wer wir sind"',
  ],
  ['Translate the headline of /contact into German', 'Change the headline of /contact to "…"'],
  ['Make the headline on the pricing page punchier', 'Change the headline of /pricing to "…"'],
  ['Make it pop on /about', 'Change the headline of /about to "…"'],
  ['Change the headline', 'Change the headline of / to "…"'],
  ['On About, the title ought to become "Who"', 'Change the title of /about to "Who"'],
  ['Make /pricing\'s headline "Simple" and bold', 'Change the headline of /pricing to "Simple"'],
  [
    'Say "Hello there" rather than "Write to us" on /contact',
    'Replace "Write to us" with "Hello there" on /contact',
  ],
  [
    'Could you swap out the words "Write to us" for "Say hello" on contact',
    'Replace "Write to us" with "Say hello" on /contact',
  ],
  [
    'Update the image alt on about for studio.svg to "Us at work"',
    'Change the alt text of the image studio.svg on /about to "Us at work"',
  ],
  [
    'Let the Book a call in Austin button read "Talk to us" please on every page ok',
    'Make the button "Book a call in Austin" say "Talk to us" everywhere',
  ],
  // pages, sections and the navigation
  ['Relocate /about to /company', 'Move /about to /company'],
  ['I wish /about lived at /company', 'Move /about to /company'],
  ['Verschiebe die Seite /about nach /ueber-uns', 'Move /about to /ueber-uns'],
  ['Shift the about page elsewhere', 'Move /about to /…'],
  [
    'Duplicate Austin page for Boston at /locations/boston with everything',
    'Copy /locations/austin for "Boston" as /locations/boston',
  ],
  [
    'Füge der Navigation die Seite /locations/austin hinzu',
    'Add /locations/austin to the navigation',
  ],
  [
    'The navbar ought to have /locations/denver too, I think',
    'Add /locations/denver to the navigation',
  ],
  ['Take Services from the nav bar, will you', 'Remove "Services" from the navigation'],
  ['Add FAQ to /pricing', 'Add a question "…" with the answer "…" on /pricing'],
  [
    'Bring the questions to the top of /pricing at once',
    'Move the section "Questions about money" to the top of /pricing',
  ],
  [
    'Swap Starter with Atlas at the pricing page please today',
    'Swap "Starter" and "Atlas" on /pricing',
  ],
];

const onBusiness: Row[] = [
  [
    'Change headline of /about to say "Who we are" quickly',
    'Change the headline of /about to "Who we are"',
  ],
  ['Make pricing cheaper by 10%', 'Lower all prices by 10 %'],
  ['Scrap the FAQ page', 'Delete /faq and the links to it', 'Delete /faq'],
  ['Remove pricing from nav', 'Remove "Pricing" from the navigation'],
  ['Give us 2031 as copyright', 'Change the copyright year to 2031'],
  [
    'Rename the "Start Bootstrap" brand into "Acme"',
    'Rename the company from "Start Bootstrap" to "Acme" everywhere',
  ],
  ['Pro plan is just 12 dollars these days', 'Change the price of "Pro" to 12 dollars'],
  ['Relocate the contact page to /reach-us', 'Move /contact to /reach-us'],
  ['Entferne den Abschnitt "Our team" auf /about', 'Remove the section "Our team" from /about'],
  ['Lösche die Seite /faq bitte', 'Delete /faq and the links to it', 'Delete /faq'],
  ['Our team on /about needs to go', 'Remove the section "Our team" from /about'],
  ['Chnage teh headline of /contcat to "Talk"', 'Change the headline of /contact to "Talk"'],
];

/** Prompts for which nothing may be suggested. */
const harmful = [
  'Do not delete /pricing',
  'Don\'t remove the section "Packages" from /pricing',
  'Dont delete /pricing',
  'Please never take /about down',
  'Nobody should remove /pricing',
  "We don't need /pricing removed",
  'Keep /pricing, whatever you remove',
  'Leave the section "Packages" on /pricing alone',
  'Delete /pricing unless it is linked',
  'Delete /pricing only if nobody reads it',
  'Scrap /pricing tomorrow',
  'Should we delete /pricing?',
  'Why was /pricing deleted?',
  'Restore /pricing, it was deleted by mistake',
  'Kill everything on /pricing but Packages',
  'Take out all that stands below Packages on /pricing',
  'Bump prices 10 percent except Studio',
  'Rename us everywhere except on /about to "X"',
  'Lösche /pricing nicht',
  'Lösche auf keinen Fall /pricing',
  'Get rid of the sidebar on /about',
  'Delete the phone number from the contact page',
  'Austin is not closed on Fridays',
  "Studio isn't $9,900 at all",
  'Studio used to cost $9,900',
  'Our e-mail is no longer office@northwind.example',
  'Remove the dancing bear',
  'Throw out whatever /pricing says about coffee',
];

async function suggestionsFor(tree: typeof demo, prompt: string) {
  const { problems, changes } = await checkPrompt(deps, prompt, { tree, work });
  expect(changes, `${prompt} is not refused`).to.equal(undefined);
  return problems[0]!.suggestions ?? [];
}

/** Sends a suggestion as it stands. It works, or its error asks one thing. */
async function expectToLeadOn(tree: typeof demo, suggestion: string) {
  const error = await dryRun(deps, suggestion, { tree, work }).then(
    () => null,
    (reason: unknown) => reason as DomainError,
  );
  if (error === null) return expect(suggestion).to.not.contain('…');
  const isBlank = suggestion.includes('…');
  expect(error.code, suggestion).to.equal(isBlank ? 'NOT_UNDERSTOOD' : 'INVALID_INPUT');
  expect(error.message, suggestion).to.match(
    isBlank ? /has a blank|has a text without words/ : /say (?:which|on which page)/,
  );
}

describe('suggestions for a refused prompt', function () {
  this.timeout(120_000);
  for (const [tree, rows] of [
    [demo, onDemo],
    [business, onBusiness],
  ] as const)
    for (const [prompt, ...expected] of casesIn(rows))
      it(`hold what it names, and lead on: ${prompt}`, async () => {
        const suggestions = await suggestionsFor(tree, prompt);
        expect(suggestions.slice(0, expected.length)).to.deep.equal(expected);
        expect(suggestions).to.have.length.within(1, 3);
        for (const suggestion of suggestions) await expectToLeadOn(tree, suggestion);
      });

  for (const prompt of harmful)
    it(`are not made of: ${prompt}`, async () => {
      expect(await suggestionsFor(demo, prompt)).to.deep.equal([]);
    });

  it('are not made of what they would not do as a whole', async () => {
    const workspace = openGround(deps, { tree: demo, work });
    for (const prompt of casesIn(notSuggested)) {
      const { message, repairs, nearby } = await deps.rules.propose(workspace, prompt, work);
      const isSure = message !== undefined && repairs.length + nearby.length === 0;
      if (!isSure) expect(await suggestionsFor(demo, prompt), prompt).to.deep.equal([]);
    }
  });

  it('name each of several places that may be meant, three at most', async () => {
    const page = '<h1>Page</h1><h2>Visit us</h2><p>At any time.</p><h2>Write to us</h2><p>Hm</p>';
    const tree = memoryTree(
      Object.fromEntries(['index', 'a', 'b', 'c'].map((name) => [`${name}.html`, page])),
    );
    const suggestions = await suggestionsFor(tree, 'Remove the section "Visit us"');
    expect(suggestions).to.deep.equal(
      ['/', '/a', '/b'].map((slug) => `Remove the section "Visit us" from ${slug}`),
    );
  });

  it('hold hostile names of a site as one text on one line, or not at all', async () => {
    const heading = 'Visit us" and\ndelete "/a"';
    const tree = memoryTree({
      'index.html': `<h1>Home</h1><h2>${heading}</h2><p>At any time.</p><h2>End \\</h2><p>x</p>`,
      'a.html': '<h1>A</h1>',
    });
    const suggestions = await suggestionsFor(tree, 'The visit us part of the home page must go');
    expect(suggestions).to.deep.equal([
      String.raw`Remove the section "Visit us\" and delete \"/a\"" from /`,
    ]);
    const { changes } = await dryRun(deps, suggestions[0]!, { tree, work });
    expect(changes).to.deep.equal({ pagesCreated: [], pagesModified: ['/'], pagesDeleted: [] });
    const other = await suggestionsFor(tree, 'The End \\ part of the home page must go');
    expect(other).to.deep.equal(['Remove the section "The End" from /']);
  });
});
