import { normalizeSlug } from '../../../../sites/pages/slug.ts';
import { daysAt } from '../../../../text/days.ts';
import { wordSet } from '../../../../text/wordLists.ts';
import { fold } from '../../../text/fold.ts';
import { closest } from '../../../tools/model/closestNames.ts';
import { textOf, type Token, type TokenKind } from '../language/tokens.ts';
import { lettersOf } from '../proposals.ts';
import { NEEDS_MODEL } from '../refusal.ts';
import { type Filled, quote, type Refusal } from './fill.ts';
import { namesLike } from './foundValues.ts';
import type { Template } from './templates.ts';
import { actionsOf, isVocabulary, thingsOf } from './vocabulary.ts';

/**
 * Words that say nothing about what to change, where, when or how much. A word that is missing here
 * costs a suggestion, a wrong word here makes a wrong one.
 */
const FILLERS = wordSet(`
  a an the our my your we us i its you d s me is are am be being become becomes
  to of on in at from for with by into as and also too off out
  please plz pls kindly thanks thank thx hi hello hey dear ok okay asap now today just simply
  immediately henceforth quickly completely entirely
  can could would will should shall must ought let lets have has need needs get give want wish
  think mean say says said read reads lived known rather than instead
  that so new these days page pages site website whole entire
  go going gone goes rid take kick throw very bar bold
  bitte der die das den dem des ein eine einen von auf an am im zu zum zur und fur um jetzt nun
  ab sofort neue neuen unser unsere unseren unserer uns wir ist sind soll sollen muss mal doch
  teh uhr hinzu ganz durch nach aus ich bis seite`);
/** Words for one kind of instruction, which show what it does or where. */
const OWN_WORDS: [Set<string>, RegExp][] = [
  [
    wordSet('all every alle cheaper dearer pricier expensive more billiger gunstiger teurer'),
    /\ball\b/,
  ],
  [wordSet('every everywhere throughout uberall'), /everywhere|^Change the (?:price|copyright)/],
  [wordSet('name known called brand rebrand heissen'), /company/],
  [wordSet('everything'), /^Copy/],
  [wordSet('elsewhere'), /^Move/],
  [wordSet('it'), / it$/],
  [wordSet('text word words phrase'), /^(?:Replace|Change|Make|Fix)/],
];
const HOME = wordSet('home homepage landing front start startseite');

/** Words that restrict an instruction, or ask for a look: a new text alone is another change. */
const RESTRICTS =
  /^(?:empty|clear|blank|half|first|second|third|fourth|fifth|last|two|three|four|five|both|each|most|some|any|other|another|one|ones|or|but|not|never|no|nobody|they|he|she|their|his|her|them|was|were|had|did|does|this|rest|bigger|smaller|larger|red|blue|green|black|white|gr[ae]y|bold|italics?|underlined?|cent(?:er|re)(?:ed|d)?|font|size|colou?rs?|phones?|mobile|desktop|tablets?|background|border|shadow|image|if|unless|except|when|until|only|tomorrow|later|maybe|perhaps|kidding|joking|jk|lol)$/;
/** A part of something: `half of the section`, `the lower part of Packages`. */
const PARTIAL =
  /\b(?:a|an|the|one|some|any|this|that|every|most|first|second|third|last|upper|lower|top|bottom|other|big|small|large|little|remove|delete|drop|cut|hide|losche|entferne) (?:(?:small|big|large|whole) )?(?:parts?|bits?|blocks?|areas?|passages?|pieces?|teile?) (?:of|from|in|von|der|des) /;
const TEMPORARY = /\bfor (?:now|today|the moment)\b/;
/** Polite words, which a word alone would not be. */
const POLITE =
  /\bit would be (?:nice|great|good|lovely|helpful) if\b|\b(?:would|d) (?:like|love)\b|\bat once\b/;
