import { defined } from '../../../../contract/defined.ts';
import type { Proposed } from '../../../port.ts';
import { tokensOf } from '../language/tokens.ts';
import { isAccountedFor } from './accounted.ts';
import { withWordsRepaired } from '../proposals.ts';
import { fillings, type Refusal } from './fill.ts';
import { namesLike, plainNames, type Site, valuesIn } from './foundValues.ts';
import { templates, type Template } from './templates.ts';
import { type Thing, wishIn } from './vocabulary.ts';

const MOST_TOKENS = 200;
const MOST_SUGGESTED = 6;
const MOST_LIKES = 12;
/** How much worse than the best one a suggestion may be. */
const MARGIN = 3;

const someTokensOf = (text: string) => tokensOf(text)?.slice(0, MOST_TOKENS) ?? [];

/** Whether a refused part of a prompt may want something. It may also forbid something. */
export const isWish = (text: string): boolean => wishIn(someTokensOf(text)) !== null;

/**
 * The instructions nearest to a refused part of a prompt, filled with the values in it and the
 * site's names. A value that is missing is shown as `…`. Removes only what the prompt names, and
 * suggests nothing if the prompt forbids something.
 */
export function nearby(text: string, { pages, names }: Site): Proposed[] {
  const site = { pages, names: plainNames(names) };
  const tokens = someTokensOf(withWordsRepaired(text, site));
  const wish = isWish(text) && wishIn(tokens);
  if (!wish) return [];
  const refusal = {
    wish,
    values: valuesIn(tokens, site),
    likes: namesLike(tokens, site.names),
    site,
    tokens,
  };
  const filled = templates
    .filter((template) => isPossible(template, refusal))
    .flatMap((template) =>
      meaningsOf(refusal)
        .flatMap((one) => fillings(template, one))
        .filter((one) => isAccountedFor(one, template, refusal)),
    )
    .filter((one) => one.text !== text.trim())
    .filter((one, at, all) => all.findIndex(({ text }) => text === one.text) === at)
    .sort((a, b) => b.score - a.score);
  if (filled.length === 0) filled.push(...simplest(refusal));
  const best = filled[0]?.score ?? 0;
  const near = filled.filter(({ score }) => score > best - MARGIN).slice(0, MOST_SUGGESTED);
  return near.map(({ text, tried, mayAsk }) => ({ text, tried, ...defined({ mayAsk }) }));
}

const [headline] = templates.filter(({ things }) => things.includes('headline'));
/** A simple instruction as an example, if a part names a page and nothing else. */
function simplest(refusal: Refusal) {
  const { wish, values } = refusal;
  const isOpen = wish.things.size === 0 && (wish.action ?? 'change') === 'change';
  if (!isOpen || values.pages.length === 0) return [];
  const things = new Set<Thing>(['headline']);
  const blank = { ...values, texts: [], newTexts: [] };
  return fillings(headline!, { ...refusal, wish: { ...wish, things }, values: blank }).filter(
    (one) => isAccountedFor(one, headline!, refusal),
  );
}

/** The part with each of the names that it may mean, and with none: its quotes may name things. */
const meaningsOf = ({ likes, ...refusal }: Refusal): Refusal[] =>
  [[], ...[...Map.groupBy(likes, ({ text }) => text).values()].slice(0, MOST_LIKES)].map(
    (meant) => ({ ...refusal, likes: meant }),
  );

/** Instructions that change much. A limit may not be ignored. */
const isFar = ({ text }: Template) => /^(?:Remove|Delete)\b|\b(?:all|everywhere)\b/.test(text);

/** Whether an instruction does what the prompt seems to want. */
function isPossible(template: Template, { wish }: Refusal) {
  const { actions, things } = template;
  const { action, isLimited } = wish;
  if (isLimited && isFar(template)) return false;
  if (action !== undefined) return actions.includes(action);
  const isSaid = things.some((thing) => wish.things.has(thing));
  return actions.includes('change') || (actions.includes('add') && isSaid);
}
