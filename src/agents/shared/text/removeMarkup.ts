import { parseFragment } from 'parse5';
import { wordSet } from '../../../text/wordLists.ts';

const INLINE_TAGS = wordSet(`
  a abbr acronym b bdi bdo big button center cite code data del dfn em font i img input ins kbd
  label mark meter picture progress q rp rt ruby s samp small source span strike strong sub sup
  svg path g time tt u var wbr video audio track canvas object embed iframe map area select option`);
const BLOCK_TAGS = wordSet(`
  address article aside blockquote body br caption col colgroup dd details dialog div dl dt
  fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hr html legend li link main
  menu meta nav noscript ol p pre section summary table tbody td template textarea tfoot th thead
  title tr ul`);

/** HTML tags by name. Other text in angle brackets is not a tag: `5 < 6`, `<ola@acme.example>`. */
const TAG_PATTERN = new RegExp(
  `</?(${[...INLINE_TAGS, ...BLOCK_TAGS].join('|')})(?:\\s[^<>]*|/)?>`,
  'giu',
);
const CHARACTER_REFERENCE = /&(?:[a-z][a-z\d]{1,30}|#\d{1,7}|#x[\da-f]{1,6});/giu;
const MARKUP_HINT = /<[a-z/!]|&[a-z#]/iu;
const PARAGRAPH_TAGS = wordSet('p div h1 h2 h3 h4 h5 h6 section article blockquote ul ol table');
const MAX_ROUNDS = 3;

/** Replaces HTML tags and character references by the text that a browser would show. */
export function removeMarkup(text: string): string {
  if (!MARKUP_HINT.test(text)) return text;
  let plainText = text;
  // decoding may produce another tag: from text escaped twice, or from one tag inside another
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const nextText = removeTags(removeHiddenContent(plainText)).replace(
      CHARACTER_REFERENCE,
      decodeReference,
    );
    if (nextText === plainText) break;
    plainText = nextText;
  }
  return plainText === text ? text : tidyParagraphs(removeTags(plainText));
}

/** Puts each paragraph on one line, with an empty line between paragraphs. */
const tidyParagraphs = (text: string) =>
  text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
    .filter((paragraph) => paragraph !== '')
    .join('\n\n');

const removeTags = (text: string) =>
  text.replace(/<\/li\s?>\s?<li(?:\s[^<>]*)?>/giu, ', ').replace(TAG_PATTERN, (_, name: string) => {
    const tagName = name.toLowerCase();
    return PARAGRAPH_TAGS.has(tagName) ? '\n\n' : INLINE_TAGS.has(tagName) ? '' : ' ';
  });

/** Removes comments, scripts and styles, including their content. */
function removeHiddenContent(text: string): string {
  // lower case only for ASCII: some other letters become longer, which would shift positions
  const lowerText = text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  let shownText = '';
  let position = 0;
  for (const { 0: opening, index } of lowerText.matchAll(/<!--|<script\b|<style\b/gu)) {
    if (index < position) continue;
    const closing = opening === '<!--' ? '-->' : `</${opening.slice(1)}`;
    const end = lowerText.indexOf(closing, index);
    shownText += text.slice(position, index);
    position = end === -1 ? text.length : lowerText.indexOf('>', end) + 1 || text.length;
  }
  return shownText + text.slice(position);
}

const decodedReferences = new Map<string, string>();
const MAX_CACHED_REFERENCES = 1_000;

function decodeReference(reference: string): string {
  const cachedCharacter = decodedReferences.get(reference);
  if (cachedCharacter !== undefined) return cachedCharacter;
  const [node] = parseFragment(reference).childNodes;
  const character = node && 'value' in node ? node.value.replace('\u00a0', ' ') : reference;
  if (decodedReferences.size < MAX_CACHED_REFERENCES) decodedReferences.set(reference, character);
  return character;
}
