import type { ValidationErrorItem } from 'joi';
import { batchLimits } from '../../contract/batch.ts';
import { defined } from '../../contract/defined.ts';
import { limits } from '../../contract/task.ts';
import { visible } from '../../contract/visible.ts';
import { foldSlug } from '../../sites/pages/slug.ts';
import type { AskedRow } from '../../tasks/batches/create.ts';
import { nearest } from '../didYouMean.ts';
import { longestProblem } from '../middleware/validate.ts';
import { type BatchBody, batchRow } from '../routes/batches.schema.ts';

/** Most problems of one row that its error names. */
const MOST_PROBLEMS = 5;
const names = Object.keys((batchRow.describe() as { keys: object }).keys);
const errors = { wrap: { label: false } } as const;

/** A row as it was sent. `error`: why it can't be read. */
export interface GivenValue {
  row: unknown;
  error?: string;
}

type Common = Pick<BatchBody, 'templatePageSlug' | 'facts' | 'linkFrom'>;

/**
 * Checks rows by the rules of a task's items. A wrong row has an `error`, and the others go on: of
 * two rows with the same page, the second is wrong.
 */
export function checkRows(given: GivenValue[], common: Common): AskedRow[] {
  const pages = new Map<string, number>();
  return given.slice(0, batchLimits.rows).map(({ row: value, error: known }, at) => {
    const number = at + 1;
    const checked = known === undefined ? checkRow(value, common) : { error: known };
    if (checked.row === undefined) return { ...wrongRow(value, number), error: checked.error };
    const name = foldSlug(checked.row.targetPageSlug);
    const twin = pages.get(name);
    pages.set(name, twin ?? number);
    if (twin === undefined) return { number, ...checked.row };
    const error = `targetPageSlug must not be the same page as that of row ${twin}`;
    return { ...wrongRow(value, number), error };
  });
}

type Checked = { row: Omit<AskedRow, 'number'> } | { row?: undefined; error: string };

function checkRow(value: unknown, common: Common): Checked {
  const result = batchRow.validate(value, { abortEarly: false, convert: false, errors });
  if (result.error) return { error: problemsOf(result.error.details) };
  const { targetPageSlug, context, externalId, ...own } = result.value;
  const { facts = common.facts, templatePageSlug = common.templatePageSlug } = own;
  if (templatePageSlug === undefined)
    return { error: 'templatePageSlug is required, of the row or of the batch' };
  if (isSame(targetPageSlug, templatePageSlug))
    return { error: 'targetPageSlug must not be the template itself' };
  if (common.linkFrom !== undefined && isSame(targetPageSlug, common.linkFrom))
    return { error: 'targetPageSlug must not be the same page as linkFrom' };
  if (common.linkFrom !== undefined && isSame(templatePageSlug, common.linkFrom))
    return { error: 'templatePageSlug must not be the same page as linkFrom' };
  return { row: defined({ targetPageSlug, context, templatePageSlug, externalId, facts }) };
}

const isSame = (slug: string, other: string) => foldSlug(slug) === foldSlug(other);

function problemsOf(details: ValidationErrorItem[]): string {
  const texts = details.slice(0, MOST_PROBLEMS).map(({ type, path, message }) => {
    const near = type === 'object.unknown' ? nearest(String(path.at(-1)), names) : undefined;
    return message.slice(0, longestProblem) + (near === undefined ? '' : `: did you mean ${near}?`);
  });
  if (details.length > MOST_PROBLEMS) texts.push(`and ${details.length - MOST_PROBLEMS} more`);
  return visible(texts.join('; '));
}

/** What is stored of a wrong row: enough to recognize it. */
function wrongRow(value: unknown, number: number): AskedRow {
  const { targetPageSlug, externalId } = (value ?? {}) as Record<string, unknown>;
  const line = (text: unknown) =>
    typeof text === 'string' ? visible(text.slice(0, limits.slugLength)).replaceAll('\n', ' ') : '';
  const named = line(externalId) || undefined;
  return {
    number,
    targetPageSlug: line(targetPageSlug),
    templatePageSlug: '',
    context: '',
    ...defined({ externalId: named }),
  };
}
