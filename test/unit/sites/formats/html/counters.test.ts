import { expect } from 'chai';
import { asHtml } from './asHtml.ts';

/** A page in which the text that begins with a word gets another one. */
function written(source: string, old: string, now: string): string {
  const slot = asHtml.slots(source).find(({ text }) => text.startsWith(old))!;
  return asHtml.apply(source, { [slot.id]: slot.text.replace(old, now) });
}

describe('numbers in attributes', () => {
  const rows: [name: string, source: string, old: string, now: string, expected: string][] = [
    [
      'of a counter whose text is another number',
      '<h1 countTo="5234">38</h1>',
      '38',
      '120',
      '<h1 countTo="120">120</h1>',
    ],
    [
      'of a counter whose text is a zero',
      '<div><span data-target="1500">0</span><p>Clients</p></div>',
      '0',
      '2,300+',
      '<div><span data-target="2300">2,300+</span><p>Clients</p></div>',
    ],
    [
      'of a library of any name that counts from zero',
      '<div><span data-to="250" data-speed="900">0</span><p data-id="7">Clients</p></div>',
      '0',
      '300',
      '<div><span data-to="300" data-speed="900">300</span><p data-id="7">Clients</p></div>',
    ],
    [
      'of the element around the text',
      "<div data-count='90'><b>90</b><p>Projects</p></div>",
      '90',
      '75',
      "<div data-count='75'><b>75</b><p>Projects</p></div>",
    ],
    [
      'of a bar beside the text',
      '<div><span>Design 75%</span><div role="progressbar"><i aria-valuenow="75" aria-valuemax="100"></i></div></div>',
      'Design 75%',
      'Design 80%',
      '<div><span>Design 80%</span><div role="progressbar"><i aria-valuenow="80" aria-valuemax="100"></i></div></div>',
    ],
    [
      'in words for screen readers',
      '<p role="meter" aria-valuenow="75" aria-valuetext="75 percent">75%</p>',
      '75%',
      '80%',
      '<p role="meter" aria-valuenow="80" aria-valuetext="80 percent">80%</p>',
    ],
    [
      'that repeat the text under any name',
      '<p data-amount="4.9" data-aos-delay="4.9">4,9</p>',
      '4,9',
      '4,7',
      '<p data-amount="4.7" data-aos-delay="4.9">4,7</p>',
    ],
    [
      'in thousands',
      '<b data-counter="12000">12k</b>',
      '12k',
      '15k',
      '<b data-counter="15000">15k</b>',
    ],
    ['in percent', '<b data-count="98%">98%</b>', '98%', '99%', '<b data-count="99%">99%</b>'],
    [
      'without quotes',
      '<b data-count=98>98 clients</b>',
      '98',
      '120',
      '<b data-count="120">120 clients</b>',
    ],
  ];
  for (const [name, source, old, now, expected] of rows)
    it(`follow the text: ${name}`, () => {
      expect(written(source, old, now)).to.equal(expected);
    });

  for (const [name, source, old, now] of [
    [
      'for the layout',
      '<p data-aos-delay="90" tabindex="90" data-id="90">90 clients</p>',
      '90',
      '75',
    ],
    ['of other elements', '<div><p data-count="90">90</p><p>80</p></div>', '80', '75'],
    ['of a text with two numbers', '<p data-stars="4">4 of 5</p>', '4', '3'],
    ['of a toggle', '<button data-target="#a1">Show 3</button>', 'Show 3', 'Show 4'],
    [
      'if the new text has no number',
      '<p data-count="90">90 clients</p>',
      '90 clients',
      'Many clients',
    ],
  ] as const)
    it(`stay as they are: ${name}`, () => {
      expect(written(source, old, now)).to.equal(source.replace(`>${old}`, `>${now}`));
    });
});
