import { fold } from '../../../text/fold.ts';
import type { Token } from '../language/tokens.ts';

/** What a refused prompt may want to do. */
export type Action = 'remove' | 'add' | 'change' | 'move' | 'swap' | 'copy' | 'raise' | 'lower';

/** What a refused prompt may be about. */
export type Thing =
  | 'section'
  | 'table'
  | 'page'
  | 'entry'
  | 'link'
  | 'button'
  | 'headline'
  | 'title'
  | 'description'
  | 'paragraph'
  | 'heading'
  | 'image'
  | 'price'
  | 'telephone'
  | 'email'
  | 'year'
  | 'hours'
  | 'closed'
  | 'company'
  | 'question'
  | 'item'
  | 'typo';

/** Words of people, in English and German, without accents. Only for suggestions. */
const ACTIONS: [Action, RegExp][] = [
  [
    'remove',
    /^(?:remov(?:e|es|ing)|delet(?:e|es|ing)|drop|hide|cut|erase|scrap|ditch|axe|bin|kill|strip|rid|eliminate|discard|unlist|kick|trash|nuke|wipe|purge|chuck|dump|losch(?:e|en)?|entfern(?:e|en)?|streich(?:e|en)?|rausnehmen|wegnehmen|ausblenden)$/,
  ],
  [
    'add',
    /^(?:add(?:s|ing)?|insert|append|include|introduce|create|put|place|hinzu(?:fugen)?|fug(?:e|en)|erganz(?:e|en)|einfugen|aufnehmen|erstell(?:e|en))$/,
  ],
  ['copy', /^(?:copy|duplicate|clone|kopier(?:e|en)|duplizier(?:e|en))$/],
  ['move', /^(?:mov(?:e|ing)|shift|relocate|reorder|bring|verschieb(?:e|en)?|beweg(?:e|en)?)$/],
  ['swap', /^(?:swap|switch|exchange|flip|vertausch(?:e|en)?|tausch(?:e|en)?)$/],
  ['raise', /^(?:rais(?:e|ing)|increas(?:e|ing)|bump|hike|erhoh(?:e|en))$/],
  ['lower', /^(?:lower|reduc(?:e|ing)|decrease|cheapen|discount|senk(?:e|en)|reduzier(?:e|en))$/],
  [
    'change',
    /^(?:chang(?:e|ing)|set|update|edit|rewrite|rename|modify|adjust|amend|alter|replace|substitute|make|fix|correct|repair|turn|translate|rephrase|reword|improve|shorten|switch|point|link|lead|call|ander(?:e|n)|aktualisier(?:e|en)|bearbeit(?:e|en)|ersetz(?:e|en)|setz(?:e|en)|umbenennen|nenn(?:e|en)|mach(?:e|en)?|korrigier(?:e|en)|ubersetz(?:e|en))$/,
  ],
];

const THINGS: [Thing, RegExp][] = [
  ['section', /^(?:sections?|parts?|blocks?|areas?|passages?|bits?|abschnitte?|bereiche?|teile?)$/],
  ['table', /^(?:tables?|tabellen?)$/],
  ['page', /^(?:pages?|subpages?|(?:unter)?seiten?)$/],
  ['entry', /^(?:navigation|navi|nav|navbar|menu|menus|menue|menueintrag|menupunkt)$/],
  ['link', /^(?:links?|hyperlinks?|verlinkung|url)$/],
  ['button', /^(?:buttons?|cta|knopf|knopfe|schaltflachen?)$/],
  ['headline', /^(?:headlines?|h1|hauptuberschrift|headline|uberschrift)$/],
  ['heading', /^(?:headings?|subheadings?|subheadline|h2|zwischenuberschrift)$/],
  ['title', /^(?:titles?|titel|seitentitel)$/],
  ['description', /^(?:descriptions?|beschreibung|metabeschreibung)$/],
  ['paragraph', /^(?:paragraphs?|absatz|absatze)$/],
  ['image', /^(?:images?|pictures?|photos?|alt|bild|bilder|foto|alternativtext)$/],
  ['price', /^(?:prices?|costs?|rates?|fees?|preise?|preises|kostet|kosten)$/],
  ['telephone', /^(?:phone|telephone|tel|telefon|telefonnummer|rufnummer|hotline)$/],
  ['email', /^(?:e-?mails?|email-adresse|e-mail-adresse|mail|mailadresse)$/],
  ['year', /^(?:copyright|year|jahr|jahreszahl|copyright-jahr)$/],
  ['closed', /^(?:closed|shut|geschlossen)$/],
  ['hours', /^(?:hours|open|opens|opening|offnungszeiten|geoffnet|offen)$/],
  ['company', /^(?:company|business|brand|firm|firma|unternehmen|firmennamen?)$/],
  ['question', /^(?:questions?|faqs?|fragen?)$/],
  [
    'item',
    /^(?:cards?|tiles?|box|items?|bullets?|testimonials?|quotes?|reviews?|persons?|members?|packages?|plans?|steps?|rows?|karten?|punkte?|eintrag|pakete?|listenpunkt|zeile)$/,
  ],
  ['typo', /^(?:typos?|spelling|misspell\w*|misspelt|tippfehler|rechtschreibfehler)$/],
];

