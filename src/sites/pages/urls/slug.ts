import { normalizeText } from '../../../contract/normalizeText.ts';

/** Slugs of pages. Pure, without Node's modules: the API's validation uses it too. */

const MAX_LENGTH = 200;
/** Most bytes of a segment: the file systems' limit, less `.html`. */
const MAX_SEGMENT_BYTES = 240;
/**
 * Length of a character and `/index.html/`: how much of the text is checked again after an ending
 * is removed.
 */
const LONGEST_ENDING = 13;

const allowedCharacters = /^[\p{L}\p{M}\p{N}\-_.~+@!$&'(),;=]+$/u;
const controlCharacters = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Cn}\p{Co}]/u;
/** Names of devices in Windows, with any extension, short names of git's folder, and packages. */
const reservedNames =
  /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]|git~\d+)(\.|$)|^node_modules$/iu;

/** What can be wrong with a slug, each as the end of a sentence. */
export const slugProblems = {
  noSlash: 'must start with "/"',
  tooLong: `must not be longer than ${MAX_LENGTH} characters`,
  invisible: 'must not contain control, direction or other invisible characters',
  space: 'must not contain spaces',
  percent: 'must not contain "%": write characters without percent-encoding',
  urlSyntax: 'must not contain "?", "#" or a backslash',
  equivalent: 'must not contain characters that are equivalent to dots, slashes or spaces',
  emptySegment: 'must not contain empty segments',
  leadingDot: 'must not contain segments that start with a dot',
  trailingDot: 'must not contain segments that end with a dot',
  characters: "must contain only letters, numbers and -_.~+@!$&'(),;=",
  reserved: 'must not contain a reserved name',
  longSegment: `must not contain segments that are longer than ${MAX_SEGMENT_BYTES} bytes`,
  homePage: 'must not be the home page "/"',
};

/**
 * Normalizes a page's slug: NFC, no `/` at the end, `/x/index.html` and `/x.html` as `/x`,
 * `/index.html` as `/`. `checkSlug` also refuses invalid slugs.
 */
export function normalizeSlug(slug: string): string {
  let normalized = normalizeText(slug, 'NFC');
  for (let lastLength = -1; lastLength !== normalized.length;) {
    lastLength = normalized.length;
    const tail = normalized.slice(-LONGEST_ENDING);
    const shorter = tail
      .replace(/(?<=[^/.])\.html?$/i, '')
      .replace(/\/index$/i, '/')
      .replace(/(?<=[^/])\/$/, '');
    normalized = normalized.slice(0, normalized.length - tail.length + shorter.length);
  }
  return normalized;
}

/**
 * Checks a client's path of a page.
 * @param slug the client's text
 * @param options.exists whether the site has the page (default false). Then the path may be `/`
 *   (the home page), and may have spaces
 * @returns the normalized slug, or one of `slugProblems`
 */
export function checkSlug(
  slug: string,
  { exists = false }: { exists?: boolean } = {},
): { slug: string } | { problem: string } {
  const plain = exists ? slug.replace(/(?<=[^\s/]) (?=[^\s/])/g, '-') : slug;
  const problem = textProblem(plain) ?? (slug === '/' ? undefined : segmentsProblem(plain));
  if (problem) return { problem };
  const normalized = normalizeSlug(slug);
  if (normalized === '/' && !exists) return { problem: slugProblems.homePage };
  return { slug: normalized };
}

function textProblem(slug: string): string | undefined {
  if (!slug.startsWith('/')) return slugProblems.noSlash;
  if (slug.length > MAX_LENGTH) return slugProblems.tooLong;
  if (controlCharacters.test(slug)) return slugProblems.invisible;
  if (/\s/.test(slug)) return slugProblems.space;
  if (slug.includes('%')) return slugProblems.percent;
  if (/[?#\\]/.test(slug)) return slugProblems.urlSyntax;
  for (const character of slug)
    if (!/[./]/.test(character) && /[./\\%?#\s]/.test(normalizeText(character, 'NFKC')))
      return slugProblems.equivalent;
  return undefined;
}

const segmentsProblem = (slug: string) =>
  slug.slice(1).replace(/\/$/, '').split('/').map(segmentProblem).find(Boolean);

function segmentProblem(segment: string): string | undefined {
  if (segment === '') return slugProblems.emptySegment;
  if (segment.startsWith('.')) return slugProblems.leadingDot;
  if (segment.endsWith('.')) return slugProblems.trailingDot;
  if (!allowedCharacters.test(segment)) return slugProblems.characters;
  if (reservedNames.test(normalizeText(segment, 'NFKC'))) return slugProblems.reserved;
  if (new TextEncoder().encode(normalizeText(segment, 'NFC')).length > MAX_SEGMENT_BYTES)
    return slugProblems.longSegment;
  return undefined;
}

/**
 * Folds a slug or path: removes differences that some file systems ignore. The results for `/Café`
 * and `/cafe\u0301` are equal.
 */
export const foldSlug = (slug: string) =>
  /[^\0-\x7f]/.test(slug)
    ? normalizeText(slug, 'NFKC').toLowerCase().toUpperCase().toLowerCase()
    : slug.toLowerCase();
