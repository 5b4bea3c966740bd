import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import type { GitCredential } from '../../../../src/contract/site.ts';
import { newDeployKey } from '../../../../src/organizations/deployKey.ts';
import { CUT, cutterFor } from '../../../../src/sites/git/cutCredential.ts';
import { viewsOf } from '../../../../src/sites/git/textViews.ts';
import { encodings, formsOf, rareEncodings } from '../../../helpers/secretForms.ts';

const username = 'oauth2';
const visible = Array.from({ length: 94 }, (_, at) => String.fromCharCode(0x21 + at)).join('');
const randomToken = (length: number, of = visible) =>
  Array.from(randomBytes(length), (byte) => of[byte % of.length]).join('');
/** At most what is around a secret in base64, or split behind it, is left. */
const isCut = /^.{0,12}\[credential\].{0,40}$/s;
const hasOneOf = (text: string, forms: string[]) =>
  forms.filter((form) => text.toLowerCase().includes(form.toLowerCase()));

const tokens: Record<string, () => string> = {
  'a token of GitLab': () => 'glpat-x9_Zk4WbQ-7LmNpR2sTu',
  'a token of digits': () => randomToken(16, '0123456789'),
  'a token of hexadecimal digits': () => randomBytes(20).toString('hex'),
  'a token like base64': () => randomBytes(33).toString('base64'),
  'a token with signs of escapes': () => 'a%41=42\\x43&amp;#44;+/?@:%25zz',
  'a token of any characters': () => randomToken(8 + (randomBytes(1)[0]! % 60)),
  'a token that looks like an escape behind a sign': () => '1dWmtb8hsFVgn+bIlu5e1/tJSx5',
  'a long token': () => randomToken(800),
};

/** Where a remote may put a text. */
const places: Record<string, (form: string) => string> = {
  alone: (form) => form,
  'in words': (form) => `fatal: remote error: denied for ${form} (try again)`,
  'in an address': (form) =>
    `redirect: https://${username}:${form}@git.example/x?token=${form}#end`,
  'in a header': (form) => `Authorization: Basic ${form}\r\n`,
  'over lines of a hook': (form) =>
    `remote: ${form.replace(/.{5}/g, '$&        \nremote: ')}\nremote: end`,
  'over lines with colours': (form) => `remote: ${form.replace(/.{4}/g, '$&\u001b[K\nremote: ')}`,
  'between invisible characters': (form) => form.replace(/./g, '$&\u200b'),
  'behind other languages': (form) => `Zugriff verweigert für «${form}» – 拒绝`,
};

