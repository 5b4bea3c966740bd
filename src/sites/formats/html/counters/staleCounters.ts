import { quoteText } from '../../../../text/text.ts';
import type { StaleDetail } from '../../pageFindings.ts';
import { isCounter, isEmptyCounter, type NumberAttribute } from './findCounters.ts';

/**
 * Numbers in attributes that stayed while their texts got other numbers: the page's script may show
 * the old number in place of the new text.
 */
export function findStaleCounters(
  formerCounters: NumberAttribute[],
  newCounters: NumberAttribute[],
): StaleDetail[] {
  const oldCounters = Map.groupBy(formerCounters, counterKey);
  const staleAttributes = newCounters.filter((counter) => {
    const sameCounters = oldCounters.get(counterKey(counter)) ?? [];
    if (isEmptyCounter(counter))
      return (
        sameCounters.some(isEmptyCounter) && !sameCounters.some(({ text }) => text === counter.text)
      );
    const isNew =
      counter.shown !== counter.number &&
      !sameCounters.some(({ shown }) => shown === counter.shown);
    return isNew && sameCounters.some(isCounter);
  });
  return staleAttributes.map(staleCounter);
}

export const staleCounter = ({
  number,
  text,
}: Pick<NumberAttribute, 'number' | 'text'>): StaleDetail => ({
  noteText: `the code of the page still contains the number ${quoteText(number)} for the text ${quoteText(text)}, and may show that number instead`,
  values: [number],
});

const counterKey = ({ name, number }: NumberAttribute) => `${name} ${number}`;
