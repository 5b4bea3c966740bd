import { defined } from '../../../../contract/defined.ts';
import {
  EVERYWHERE,
  FIELD,
  IN,
  OF,
  page,
  PAGE,
  placed,
  quote,
  rule,
  SET,
  TO,
  UNDER,
  value,
  type Rule,
} from './phrases.ts';
import { readPosition, POSITION } from './positions.ts';

const REPLACE = '(?:replace|swap|substitute|change|rename|update)';
const WITH = '(?:with|by|to|for|into)';
const field = `(?<field>${FIELD})`;
const to = `(?: from ${quote('old')})?${TO}${quote('text')}`;

const set = rule((match) => {
  const [page, text, old] = [match.page(), match.text('text')!, match.text('old')];
  if (page === null) return null;
  return { kind: 'set', field: match.field(), page: page ?? null, text, ...defined({ old }) };
});

export const fieldRules: Rule[] = [
  set(`(?:${SET} )?(?:the |its )?${field}${to}`),
  set(`(?:${SET} )?(?:the )?${field} ${OF} ${page}${to}`),
  set(`${SET} (?:the )?${field}${to} ${OF} ${page}`),
  set(`${OF} ${page},? ${SET} (?:the |its )?${field}${to}`),
  set(`(?:${SET} )?${page}(?:['’]s?)? ${field}${to}`),
];

const replace = rule((match) => {
  const [from, to, pages] = [match.value('from'), match.value('to'), match.scope()];
  return from === null || to === null || pages === null ? null : { kind: 'replace', from, to, pages: pages ?? null };
});

export const replaceRules: Rule[] = [
  ...[EVERYWHERE, `${IN} (?<pages>.+?)`].flatMap((scope) => [
    replace(`${REPLACE} ${value('from')} ${WITH} ${value('to')},? ${scope}`),
    replace(`${scope},? ${REPLACE} ${value('from')} ${WITH} ${value('to')}`),
    replace(`${REPLACE} ${value('from')} ${scope} ${WITH} ${value('to')}`),
    replace(`find ${value('from')} ${scope} and (?:replace|change) it ${WITH} ${value('to')}`),
    replace(`find ${value('from')} and (?:replace|change) it ${WITH} ${value('to')},? ${scope}`),
  ]),
  replace(`${REPLACE} ${value('from')} ${WITH} ${value('to')}`),
];

const PART = '(?<part>paragraph|list item|bullet(?: point)?|item|(?:sub-?)?heading)';
const LIST = '(?: (?:in|of|from|on) (?:the )?list)?';

const readPart: Rule['read'] = (match) => {
  const [page, part] = [match.page(), match.groups['part']!.toLowerCase()];
  const [now, section, position] = [match.text('now'), match.text('section'), readPosition(match)];
  if (page === null) return null;
  const role = part === 'paragraph' ? 'paragraph' : part.endsWith('heading') ? 'heading' : 'list-item';
  if (now === undefined && (section === undefined || role === 'heading')) return null;
  return {
    kind: 'text',
    role,
    ...defined({ now, section, position }),
    page: page ?? null,
    text: match.text('text')!,
  };
};

/** Texts by their role and place: the paragraph under a heading, a list item. */
export const partRules: Rule[] = [
  `${PART}(?: (?:saying|that says|reading))? ${quote('now')}(?:${LIST} ${UNDER})?`,
  `(?:${POSITION} ${PART}|${PART} ${POSITION}|${PART})${LIST} ${UNDER}`,
].flatMap((thing) => placed(readPart, PAGE, `(?:${SET}|replace) (?:the )?${thing}`, `${TO}${quote('text')}`));