/** What is hardly seen between the letters of a text, or makes them look otherwise. */
const splits: Record<string, (form: string) => string> = {
  'between spaces of print': (form) => form.replace(/./g, '$&\u00a0'),
  'between soft hyphens and joiners': (form) => form.replace(/./g, '$&\u00ad\u2060'),
  'between marks on letters': (form) => form.replace(/./g, '$&\u0332'),
  'between private sequences for terminals': (form) => form.replace(/./g, '$&\u001b[?25h\u001b(B'),
  'in wide letters': (form) =>
    form.replace(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
  'over lines of a mail': (form) =>
    form
      .match(/.{1,5}/g)!
      .map((some) => some.replaceAll('=', '=3D'))
      .join('=\r\n'),
};

describe('cutterFor(credential)', () => {
  for (const [what, make] of Object.entries(tokens)) {
    it(`cuts ${what} in forms that are seldom`, () => {
      const token = make();
      for (const [form, encode] of Object.entries(rareEncodings))
        for (const secret of [token, `${username}:${token}`])
          expect(cutterFor({ kind: 'token', username, token })(encode(secret)), form).to.match(
            isCut,
          );
    });
    for (const [how, split] of Object.entries(splits))
      it(`cuts ${what} ${how}`, () => {
        const token = make();
        for (const form of [token, Buffer.from(token).toString('base64')])
          expect(cutterFor({ kind: 'token', username, token })(split(form)), form).to.match(isCut);
      });
  }

  for (const [what, make] of Object.entries(tokens))
    for (const [where, put] of Object.entries(places))
      it(`cuts ${what} in every form, ${where}`, () => {
        const token = make();
        const cut = cutterFor({ kind: 'token', username, token });
        const forms = formsOf(token, username);
        for (const [form, encode] of Object.entries(encodings))
          for (const secret of [token, `${username}:${token}`]) {
            const text = cut(put(encode(secret)));
            expect(text, `${form}: ${token}`).to.include(CUT);
            expect(withoutSplits(text), `${form}: ${token}`).to.satisfy(
              (joined: string) => hasOneOf(joined, forms).length === 0,
            );
          }
      });

  it('leaves the words around it, in any language', () => {
    const cut = cutterFor({ kind: 'token', username, token: 'tok3n-4711' });
    expect(cut('für tok3n-4711, 拒绝 tok3n%2D4711 – Ende')).to.equal(
      `für ${CUT}, 拒绝 ${CUT} – Ende`,
    );
    expect(cut('remote: tok3n-    \nremote: 4711 ist falsch')).to.equal(
      `remote: ${CUT} ist falsch`,
    );
    for (const text of ['', 'fatal: could not read 100%', 'a=b&c;\\d %zz &#; \\u12'])
      expect(cut(text)).to.equal(text);
  });

  it('cuts the beginning of one with which a text ends', () => {
    const token = randomToken(40, visible.replace(/\W/g, ''));
    for (const [form, encode] of Object.entries(encodings)) {
      const text = cutterFor({ kind: 'token', username, token })(
        `remote: ${encode(token).slice(0, -5)}`,
      );
      expect(text, form).to.match(/^remote: \w{0,3}\[credential\]\S{0,6}$/);
    }
  });

  it('cuts a short one only where it stands as a word', () => {
    const cut = cutterFor({ kind: 'token', username: 'me', token: 'at' });
    expect(cut('not at that gate: me:at')).to.equal(`not ${CUT} that gate: ${CUT}`);
  });

  it('cuts every line of a private key', () => {
    const { privateKey } = newDeployKey('x');
    const credential: GitCredential = { kind: 'deploy-key', privateKey };
    const [, line = ''] = privateKey.split('\n');
    for (const [form, encode] of Object.entries(encodings))
      for (const text of [line, privateKey])
        expect(
          hasOneOf(cutterFor(credential)(encode(text)), [line, encode(line)]),
          form,
        ).to.deep.equal([]);
  });

  it('looks through what a remote makes to be slow in a moment', () => {
    const token = randomToken(4_000);
    const cut = cutterFor({ kind: 'token', username, token });
    for (const unit of [
      '%25',
      '\\\\',
      '&#38;',
      '%3D25',
      token.slice(0, -1),
      ' ',
      'remote: \n',
      '=25%26amp;\\\\',
    ])
      expect(cut(unit.repeat(Math.ceil(65_536 / unit.length)))).to.be.a('string');
  }).timeout(30_000);

  for (const unit of ['%25=3D\\x25&#37;\\u0025 ', '%3d%35%63=5c\\x25\\x26#37;&#x25;%26amp;'])
    it(`takes a text out that can be read in too many ways: ${unit}`, () => {
      const text = unit.repeat(Math.ceil(65_536 / unit.length));
      expect(viewsOf(text)).to.equal(null);
      expect(cutterFor({ kind: 'token', username, token: 'tok3n-4711' })(text)).to.equal(CUT);
      expect(viewsOf(text.slice(0, 4_000))).to.be.an('array');
    });

  it('cuts nothing without a credential', () => {
    expect(cutterFor(null)('token')).to.equal('token');
  });
});

const withoutSplits = (text: string) => text.replace(/\u001b\[K|[\s\u200b]+(remote:)?\s*/g, '');
