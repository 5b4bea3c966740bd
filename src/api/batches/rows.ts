import { createHash } from 'node:crypto';
import type { ValidationErrorItem } from 'joi';
import { defined } from '../../contract/defined.ts';
import { limits } from '../../contract/task.ts';
import { visible } from '../../contract/visible.ts';
import { foldSlug } from '../../sites/pages/slug.ts';
import type { AskedRow } from '../../tasks/batches/create.ts';
import { longestProblem } from '../middleware/validate.ts';
import { type BatchBody, batchRow } from '../routes/batches.schema.ts';
import type { CheckedRow } from './rowList.ts';

/** Most problems of one row that its error names. */
const MOST_PROBLEMS = 5;
const errors = { wrap: { label: false } } as const;

/** A row as it was sent. `error`: why it can't be read. */
export interface GivenValue {
  row: unknown;
  error?: string;
}

/** What holds for rows that do not say. */
export type Common = Pick<BatchBody, 'templatePageSlug' | 'facts' | 'linkFrom'>;

/** Checks rows by the rules of a task's items. A wrong row has an `error`, and the others go on. */
export function checkRows(given: GivenValue[], common: Common): CheckedRow[] {
  return given.map((value) => {
    const checked = value.error === undefined ? checkRow(value.row, common) : undefined;
    if (checked?.row) return { row: checked.row, digest: digestOf(checked.row) };
    const error = checked?.error ?? value.error!;
    return { row: { ...wrongRow(value.row), error }, digest: digestOf(value) };
  });
}

const digestOf = (value: unknown) =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64');

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
  const texts = details
    .slice(0, MOST_PROBLEMS)
    .map(({ message }) => message.slice(0, longestProblem));
  if (details.length > MOST_PROBLEMS) texts.push(`and ${details.length - MOST_PROBLEMS} more`);
  return visible(texts.join('; '));
}

/** What is stored of a wrong row: enough to recognize it. */
function wrongRow(value: unknown): Omit<AskedRow, 'number'> {
  const { targetPageSlug, externalId } = (value ?? {}) as Record<string, unknown>;
  const line = (text: unknown) =>
    typeof text === 'string' ? visible(text.slice(0, limits.slugLength)).replaceAll('\n', ' ') : '';
  const named = line(externalId) || undefined;
  return {
    targetPageSlug: line(targetPageSlug),
    templatePageSlug: '',
    context: '',
    ...defined({ externalId: named }),
  };
}
