import { quoted } from '../../../../text/text.ts';
import type { KeptBeside } from '../../faults.ts';
import { isCounter, isEmptyCounter, type NumberAttribute } from './findCounters.ts';

/**
 * Numbers in attributes that stayed while their texts got other numbers: the page's script may show
 * the old number in place of the new text.
 */
export function staleCounters(before: NumberAttribute[], after: NumberAttribute[]): KeptBeside[] {
  const known = Map.groupBy(before, keyOf);
  const stale = after.filter((one) => {
    const same = known.get(keyOf(one)) ?? [];
    if (isEmptyCounter(one))
      return same.some(isEmptyCounter) && !same.some(({ text }) => text === one.text);
    const isNew = one.shown !== one.number && !same.some(({ shown }) => shown === one.shown);
    return isNew && same.some(isCounter);
  });
  return stale.map(({ number, text }) => ({
    says: `the page's code still has the number ${quoted(number)} for the text ${quoted(text)}, and may show it in its place`,
    values: [number],
  }));
}

const keyOf = ({ name, number }: NumberAttribute) => `${name} ${number}`;
