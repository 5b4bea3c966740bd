import { expect } from 'chai';
import fc from 'fast-check';
import { labelsFor } from '../../../src/organizations/siteLabels.ts';

function first(name: string, count = 1): string[] {
  const labels = labelsFor(name);
  return Array.from({ length: count }, () => labels.next().value);
}

describe('labelsFor(name)', () => {
  for (const [name, label] of [
    ['Northwind', 'northwind'],
    ['Café  Zürich!', 'cafe-zurich'],
    ['--a -- b--', 'a-b'],
    ['日本', 'site'],
    ['', 'site'],
    ['api', 'api-2'],
    ['WWW', 'www-2'],
    [`${'a'.repeat(29)} bcd`, 'a'.repeat(29)],
    ['xn--80ak6aa92e', 'xn-80ak6aa92e'],
  ] as const)
    it(`begins with ${label} for ${JSON.stringify(name)}`, () =>
      expect(first(name)).to.deep.equal([label]));

  it('continues with numbers, then with random ends', () => {
    const labels = first('Acme', 20);
    expect(labels.slice(0, 9)).to.deep.equal([
      'acme',
      ...[2, 3, 4, 5, 6, 7, 8, 9].map((number) => `acme-${number}`),
    ]);
    expect(labels[10]).to.match(/^acme-[0-9a-f]{8}$/);
    expect(new Set(labels)).to.have.property('size', 20);
  });

  it('fits a host name, whatever the name is', () => {
    const anyText = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme', maxLength: 80 }),
    );
    fc.assert(
      fc.property(anyText, (name) =>
        first(name, 12).every(
          (label) =>
            /^[a-z0-9](?:[a-z0-9]|-(?!-)){0,28}[a-z0-9]?$/.test(label) && !label.endsWith('-'),
        ),
      ),
    );
  });
});