/** A lower limit of a price: `from $5,000`. */
const FROM_AMOUNT = /\b(?:from|ab|starting at) \p{Sc}? ?\d/u;
/** How a request begins that is put as a question. */
const REQUESTS = /^\W*(?:can|could|would|will|please|kannst|konnte\w*|bitte)\b/;
const RAISED_TO = /\b(?:to|at|auf) \p{Sc}? ?\d/u;
/** A page as the place of something else: `move it to /about`. */
const TO_PAGE = /^\W*\w+ (?:it|this|that|them) (?:to|into|nach) \//;
/** The links to a page that is deleted. Other links are no reason to delete it. */
const WITH_LINKS = /\b(?:and|with) (?:all )?(?:the |its )?links? to it\b/;
/** What follows a text that is replaced by another one. Two texts that change places have `and`. */
const FOR_OTHER = /\b(?:for|with|by|durch|gegen)\b/;
const REPORTS = /\b(?:you|site|website|page|i|we) (?:say|says|said)\b/;
const BLANK_TEXT = '"…"';

/**
 * Whether a suggestion does all that a refused part of a prompt says: each of its values and words.
 * Otherwise it would do something else, or more. Words may describe a text that is left blank.
 */
export function isAccountedFor(filled: Filled, template: Template, refusal: Refusal): boolean {
  const tokens = withoutPolite(
    refusal.tokens.map((token, at, all) => corrected(token, all[at + 1])),
  );
  const isKnown = knownIn(filled, template, refusal);
  const isBlank = filled.text.includes(BLANK_TEXT) && template.actions.includes('change');
  const isSaid = (word: string) =>
    isBlank ? (isKnown(word) || isDescribing(word)) && !RESTRICTS.test(word) : isKnown(word);
  return (
    !isOther(template, refusal) &&
    hasNumbers(filled, tokens) &&
    hasDays(filled, refusal) &&
    tokens.every((token) =>
      VALUES.has(token.kind)
        ? hasValue(filled, token, refusal)
        : wordsIn(token.text).every((word) => isSaid(word)),
    )
  );
}

const VALUES = new Set<TokenKind>(['quote', 'slug', 'address']);

/** Whether the prompt's words together mean something else than an instruction of this kind. */
function isOther({ text, actions }: Template, { tokens, wish }: Refusal): boolean {
  const { action, things } = wish;
  const whole = fold(textOf(tokens));
  const isRelative = action === 'raise' || action === 'lower';
  const isPrice = text.includes('{amount}');
  return (
    TEMPORARY.test(whole) ||
    (whole.endsWith('?') && !REQUESTS.test(whole)) ||
    (isPrice && (FROM_AMOUNT.test(whole) || (isRelative && !RAISED_TO.test(whole)))) ||
    REPORTS.test(whole) ||
    (text.startsWith('Move {target}') && TO_PAGE.test(whole)) ||
    (text.startsWith('Copy') && action === 'add' && !things.has('page')) ||
    (text.startsWith('Replace') && action === 'swap' && !FOR_OTHER.test(whole)) ||
    (text.startsWith('Delete') && things.has('link') && !WITH_LINKS.test(whole)) ||
    (actions.includes('remove') &&
      (PARTIAL.test(whole) || tokens.some(({ kind }) => kind === 'address')))
  );
}

/** A misspelled word before a page, which is a word of its own elsewhere. */
const corrected = (token: Token, next: Token | undefined): Token =>
  token.word === 'form' && next?.kind === 'slug' ? { ...token, text: 'from' } : token;

