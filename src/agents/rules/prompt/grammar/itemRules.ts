import { defined } from '../../../../contract/defined.ts';
import { QUOTE } from '../quotes.ts';
import type { ItemKind } from '../instructions.ts';
import { PAGE, placed, quote, UNDER, type Match, type Rule } from './phrases.ts';

const ITEM = '(?<item>card|tile|box|list item|bullet(?: point)?|item|entry|(?:table )?row|question|faq(?: entry)?)';
const GROUP = '(?<group>list|bullets|cards|grid|tiles|table|rows|questions|faqs?|items|entries|group)';

const KINDS: [ItemKind, RegExp][] = [
  ['card', /card|tile|box|grid/],
  ['table-row', /row|table/],
  ['question', /question|faq/],
  ['list-item', /list|bullet/],
];

/** What the words of a prompt call an item: itself, or else its group. */
function kindOf({ groups }: Match): ItemKind {
  const names = [groups['item'], groups['group']].map((name) => name?.toLowerCase() ?? '');
  return KINDS.find(([, pattern]) => names.some((name) => pattern.test(name)))?.[0] ?? 'any';
}

const ANY_QUOTE = QUOTE.replace('(', '(?:');
const TEXTS = `(?<texts>${ANY_QUOTE}(?:(?:,? and|,? with|,|:) ?${ANY_QUOTE})*)`;
const CALLED = '(?: (?:called|named|titled|saying|with the texts?))?';

const readAdded: Rule['read'] = (match) => {
  const [page, section, after] = [match.page(), match.text('section'), match.text('after')];
  if (page === null) return null;
  const texts = [...match.groups['texts']!.matchAll(new RegExp(QUOTE, 'gu'))].map(([, i]) => match.quotes[Number(i)]!);
  return {
    kind: 'add',
    item: kindOf(match),
    texts,
    ...defined({ section, after }),
    page: page ?? null,
  };
};

const readRemoved: Rule['read'] = (match) => {
  const [page, section] = [match.page(), match.text('section')];
  return page === null
    ? null
    : {
        kind: 'remove',
        item: kindOf(match),
        now: match.text('now')!,
        ...defined({ section }),
        page: page ?? null,
      };
};

const ADD = `(?:add|insert|append) (?:(?:the|an?|another|one more) )?(?:new )?(?:${ITEM}${CALLED} )?${TEXTS}`;
const AFTER = `(?: (?:after|behind) ${quote('after')})?`;
const REMOVE = '(?:delete|remove|drop|take out|get rid of) (?:the )?';

export const itemRules: Rule[] = [
  ...placed(readAdded, PAGE, `${ADD} (?:to|in|into) (?:the )?${GROUP}(?: ${UNDER})?`, AFTER),
  ...placed(readAdded, PAGE, `${ADD} (?:to )?${UNDER}`, AFTER),
  ...placed(
    readRemoved,
    PAGE,
    `${REMOVE}${ITEM} ${quote('now')}(?: (?:from|in|of) (?:the )?${GROUP})?(?: ${UNDER})?`,
    '',
  ),
  ...placed(readRemoved, PAGE, `${REMOVE}${quote('now')} (?:from|in|of) (?:the )?${GROUP}(?: ${UNDER})?`, ''),
];
