import { expect } from 'chai';
import { parseAddress, townLine } from '../../../../src/agents/facts/parseAddress.ts';
import { makePage, pageWith } from '../rules/page/makePage.ts';

/**
 * An address in one line, its parts (street | town | region | postal code | country), and its
 * town's line.
 */
const addresses: [line: string, parts: string, town: string][] = [
  [
    '418 Juniper Street, Suite 2, Austin, TX 78701',
    '418 Juniper Street, Suite 2|Austin|TX|78701|',
    'Austin, TX 78701',
  ],
  ['200 State St, Boston, MA, 02109, USA', '200 State St|Boston|MA|02109|US', 'Boston, MA 02109'],
  [
    '200 State St, Boston, Massachusetts 02109',
    '200 State St|Boston|Massachusetts|02109|',
    'Boston, Massachusetts 02109',
  ],
  ['1 Wall Street, New York, NY 10005', '1 Wall Street|New York|NY|10005|', 'New York, NY 10005'],
  [
    '100 King Street West, Suite 5700, Toronto, ON M5H 1K4, Canada',
    '100 King Street West, Suite 5700|Toronto|ON|M5H 1K4|CA',
    'Toronto, ON M5H 1K4',
  ],
  ['123 Bank St, Ottawa, ON, CA', '123 Bank St|Ottawa|ON||CA', 'Ottawa, ON'],
  [
    '14 Great Queen Street, London WC2B 5DW',
    '14 Great Queen Street|London||WC2B 5DW|',
    'London WC2B 5DW',
  ],
  [
    'Flat 2, 10 Downing St, London, SW1A 2AA, UK',
    'Flat 2, 10 Downing St|London||SW1A 2AA|GB',
    'London SW1A 2AA',
  ],
  ['Ehrenstraße 12, D-50672 Köln, Deutschland', 'Ehrenstraße 12|Köln||50672|DE', '50672 Köln'],
  ['Ehrenstraße 12 50672 Köln', 'Ehrenstraße 12|Köln||50672|', '50672 Köln'],
  ['Bahnhofstrasse 3, 8001 Zürich, Schweiz', 'Bahnhofstrasse 3|Zürich||8001|CH', '8001 Zürich'],
  [
    'Rua das Flores, 123, 4050-262 Porto, Portugal',
    'Rua das Flores, 123|Porto||4050-262|PT',
    '4050-262 Porto',
  ],
  ['5 Rue de Rivoli, 75001 Paris, France', '5 Rue de Rivoli|Paris||75001|FR', '75001 Paris'],
  [
    'Keizersgracht 10, 1015 CN Amsterdam',
    'Keizersgracht 10|Amsterdam||1015 CN|',
    '1015 CN Amsterdam',
  ],
  ['12 Pitt St, Sydney NSW 2000, Australia', '12 Pitt St|Sydney|NSW|2000|AU', 'Sydney, NSW 2000'],
  ['12 King St\nOttawa, ON K1A 0B1', '12 King St|Ottawa|ON|K1A 0B1|', 'Ottawa, ON K1A 0B1'],
  ['200 State Street, Boston', '200 State Street|Boston|||', 'Boston'],
  ['200 State Street, Suite 5', '200 State Street, Suite 5||||', ''],
  ['1420 Fifth Avenue', '1420 Fifth Avenue||||', ''],
  ['12345 Lake City Way NE', '12345 Lake City Way NE||||', ''],
  ['4 Elm Street', '4 Elm Street||||', ''],
];

describe('parseAddress', () => {
  for (const [line, parts, town] of addresses)
    it(`reads ${JSON.stringify(line)}`, () => {
      const address = parseAddress(line);
      const { street, locality, region, postalCode, country } = address;
      expect([street, locality, region, postalCode, country].join('|')).to.equal(parts);
      expect(townLine(address)).to.equal(town);
    });
});

describe('writePage: an address in two lines', () => {
  for (const [was, now, expected] of [
    [
      'Karl-Marx-Straße 12<br>12043 Berlin',
      'Obernstraße 4, 28195 Bremen',
      'Obernstraße 4 28195 Bremen',
    ],
    [
      '2215 John Daniel Drive<br>Clark, MO 65243',
      '1420 Fifth Avenue, Seattle, WA 98101',
      '1420 Fifth Avenue Seattle, WA 98101',
    ],
    [
      '2215 John Daniel Drive<br>Clark, MO 65243',
      '12345 Lake City Way NE',
      '2215 John Daniel Drive Clark, MO 65243',
    ],
  ])
    it(`${was} with ${now}`, () => {
      const { html } = makePage(pageWith(`<p>${was}</p>`), {
        context: `Address: ${now}`,
        slug: '/locations/x',
      });
      expect(
        /<p>(.*)<\/p>/s.exec(html)![1]!.replace(/<br>/g, ' ').replace(/\s+/g, ' ').trim(),
      ).to.equal(expected);
    });
});
