import { expect } from 'chai';
import {
  attributeOf,
  parseDocument,
  textContentOf,
} from '../../../../../src/sites/formats/html/document.ts';
import { createEditorFrame } from '../../../../../src/sites/formats/html/editorFrame.ts';
import { asHtml } from './asHtml.ts';
import { parsePieces } from '../../../../../src/sites/pages/texts/slotText.ts';
import { corpus, npmSites } from '../../corpus.ts';

const framing = { url: 'http://p.test/a/b', head: '<!--head-->', attribute: 'data-x' };
const frame = (source: string) => createEditorFrame(parseDocument(source), framing);
const bodyOf = (source: string) => frame(`<!doctype html><body>${source}`).split('<body>')[1];

/** The marked texts of a framed page: by `<slot id> <number>`. */
function marked(source: string): Map<string, string> {
  const { elementNumbers } = parseDocument(source);
  const hosts = [...elementNumbers.keys()].filter(
    (element) => attributeOf(element, 'data-x') !== undefined,
  );
  return new Map(hosts.map((host) => [attributeOf(host, 'data-x') ?? '', textContentOf(host)]));
}

/** A slot's texts between its parts. */
function textsOf(text: string): string[] {
  const texts = [''];
  for (const piece of parsePieces(text))
    if (piece.kind === 'text') texts[texts.length - 1] += piece.text;
    else texts.push('');
  return texts;
}

const seen = (text = '') => text.replace(/[ \t\n\f\r]+/g, ' ').trim();

describe('createEditorFrame(page, framing)', () => {
  it('marks an element that holds only one text, and wraps texts between parts', () => {
    expect(bodyOf('<h1 class="a">Hello</h1>')).to.equal('<h1 data-x="s3 0" class="a">Hello</h1>');
    expect(bodyOf('<p>Call <a href="tel:1">us</a><br>today</p>')).to.equal(
      '<p><slot-text data-x="s3 0">Call </slot-text><a href="tel:1"><slot-text data-x="s3 1">us</slot-text></a>' +
        '<slot-text data-x="s3 2"></slot-text><br><slot-text data-x="s3 3">today</slot-text></p>',
    );
  });

  it('wraps the text of elements that use keys themselves, and of those that hold more than it', () => {
    expect(bodyOf('<button>Send</button>')).to.equal(
      '<button><slot-text data-x="s3 0">Send</slot-text></button>',
    );
    expect(bodyOf('<a href="/"><svg></svg> Home</a>')).to.contain(
      '<slot-text data-x="s3 0"> Home</slot-text></a>',
    );
  });

  it('marks nothing that has no position for a caret', () => {
    const source =
      '<select><option>One</option></select><svg><text>Two</text></svg><img alt="Three" src="x">';
    expect(bodyOf(source)).to.equal(source);
  });

  it('puts the head first, and lets relative URLs start from where they did', () => {
    expect(frame('<!DOCTYPE html>\n<html lang="en"><title>A</title>')).to.equal(
      '<!DOCTYPE html><base href="http://p.test/a/b" target="_self"><!--head-->\n<html lang="en"><title>A</title>',
    );
    expect(frame('<base href="../c/"><p>A</p>')).to.match(
      /^<base href="http:\/\/p\.test\/c\/" target="_self">/,
    );
    expect(frame('<base href="javascript:x"><p>A</p>')).to.match(
      /^<base href="http:\/\/p\.test\/a\/b"/,
    );
    const { root, elementNumbers } = parseDocument(
      frame('<!doctype html><html lang="en"><head><title>A</title>'),
    );
    expect(root).to.include({ mode: 'no-quirks' });
    expect(attributeOf([...elementNumbers.keys()][0]!, 'lang')).to.equal('en');
  });

  it('leaves out what would load another page, and policies that name the page’s own origin', () => {
    const source =
      '<meta http-equiv=" Refresh" content="0;url=//x"><meta http-equiv="Content-Security-Policy" content="img-src \'self\'">';
    expect(frame(`${source}<p>A</p>`)).to.not.match(/refresh|policy/i);
  });

  it("leaves out everything that would tell another host the frame's URL", () => {
    const source =
      '<meta NAME=" Referrer" property="og:x" content="unsafe-url"><img referrerpolicy="unsafe-url" src="x">';
    const html = frame(`${source}<p>A</p>`);
    expect(html).to.not.match(/referrer/i);
    expect(html).to.contain('<img src="x">');
  });

  for (const { name, pages } of [...corpus.slice(0, 1), ...npmSites])
    it(`marks each running text once, and changes nothing else: ${name}`, () => {
      for (const { path, source } of pages) {
        const html = frame(source);
        const hosts = marked(html);
        const unmarked = html
          .replace(/<base href="http:\/\/p\.test[^>]*><!--head-->/, '')
          .replace(/<\/?slot-text[^>]*>| data-x="[^"]*"/g, '');
        expect(unmarked, path).to.equal(source.replace(/^\uFEFF/, ''));
        const slots = new Map(asHtml.slots(source).map((slot) => [slot.id, slot]));
        for (const [mark, text] of hosts) {
          const [id = '', i] = mark.split(' ');
          expect(seen(text), `${path} ${mark}`).to.equal(
            seen(textsOf(slots.get(id)?.text ?? '')[Number(i)]),
          );
        }
        const whole = [...slots.values()].filter(
          ({ role }) => role === 'heading' || role === 'paragraph',
        );
        for (const { id, text } of whole)
          expect(hosts.has(`${id} 0`), `${path} ${id} ${text}`).to.equal(true);
      }
    });
});
