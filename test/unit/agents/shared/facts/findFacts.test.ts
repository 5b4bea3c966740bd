import { expect } from 'chai';
import { findSlotFacts, textSlot } from '../../../../../src/agents/shared/facts/findFacts.ts';

const inShort = (text: string) =>
  findSlotFacts(textSlot(text)).map((fact) => `${fact.kind}: ${fact.text}`);

describe('findSlotFacts', () => {
  for (const [kind, text] of [
    ['address', 'Karl-Marx-Straße 12, 12043 Berlin'],
    ['address', 'Musterstr. 5, 10117 Berlin'],
    ['address', 'Unter den Linden 7, 10117 Berlin'],
    ['address', 'Obernstraße 4, 28195 Bremen'],
    ['date', '3. Mai 2026'],
    ['date', 'März 2026'],
    ['hours', '8–18 Uhr'],
    ['hours', '8.00 bis 14.00 Uhr'],
    ['hours', 'Mo–Fr 8–18 Uhr'],
    ['hours', 'Montag bis Freitag: 9:00–17:00 Uhr'],
    ['hours', '9am–noon'],
    ['hours', 'Mon-Fri 9-5'],
    ['price', '79 Euro'],
    ['price', '250,- €'],
  ])
    it(`finds the ${kind} ${JSON.stringify(text)}`, () =>
      expect(inShort(text!)).to.deep.equal([`${kind}: ${text}`]));

  it('finds the lines of an address', () => {
    for (const street of ['Karl-Marx-Straße 12', 'Ring 4'])
      expect(inShort(`${street}\n12043 Berlin`)).to.deep.equal([
        `address: ${street}`,
        'address: 12043 Berlin',
      ]);
  });

  it('finds facts in sentences, and none in sentences without facts', () => {
    expect(inShort('Seit 2009 ist die Werkstatt Mo–Fr 8–18 Uhr offen.')).to.deep.equal([
      'date: 2009',
      'hours: Mo–Fr 8–18 Uhr',
    ]);
    expect(
      inShort(
        'Wir haben 12 Räume, 3 bis 5 Leute und 8–18 Tage; so 9 of 10 do 3-4 things, on page 12.',
      ),
    ).to.deep.equal([]);
  });

  it('gives each slot its own facts, whatever happened to those of a slot with the same text', () => {
    const [one, other] = [
      'Call +1 512 555 0142, open since 2014',
      'Call +1 512 555 0142, open since 2014',
    ].map(textSlot);
    const first = findSlotFacts(one!);
    expect(first.map(({ slot }) => slot)).to.deep.equal([one, one]);
    for (const fact of first.splice(0)) fact.text = 'changed';
    const second = findSlotFacts(other!);
    expect(second.map(({ kind, text }) => `${kind}: ${text}`)).to.deep.equal([
      'telephone: +1 512 555 0142',
      'date: 2014',
    ]);
    for (const { slot } of second) expect(slot).to.equal(other);
  });
});
