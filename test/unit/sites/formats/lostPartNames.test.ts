import { expect } from 'chai';
import { lostPartNames } from '../../../../src/sites/formats/lostPartNames.ts';

/** The names that contain what a page has, and what they say. */
const names: [name: string, words: string][] = [
  [lostPartNames.script('/a.js'), 'the script "/a.js"'],
  [lostPartNames.inlineScript('a()'), 'the inline script "a()"'],
  [lostPartNames.scriptName('a'), 'what scripts call "a" (an id or name takes its place)'],
  [lostPartNames.styleSheet('/a.css'), 'the style sheet "/a.css"'],
  [lostPartNames.order('sheet'), 'the order of the style sheets'],
  [lostPartNames.order('script'), 'the order of the scripts'],
  [
    lostPartNames.translation('de'),
    `the link to the page's version in another language (hreflang "de")`,
  ],
  [lostPartNames.linkMark('ugc', '/a'), 'the mark "ugc" of the link to "/a"'],
  [lostPartNames.attribute('data-a', 'b'), 'the attribute "data-a" of <b>'],
  [lostPartNames.label('a'), 'the label of the form field "a"'],
  [lostPartNames.choice('A'), 'the value of "A" in a form'],
  [lostPartNames.neededId('a', 'b.js'), 'the id "a", which b.js needs'],
  [lostPartNames.linkedId('a', '/b'), 'the id "a", which /b links to'],
];

describe('the name of a lost part', () => {
  for (const [name, words] of names) it(`says ${words}`, () => expect(name).to.equal(words));

  it('is short, whatever the page has', () =>
    expect(lostPartNames.script('/'.repeat(1_000))).to.have.length.below(140));
});
