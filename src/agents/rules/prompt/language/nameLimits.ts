import { wordSet } from '../../../../text/wordLists.ts';
import { readAmount, readDate, readEmail, readPhone } from './factReaders.ts';
import { verbs } from './synonyms.ts';
import { textOf, type Token, type TokenKind } from './tokens.ts';

/**
 * Words that deny, restrict, ask, report or hedge. No name without quotes has them, and no text
 * without quotes has them behind its first word: they belong to the sentence around it.
 */
const QUALIFIERS = wordSet(`
  not no never none nor neither without except excluding unless if whether when whenever while until
  till once instead rather otherwise only even maybe perhaps probably possibly hopefully preferably
  slightly somewhat twice temporarily currently or other apart else anything`);

/** Further words that belong to the sentence around a name. */
const SENTENCE_WORDS = wordSet(`
  but than then just also again almost nearly always often sometimes everything something nothing
  everyone everybody all both either every each any some such same too very more less
  is are was were be been being am do does did has have had should would could may might must shall
  will can let says said say think thinks believe told tell asked asks want wants need needs
  that this these those they them he she it i we you him her whose which whom
  because since as so after before during per yesterday today tomorrow tonight soon now later first last
  above below behind beneath under underneath via upon onto into off from to by at with on in
  following previous next starting beginning effective half quarter bit lot quite etc pm a.m. p.m. noon midnight o'clock`);

/** Words inside a name, and never its first or last: `Head of Support`. */
const JOINTS = wordSet('of and & for');
/** Words that a name may begin with, or have behind a joint, and never end with. */
const ARTICLES = wordSet('the a an our my');

/** Words that stand beside a name with a capital letter and are no part of it: `Pro Plan`. */
const NOUNS = wordSet(`
  the a an our my page pages site section sections table card cards button buttons link links menu
  entry item plan package tier product price prices question faq team member studio company`);

/** Adverbs that end in `ly`. Most other words with this end are adjectives. */
const ADVERB = /^\p{Ll}{3,}ly$/u;
const NO_ADVERBS = wordSet(`
  family daily weekly monthly yearly quarterly hourly nightly friendly early lovely elderly assembly
  supply reply fly jelly`);

