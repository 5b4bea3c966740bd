import { expect } from 'chai';
import fc from 'fast-check';
import { findAddressSpans, findWords } from '../../../../../src/agents/shared/text/textSpans.ts';
import { mayContainWords } from '../../../../../src/agents/shared/texts/sourceFilter.ts';
import { casesOf } from '../../../../helpers/cases.ts';

const found = (text: string, words: string, anyCase = false) =>
  findWords(text, words, { anyCase }).map(({ from, to }) => text.slice(from, to));

describe('findWords', () => {
  it('finds whole words only, in every script', () => {
    expect(
      found("Austin, Austin's Austin-based Austinite Austiné _Austin austin", 'Austin'),
    ).to.have.length(3);
    expect(found('São Paulo, Sa\u0303o Paulo, São  Paulo, SÃO PAULO', 'São Paulo')).to.have.length(
      3,
    );
    expect(found('AUSTIN austin', 'Austin', true)).to.deep.equal(['AUSTIN', 'austin']);
    expect(found('Köln Kölner', 'Köln')).to.have.length(1);
    expect(found('$49 $490 a$49', '$49')).to.deep.equal(['$49', '$49']);
    expect(found('a.b a+b', 'a.b')).to.deep.equal(['a.b']);
    expect(found('text', ' ')).to.deep.equal([]);
  });

  it('finds what a keyboard types in place of the marks of a page, and the reverse', () => {
    const pairs = [
      ["We're open", 'We’re open'],
      ['"Köln-Süd"', '“Köln‑Süd”'],
      ['Werkstatt', 'Werk\u00ADstatt'],
      ['Mon-Fri 9-5', 'Mon–Fri 9–5'],
      ['Wait... now', 'Wait… now'],
    ] as const;
    for (const [typed, shown] of pairs) {
      expect(found(`x ${shown} x`, typed)).to.deep.equal([shown]);
      expect(found(`x ${typed} x`, shown)).to.deep.equal([typed]);
    }
    expect(found('Werk\u00ADstatt', 'Werk')).to.deep.equal([]);
    expect(found('text', '\u00AD')).to.deep.equal([]);
    for (const source of ['Werk\u00ADstatt', 'Werk&shy;statt'])
      expect(mayContainWords(source, 'Werkstatt')).to.equal(true);
  });

  it('finds the same if a look at ASCII letters is not enough', () => {
    const word = fc.constantFrom(
      'Austin',
      'austin',
      'AUSTIN TX',
      'in',
      'k',
      's',
      '$4',
      '4 800',
      'a-b',
      '.',
      'tx',
    );
    const text = fc.array(fc.oneof(word, fc.constantFrom(' ', ',', '_', '\n', '  ', '-')), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(text, word, fc.boolean(), (pieces, words, anyCase) => {
        const plain = pieces.join('');
        expect(findWords(plain, words, { anyCase })).to.deep.equal(
          findWords(`${plain} é`, words, { anyCase }),
        );
      }),
      { numRuns: casesOf(300) },
    );
    expect(found('\u212A', 'k', true)).to.deep.equal(['\u212A']);
    expect(found('K', '\u212A', true)).to.deep.equal(['K']);
  });
});

describe('the word boundaries in findWords', () => {
  it('are right for words side by side', () => {
    expect(found('aaaa aa aaa aa', 'aa')).to.have.length(2);
    expect(found('aaa', 'a')).to.deep.equal([]);
    expect(found('😀a😀a', 'a')).to.have.length(2);
  });
});

describe('findAddressSpans', () => {
  it('finds URLs, hosts, paths, e-mail addresses and handles, and nothing else', () => {
    const text =
      'See https://austin.example/austin, austin.com/x, www.austin, a.austin@b.example, @austin or /locations/austin and/or austin. Austin 24/7 v1.2 End.Austin';
    expect(
      findAddressSpans(text)
        .map(({ from, to }) => text.slice(from, to))
        .sort(),
    ).to.deep.equal(
      [
        '/locations/austin',
        '@austin',
        'a.austin@b.example',
        'austin.com/x,',
        'austin.example/austin,',
        'https://austin.example/austin,',
        'www.austin',
      ].sort(),
    );
  });
});

describe('mayContainWords', () => {
  it("is false only for sources that can't show the words", () => {
    expect(mayContainWords('<p>Hello</p>', 'Acme Ltd')).to.equal(false);
    for (const source of ['<p>ACME</p>', '<b>Ac</b>me', '&#65;cme', '"\\u0041cme"'])
      expect(mayContainWords(source, 'Acme'), source).to.equal(true);
    expect(mayContainWords('', 'é')).to.equal(true);
  });
});
