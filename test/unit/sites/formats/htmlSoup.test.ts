import { expect } from 'chai';
import fc from 'fast-check';
import { htmlFormat } from '../../../../src/sites/formats/html.ts';
import { outside, replaceWords, skeleton } from './compare.ts';

const pieces = [
  ...'p li ul td tr table b a span div h2 em pre button select option title svg text textarea template noscript ruby rt body html head form'
    .split(' ')
    .flatMap((name) => [`<${name}>`, `</${name}>`]),
  ...[
    'word',
    ' two words ',
    '\r\n  ',
    '&amp;',
    '&nbsp;x',
    '&notit;',
    '<',
    '< 5',
    '\\<1>',
    '<1>',
    '&lt;2/&gt;',
    'é👩‍💻',
    '\0',
    '/>',
    "'",
    '"',
  ],
  ...[
    '<br>',
    '<img alt="word">',
    '<img alt="a &quot; b" title=\'it is\'>',
    '<input placeholder="x" type=submit value="Go">',
    '<a href=x title="t">',
  ],
  ...[
    '<!-- c -->',
    '<!doctype html>',
    '</nothing>',
    '<script>let word;</script>',
    '<style>p{}</style>',
    '<![CDATA[word]]>',
    '<i></i>',
  ],
  ...[
    '<script type="application/ld+json">{"name":"a word","url":"https://x.example/"}</script>',
    '<meta name=description content="a word">',
  ],
];

describe('htmlFormat on tag soup', () => {
  const soup = fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((list) => list.join(''));

  it('gives every page back byte for byte when every slot keeps its text', () => {
    fc.assert(
      fc.property(soup, (source) => {
        const texts = Object.fromEntries(htmlFormat.slots(source).map(({ id, text }) => [id, text]));
        expect(htmlFormat.apply(source, texts)).to.equal(source);
      }),
      { numRuns: 500 },
    );
  });

  it('replaces every text, and neither elements nor bytes beside the texts', () => {
    const words = 'A </p></table><b> &amp; "quoted" end';
    fc.assert(
      fc.property(soup, (source) => {
        const given = Object.fromEntries(
          htmlFormat.slots(source).map(({ id, text }) => [id, replaceWords(text, words)]),
        );
        const result = htmlFormat.apply(source, given);
        expect(Object.fromEntries(htmlFormat.slots(result).map(({ id, text }) => [id, text]))).to.deep.equal(given);
        // a comment after </html> stands in the document or in the body by the text before it
        expect(skeleton(result, { comments: false })).to.deep.equal(skeleton(source, { comments: false }));
        expect(outside(result).join('')).to.equal(outside(source).join(''));
      }),
      { numRuns: 500 },
    );
  });
});