const DENIED = /n['’]t$/;
const isQualifier = ({ word }: Token) => QUALIFIERS.has(word) || DENIED.test(word);

/** Whether tokens have a value that is no part of a name: a price, an address, a quoted text. */
const hasValue = (tokens: Token[], start: number, end: number): boolean =>
  tokens
    .slice(start, end)
    .some(
      ({ kind, text }) =>
        APART.has(kind) || /\p{Sc}|%|@|^[+(]?\d[\d()./:-]{3,}\d$|^\d{1,2}[ap]m$/u.test(text),
    );

const FACTS = [readAmount, readPhone, readEmail, readDate];
/** Whether the tokens are one value as a whole, such as `+1 303 555 0100`. */
const isValue = (tokens: Token[], start: number, end: number): boolean =>
  FACTS.some((read) => read(tokens, start).some((reading) => reading.end === end));

const isCapital = (token: Token | undefined): boolean =>
  token?.kind === 'word' && /^(?:\p{Lu}\p{Ll}|I$)/u.test(token.text);

/** Whether a name ends at a word that may be a part of it: `Saints` in `All Saints`. */
function isTorn(tokens: Token[], start: number, end: number): boolean {
  const pairs = [
    [tokens[start], start > 1 ? tokens[start - 1] : undefined],
    [tokens[end - 1], tokens[end]],
  ];
  return pairs.some(
    ([own, beside]) => isCapital(own) && isCapital(beside) && !NOUNS.has(beside!.word),
  );
}

const takesArticle = (word: string) => JOINTS.has(word) || word === 'about';
/** Whether a word belongs to the sentence around a name. */
const isOutside = ({ word, text }: Token) =>
  SENTENCE_WORDS.has(word) || (ADVERB.test(text) && !NO_ADVERBS.has(word));

/** Whether these tokens can be the name of something, written without quotes. */
export function isName(tokens: Token[], start: number, end: number): boolean {
  if (isValue(tokens, start, end)) return true;
  const own = tokens.slice(start, end);
  return !(
    verbs.has(own[0]!.word) ||
    JOINTS.has(own[0]!.word) ||
    JOINTS.has(own.at(-1)!.word) ||
    ARTICLES.has(own.at(-1)!.word) ||
    own.some(({ word }, i) => i > 0 && ARTICLES.has(word) && !takesArticle(own[i - 1]!.word)) ||
    own.some((token) => isQualifier(token) || isOutside(token)) ||
    hasValue(tokens, start, end) ||
    isTorn(tokens, start, end)
  );
}

/** Whether these tokens can be the name of a company: `Head & Shoulders of London`. */
export const isProperName = (tokens: Token[], start: number, end: number): boolean =>
  isName(tokens, start, end) &&
  !isValue(tokens, start, end) &&
  tokens
    .slice(start, end)
    .every(({ word, text }) => /^[^\p{Ll}]/u.test(text) || JOINTS.has(word) || ARTICLES.has(word));

/** Whether these tokens can be a text to write, without quotes. */
export const isUnquotedText = (tokens: Token[], start: number, end: number): boolean =>
  !tokens.slice(start + 1, end).some(isQualifier) &&
  tokens.slice(start, end).every(({ kind }) => !APART.has(kind)) &&
  ![...MANNERS, ...REFERENCES, ...DESCRIPTIONS].some((pattern) =>
    pattern.test(textOf(tokens, start, end) + cutAt(tokens, end)),
  );

const cutAt = (tokens: Token[], end: number) =>
  end === tokens.length ? (tokens.at(-1)!.cut ?? '') : '';

/** How a text should look, where and when it should be written, and what else should be done. */
const MANNERS = [
  / on (?:small |big |large |mobile )?(?:phones?|mobiles?|devices|tablets?|desktops?|screens?|smartphones?)$/i,
  /\b(?:this|every|each) (?:week|month|year|morning|evening|weekend|time|(?:mon|tues|wednes|thurs|fri|satur|sun)day)$/i,
  / (?:during \p{L}+|in (?:january|february|march|april|may|june|july|august|september|october|november|december))$/iu,
  / on (?:every|each|all)(?: the| our)? pages?$/i,
  / (?:given that|provided|assuming|as long as|so long as|in case) /i,
  / (?:\d+|two|three|four|five) times$|, (?:title|headline|heading|h1|description)\b/i,
  / (?:lol|haha|hehe|jk|rofl)$|[ (](?:just )?(?:kidding|joking|joke)\b| \((?:smaller|bigger|larger|bolder|shorter|longer|bold|italic|red|blue|green|centred|centered)\)?$/u,
  / (?:translated|reversed|repeated|doubled|abbreviated|shortened)$| (?:linked to|followed by) /i,
  / with (?:an?|the) link\b| (?:plus|minus) (?:an?|the) /i,
  /\bin (?:an? )?(?:\p{L}+ )?(?:bold|italics?|capitals?|caps|(?:upper|lower) ?case|colou?rs?|fonts?|letters|red|blue|green|black|white|gr[ae]y|yellow|orange|purple|pink|brown)\b/iu,
  /\b(?:after|before) (?:\d{1,2}(?::\d\d)? ?[ap]\.?m\b|noon|midnight)/i,
  /\b(?:after|before|by|from|on|starting) (?:next|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day\b)/i,
  / (?:underlined?|border|shadow|background|fonts?|cent(?:re|er)d|aligned|bigger|smaller|larger|highlighted|bold|italics?)\b|, \p{Ll}+$/iu,
  / (?:tomorrow|tonight|later|soon|again|almost|next \p{L}+|as a test|by mistake|etc|and so (?:on|forth)|but|and|the|an?)$/iu,
  /\b(?:and|then) (?:tell|ask|let|notify|inform|send|remind|check|make|keep|leave) (?:\p{Lu}|(?:me|him|her|it|them|that|the|everyone|everybody)\b)/u,
];

const LANGUAGES =
  'english|german|french|spanish|italian|portuguese|dutch|polish|czech|russian|ukrainian|greek|turkish|danish|swedish|norwegian|finnish|chinese|japanese|korean|arabic|hindi|hebrew';
const FONTS = 'arial|helvetica|verdana|georgia|times|courier|comic sans';

const THEIR =
  '(?:title|headline|heading|h1|name|text|slogan|motto|tagline|claim|description|wording|label)';
/** What stands for another text, or for none: `One of ours`, `The title of /about`, `0`. */
const REFERENCES = [
  /^(?:one|any|some|none|each|all|either|both|most|half|part) of\b|^\d{1,3}$/i,
  /^(?:nothing|none|null|nil|empty|blank|default|original|ditto|placeholder|something|anything|whatever|usual|requested|agreed|discussed|suggested|button|dropdown|submenu|icon|first|last|caps|it|this|that|these|those|same|previous|hidden|bold|surprise me|you decide|up to you|as is|see (?:above|below|attach(?:ed|ment))|as (?:above|below|before)|(?:option|version|variant|choice) (?:\p{L}|\d+)|x{1,3}|xyz|abc|foo|lorem ipsum)$/iu,
  /^(?:the )?same as\b|^the same$|\bplaceholder$|^(?:mention|contain|reflect) /i,
  /^[Tt]he ones? (?:on|of|from|in|with|we|you|he|she|they|that|\p{Lu})/u,
  new RegExp(`^the ${THEIR} (?:of|on|from|in|for)\\b`, 'i'),
  new RegExp(
    `^(?:our|its|my|your|the) (?:(?:old|new|other|previous|former|original|current) )?${THEIR}$`,
    'i',
  ),
  /^(?:an?|one|two|three|four|five|\d) (?:short |long |new )?(?:lines?|words?|letters?|questions?|sentences?|headlines?|titles?|joke|pun|quote|slogan|emoji|icon|text)$/i,
];

/** What describes a text, and who said it: `German`, `24px`, `Fair prices as Bob wrote`. */
const DESCRIPTIONS = [
  new RegExp(`(?:^| in )(?:${LANGUAGES}|${FONTS})(?:$|,)`, 'i'),
  /^(?:left|right|cent(?:er|re|ered|red)|hidden|invisible|visible|bold|italics?|h[1-6]|tb[acd]|todo|n\/a)$/i,
  /(?:^| )\d+(?:\.\d+)? ?(?:px|pt|r?em|pixels?)\b|^\d+ ?% (?:width|height|size|opacity)\b|^\d+ (?:lines?|characters?|words?|letters?)$/i,
  / (?:as|like) (?:[\p{L}'’]+ ){0,2}(?:requested|agreed|discussed|suggested|proposed|planned|wanted|wants|wished|said|says|wrote|told|asked|usual|before)\b/iu,
  /^what .* (?:suggested|proposed|wanted|wants|said|wrote|before)$|(?:['’]s|\b(?:your|my|our|the)) (?:suggestion|version|choice|proposal|draft|idea|wording|(?:old|new|other|same) one)$/i,
  / (?:please|per (?:the|our|my|your))\b| \((?:draft|see|ask|says?|as|my|via|subject)\b/u,
  / (?:with|plus|minus) (?:an?|the) (?:\p{L}+ )?(?:mark|star|stop|icon|arrow|emoji|dash|comma|picture|image|logo)$/iu,
  / from the (?:old|new|other) \p{L}+$|\b(?:company|site|page) name\b/iu,
];

/** Kinds of tokens that are values of their own. */
const APART = new Set<TokenKind>(['quote', 'slug', 'address']);
