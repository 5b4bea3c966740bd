import { parseFragment } from 'parse5';
import { wordSet } from '../../text/wordLists.ts';

const INLINE = wordSet(`
  a abbr acronym b bdi bdo big button center cite code data del dfn em font i img input ins kbd
  label mark meter picture progress q rp rt ruby s samp small source span strike strong sub sup
  svg path g time tt u var wbr video audio track canvas object embed iframe map area select option`);
const BLOCKS = wordSet(`
  address article aside blockquote body br caption col colgroup dd details dialog div dl dt
  fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hr html legend li link main
  menu meta nav noscript ol p pre section summary table tbody td template textarea tfoot th thead
  title tr ul`);

/** HTML tags by name. Other text in angle brackets is no tag: `5 < 6`, `<ola@acme.example>`. */
const TAG = new RegExp(`</?(${[...INLINE, ...BLOCKS].join('|')})(?:\\s[^<>]*|/)?>`, 'giu');
const REFERENCE = /&(?:[a-z][a-z\d]{1,30}|#\d{1,7}|#x[\da-f]{1,6});/giu;
const HINT = /<[a-z/!]|&[a-z#]/iu;
const PARAGRAPHS = wordSet('p div h1 h2 h3 h4 h5 h6 section article blockquote ul ol table');
const MOST_ROUNDS = 3;

/** Replaces HTML tags and character references by the text that a browser would show. */
export function withoutMarkup(text: string): string {
  if (!HINT.test(text)) return text;
  let plain = text;
  // decoding may produce another tag: from text escaped twice, or from one tag inside another
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const next = withoutTags(withoutHidden(plain)).replace(REFERENCE, decoded);
    if (next === plain) break;
    plain = next;
  }
  return plain === text ? text : tidied(withoutTags(plain));
}

/** Puts each paragraph on one line, with an empty line between paragraphs. */
const tidied = (text: string) =>
  text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
    .filter((paragraph) => paragraph !== '')
    .join('\n\n');

const withoutTags = (text: string) =>
  text.replace(/<\/li\s?>\s?<li(?:\s[^<>]*)?>/giu, ', ').replace(TAG, (_, name: string) => {
    const own = name.toLowerCase();
    return PARAGRAPHS.has(own) ? '\n\n' : INLINE.has(own) ? '' : ' ';
  });

/** Removes comments, scripts and styles, including their content. */
function withoutHidden(text: string): string {
  // lower case only for ASCII: some other letters become longer, which would shift positions
  const lower = text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  let shown = '';
  let at = 0;
  for (const { 0: opening, index } of lower.matchAll(/<!--|<script\b|<style\b/gu)) {
    if (index < at) continue;
    const closing = opening === '<!--' ? '-->' : `</${opening.slice(1)}`;
    const end = lower.indexOf(closing, index);
    shown += text.slice(at, index);
    at = end === -1 ? text.length : lower.indexOf('>', end) + 1 || text.length;
  }
  return shown + text.slice(at);
}

const known = new Map<string, string>();
const MOST_KNOWN = 1_000;

function decoded(reference: string): string {
  const found = known.get(reference);
  if (found !== undefined) return found;
  const [node] = parseFragment(reference).childNodes;
  const character = node && 'value' in node ? node.value.replace('\u00a0', ' ') : reference;
  if (known.size < MOST_KNOWN) known.set(reference, character);
  return character;
}