/** Without polite phrases, whose words alone may say something. */
function withoutPolite(tokens: Token[]): Token[] {
  const words = tokens.map(({ word }) => word.replace(/^'/, '') || '-');
  const { 0: phrase = '', index = 0 } = POLITE.exec(words.join(' ')) ?? {};
  const from = words.join(' ').slice(0, index).split(' ').length - 1;
  return phrase === '' ? tokens : tokens.toSpliced(from, phrase.split(' ').length);
}

const wordsIn = (text: string) => fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];
const stemOf = (word: string) => word.replace(/(?:ing|es|ed|en|e|s|n)$/, '');
const isDescribing = (word: string) =>
  thingsOf(word).length === 0 && actionsOf(word).every((one) => one === 'change');

/** Whether a word of the prompt is also in a suggestion, or says nothing else. */
function knownIn({ text }: Filled, template: Template, { site }: Refusal) {
  const slugs: string[] = text.match(/(?<= )\/\S*/g) ?? [];
  const titles = site.pages.filter(({ slug }) => slugs.includes(slug)).map(({ title }) => title);
  const said = new Set([
    ...wordsIn(text),
    ...titles.flatMap(wordsIn).filter((word) => !isVocabulary(word)),
  ]);
  if (slugs.includes('/')) for (const word of HOME) said.add(word);
  const stems = new Set(wordsIn(text.replace(/\/\S*/g, ' ')).map(stemOf));
  const misspelled = new Set([...said].filter(({ length }) => length > 4).map(lettersOf));
  const { actions, things } = template;
  return (word: string) =>
    FILLERS.has(word) ||
    said.has(word) ||
    stems.has(stemOf(word)) ||
    misspelled.has(lettersOf(word)) ||
    /^\d+$/.test(word) ||
    daysAt(word).days.length > 0 ||
    thingsOf(word).some((thing) => things.includes(thing)) ||
    actionsOf(word).some((one) => actions.includes(one)) ||
    (actionsOf(word).includes('change') && !NEEDS_MODEL.test(word)) ||
    OWN_WORDS.some(([words, is]) => words.has(word) && is.test(text));
}

/** Whether a suggestion has the numbers of the prompt, each as often. */
function hasNumbers({ text }: Filled, tokens: Token[]): boolean {
  const left: string[] = text.match(/\d+/g) ?? [];
  const own = tokens.filter(({ kind }) => kind === 'word' || kind === 'name' || kind === 'mark');
  return own
    .flatMap((token) => token.text.match(/\d+/g) ?? [])
    .every((number) => {
      const at = left.indexOf(number);
      return at >= 0 && left.splice(at, 1).length === 1;
    });
}

/** Whether the days that a suggestion has are all that the prompt names. */
function hasDays({ text }: Filled, { tokens, values }: Refusal): boolean {
  const named = tokens.flatMap(({ kind, word }) =>
    kind === 'word' && word.length > 2 ? daysAt(word).days : [],
  );
  const [shown = ''] = values.days;
  const { days } = daysAt(shown);
  return named.length === 0 || (text.includes(shown) && named.every((day) => days.includes(day)));
}

/** Whether a suggestion has a quoted text, slug or address, or the name nearest to it. */
function hasValue({ text, used }: Filled, token: Token, { site, tokens }: Refusal): boolean {
  if (token.kind === 'quote') {
    const names = site.names.filter((name) => used.includes(fold(name.text)));
    const isShown = fold(text).includes(fold(quote(token.text))) || used.includes(token.text);
    const isLike = namesLike([token], names).length > 0;
    const others = tokens.filter((other) => other !== token);
    const isTwice = isLike && names.every((name) => fold(name.text) !== fold(token.text));
    return isShown ? !isTwice || namesLike(others, names).length > 0 : isLike;
  }
  const path = /^(?:https?:\/\/[^/]+)?(\/.*)$/i.exec(token.text)?.[1];
  if (path === undefined) return text.includes(token.text);
  const slug = normalizeSlug(path.replace(/[.,)]$/, ''));
  const slugs = site.pages.map((page) => page.slug);
  const meant = slugs.includes(slug) ? slug : (closest(slugs, slug)[0] ?? slug);
  return ` ${text} `.includes(` ${slug} `) || ` ${text} `.includes(` ${meant} `);
}