/** Words that say that something shall not be done. */
const FORBIDS =
  /\b(?:do(?:es)? not|don'?t|doesn'?t|never|must(?:n'?t| not)|should(?:n'?t| not)|shall not|may not|can ?not|can'?t|won'?t|will not|under no circumstances|no need|avoid|refrain|keep|leave|stop|undo|restore|revert|recover|protect|hold off|not (?:be )?(?:delete|remove|change|touch)\w*|rather not|(?:is|are|was|were|has|have|had)(?: not|n'?t)|no longer|not any ?more|used to|kidding|by mistake|accident\w*|nicht (?:losch\w*|entfern\w*|ander\w*|verander\w*)|nicht|kein\w*|niemals|nie|lass\w*|behalt\w*|wiederherstell\w*|ruckgangig)\b/;
/** Words that limit an instruction. A suggestion would do more, or something else. */
const LIMITS =
  /\b(?:except|unless|if|when|until|till|only|everything|anything|all but|besides|but|after|before|below|above|between|apart|whether|tomorrow|next|monday|tuesday|wednesday|thursday|friday|saturday|sunday|ausser|bis auf|wenn|falls|sobald|bis|nur|alles|nach|vor)\b/;
/** Beginnings of questions that request nothing. */
const ASKS =
  /^\W*(?:should|shall|what|why|how|is|are|was|were|does|do|did|who|when|where|which|has|have|am|may|must|soll\w*|warum|wieso|was|wie|wer|wann|wo|ist|sind|hat|darf)\b/;
const PAST = /\b(?:removed|deleted|dropped|hidden|geloscht|entfernt)\b/;

const unquoted = (tokens: Token[]) =>
  fold(
    tokens
      .filter(({ kind }) => kind === 'word' || kind === 'name' || kind === 'mark')
      .map(({ text }) => text)
      .join(' '),
  )
    .replace(/’/g, "'")
    .replace(/ 's\b/g, "'s");

/** What a refused prompt seems to want. */
export interface Wish {
  action?: Action;
  things: Set<Thing>;
  /** Whether it is limited by a condition, an exception, a time or another place. */
  isLimited: boolean;
}

/** Phrases that say what to do without a verb for it, or against the first verb. */
const PHRASES: [Action, RegExp][] = [
  [
    'remove',
    /\b(?:take|get|throw|toss|chuck|nimm|nehm\w*) .*\b(?:off|out|rid|down|away|weg|raus|heraus)\b|\b(?:throw|toss) out\b|\btake (?!.*\b(?:put|copy|use|move|add)\b).* from\b|\b(?:has|have|needs?|must|can|should) (?:to )?(?:be gone|go|disappear)\b(?! to)|\bmuss weg\b/,
  ],
  ['lower', /\b(?:cheaper|billiger|gunstiger)\b/],
  ['raise', /\b(?:more expensive|dearer|pricier|teurer)\b/],
];
const COMPANY = /\b(?:rename|call|rebrand) us\b|\bour name\b|\bwir heissen\b/;

/** Reads what a prompt seems to want. null if it seems to forbid or ask something. */
export function wishIn(tokens: Token[]): Wish | null {
  const text = unquoted(tokens);
  if (FORBIDS.test(text) || ASKS.test(text)) return null;
  const words = tokens.flatMap(({ kind, text: word }) =>
    kind === 'word' ? (/[\p{L}\p{N}-]+/u.exec(fold(word)) ?? []) : [],
  );
  const first = words.flatMap((word) => ACTIONS.filter(([, is]) => is.test(word)))[0]?.[0];
  const action = PHRASES.find(([, is]) => is.test(text))?.[0] ?? first;
  const things = new Set(
    words.flatMap((word) => THINGS.filter(([, is]) => is.test(word)).map(([thing]) => thing)),
  );
  if (COMPANY.test(text)) things.add('company');
  return {
    ...(action && { action }),
    things,
    isLimited: LIMITS.test(text) || PAST.test(text),
  };
}

const SMALL = /^(?:about|home|contact|blog|services|pricing|here|more|now|start|news|search)$/;
/** What a word may ask to do. */
export const actionsOf = (word: string): Action[] =>
  ACTIONS.flatMap(([action, is]) => (is.test(word) ? [action] : []));
/** What a word may be about. */
export const thingsOf = (word: string): Thing[] =>
  THINGS.flatMap(([thing, is]) => (is.test(word) ? [thing] : []));
const isAction = (word: string) => ACTIONS.some(([, is]) => is.test(word));
/** Whether a word says that something is removed. */
export const isRemoval = (word: string): boolean => ACTIONS[0]![1].test(word);

/** Whether a word is used for actions and things, so that it may be no name. */
export const isVocabulary = (word: string): boolean =>
  SMALL.test(word) || [...ACTIONS, ...THINGS].some(([, is]) => is.test(word));

const VAGUE =
  /^(?:page|pages|site|website|text|thing|take|get|off|out|let|have|will|just|too|please|seite|bitte|und|from|with|should|would)$/;
/** Whether a word says too little to find a name by it. */
export const isVague = (word: string): boolean =>
  VAGUE.test(word) ||
  isAction(word) ||
  THINGS.some(([thing, is]) => !DESCRIBING.includes(thing) && is.test(word));
/** Things that headings are about. */
const DESCRIBING: Thing[] = ['question', 'item', 'price', 'hours'];
