import { expect } from 'chai';
import { editRedirects } from '../../../../src/sites/redirects/editRedirects.ts';
import type { AddressChange } from '../../../../src/sites/redirects/planRedirects.ts';

const lead = (from: string, to: string) => ({
  from: [from, `${from}/`, `${from}.html`],
  to,
});
/** The change of a move from /about to /company. */
const moved: AddressChange = {
  leads: [lead('/about', '/company')],
  pages: ['/company', '/company/', '/company.html'],
};
const three = '/about /company 301\n/about/ /company 301\n/about.html /company 301\n';

describe('editRedirects(file, change), of _redirects', () => {
  const edit = (source: string, change = moved) =>
    editRedirects({ path: '_redirects', source }, change);

  const cases: [string, string, string][] = [
    ['a new file', '', three],
    ['appends', '# ours\n/a /b\n', `# ours\n/a /b\n${three}`],
    ['ends an open line', '/a /b', `/a /b\n${three}`],
    ['keeps CRLF', '/a /b\r\n', `/a /b\r\n${three.replaceAll('\n', '\r\n')}`],
    [
      'keeps what it does not know, and spaces',
      '\uFEFF# x\n\n  /a   /b\t302!  # why\nnonsense\n/c /d 302 Country=de\n',
      `\uFEFF# x\n\n  /a   /b\t302!  # why\nnonsense\n/c /d 302 Country=de\n${three}`,
    ],
    [
      'stands before placeholders and their comments',
      '/a /b\n\n# the app\n/* /index.html 200\n',
      `/a /b\n\n${three}# the app\n/* /index.html 200\n`,
    ],
    [
      'points redirects on',
      '/old /about 302 # x\n/older https://x.example/about\n/b/:x /about?y=1#z\n/c /about/ 200!\n',
      `/old /company 302 # x\n/older https://x.example/about\n${three}/b/:x /company?y=1#z\n/c /company 200!\n`,
    ],
    ['takes out redirects from the new address', '/company /team\n/a /b\n', `/a /b\n${three}`],
    ['takes out a redirect back', '/company /about 301\n/company/ /about\n', three],
    ['replaces a redirect that the page hid', '/about /elsewhere\n/a /b\n', `/a /b\n${three}`],
    ['replaces a rewrite of the address', '/about /about.html 200\n', three],
    [
      'leaves a forced rule, which hid the page',
      '/about /promo 302!\n',
      '/about /promo 302!\n/about/ /company 301\n/about.html /company 301\n',
    ],
    ['takes out what would lead to itself', '/company /about 302 Country=de\n', three],
    [
      'leaves conditions',
      '/about /de 302 Language=de\n/company /de 302 Language=de\n',
      `/about /de 302 Language=de\n/company /de 302 Language=de\n${three}`,
    ],
    ['does not repeat itself', three, three],
  ];
  for (const [title, source, after] of cases)
    it(title, () => expect(edit(source).source).to.equal(after));

  it('leaves no trace of a move back', () => {
    const back = { leads: [lead('/company', '/about')], pages: moved.leads[0]!.from };
    const after = '/company /about 301\n/company/ /about 301\n/company.html /about 301\n';
    expect(edit(`/a /b\n${three}`, back).source).to.equal(`/a /b\n${after}`);
    expect(edit(`/a /b\n${three}`, { leads: [], pages: back.pages }).source).to.equal('/a /b\n');
  });

  it('writes no circle, and says so', () => {
    const round = '/company/* /about/:splat\n';
    const change = { leads: [lead('/about/x', '/company/x')], pages: ['/company/x'] };
    expect(edit(round, change)).to.deep.equal({
      source: round,
      missingRedirects: change.leads[0]!.from,
    });
    const far = '/company /c1\n/c1/* /c2\n/c2 /about/\n';
    expect(edit(far, { ...moved, pages: [] }).source).to.equal(far);
  });

  it('reports which path another rule redirects elsewhere', () => {
    expect(edit('/about /promo 302!\n').missingRedirects).to.deep.equal(['/about', '/about/']);
    expect(edit('/a /b\n').missingRedirects).to.deep.equal([]);
  });

  it('rejects a file that would be too large', () => {
    expect(() => edit(`${'#'.repeat(499_990)}\n`)).to.throw(' 500000 bytes');
  });
});
