import { createHash } from 'node:crypto';
import type { ValidationErrorItem } from 'joi';
import { withoutUndefined } from '../../contract/withoutUndefined.ts';
import { limits } from '../../contract/task.ts';
import { removeInvisible } from '../../contract/text/removeInvisible.ts';
import { foldSlug } from '../../sites/pages/urls/slug.ts';
import type { RequestedRow } from '../../tasks/batches/create.ts';
import { longestProblem } from '../middleware/validate.ts';
import { type BatchBody, batchRow } from '../routes/batches/batches.schema.ts';
import type { ValidatedRow } from './rowList.ts';
import { OWN_TEMPLATE_PROBLEM } from '../slugSchemas.ts';

/** Maximum number of problems that the error of a row names. */
const MOST_PROBLEMS = 5;
const errors = { wrap: { label: false } } as const;

/** What a row says that is valid alone, but does not fit the other values of the batch. */
export const rowErrors = {
  noTemplate: 'templatePageSlug is required in the row or in the batch',
  ownTemplate: `targetPageSlug ${OWN_TEMPLATE_PROBLEM}`,
  linkingPage: 'targetPageSlug must not be the same page as linkFrom',
  linkingTemplate: 'templatePageSlug must not be the same page as linkFrom',
};

/** A row as it was sent. `error` says why it can't be read. */
export interface RowInput {
  row: unknown;
  error?: string;
}

/** Values of the batch for rows that do not have their own. */
export type RowDefaults = Pick<BatchBody, 'templatePageSlug' | 'facts' | 'linkFrom'>;

/**
 * Validates rows like the items of a task, and fills in the values of the batch. An invalid row
 * gets an `error`, such as `targetPageSlug must not be the template itself`.
 */
export function checkRows(rowInputs: RowInput[], rowDefaults: RowDefaults): ValidatedRow[] {
  return rowInputs.map((rowInput) => {
    const validation =
      rowInput.error === undefined ? checkRow(rowInput.row, rowDefaults) : undefined;
    if (validation?.row) return { row: validation.row, digest: rowDigest(validation.row) };
    const error = validation?.error ?? rowInput.error!;
    return { row: { ...invalidRow(rowInput.row), error }, digest: rowDigest(rowInput) };
  });
}

/** A digest that does not depend on the order of fields. */
const rowDigest = (value: unknown) =>
  createHash('sha256').update(JSON.stringify(value, sortFields)).digest('base64');

const sortFields = (_name: string, value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value).toSorted(([first], [second]) => (first < second ? -1 : 1)),
      )
    : value;

type RowValidation = { row: Omit<RequestedRow, 'number'> } | { row?: undefined; error: string };

function checkRow(rowValue: unknown, rowDefaults: RowDefaults): RowValidation {
  const result = batchRow.validate(rowValue, { abortEarly: false, convert: false, errors });
  if (result.error) return { error: problemSentence(result.error.details) };
  const { targetPageSlug, context, externalId, ...rowOptions } = result.value;
  const { facts = rowDefaults.facts, templatePageSlug = rowDefaults.templatePageSlug } = rowOptions;
  if (templatePageSlug === undefined) return { error: rowErrors.noTemplate };
  if (isSameSlug(targetPageSlug, templatePageSlug)) return { error: rowErrors.ownTemplate };
  if (rowDefaults.linkFrom !== undefined && isSameSlug(targetPageSlug, rowDefaults.linkFrom))
    return { error: rowErrors.linkingPage };
  if (rowDefaults.linkFrom !== undefined && isSameSlug(templatePageSlug, rowDefaults.linkFrom))
    return { error: rowErrors.linkingTemplate };
  return {
    row: withoutUndefined({ targetPageSlug, context, templatePageSlug, externalId, facts }),
  };
}

const isSameSlug = (slug: string, otherSlug: string) => foldSlug(slug) === foldSlug(otherSlug);

function problemSentence(details: ValidationErrorItem[]): string {
  const sentences = details
    .slice(0, MOST_PROBLEMS)
    .map(({ message }) => message.slice(0, longestProblem));
  if (details.length > MOST_PROBLEMS) sentences.push(`and ${details.length - MOST_PROBLEMS} more`);
  return removeInvisible(sentences.join('; '));
}

/** What is stored of an invalid row: its slug and external id, to recognize it. */
function invalidRow(value: unknown): Omit<RequestedRow, 'number'> {
  const { targetPageSlug, externalId } = (value ?? {}) as Record<string, unknown>;
  const singleLine = (text: unknown) =>
    typeof text === 'string'
      ? removeInvisible(text.slice(0, limits.slugLength)).replaceAll('\n', ' ')
      : '';
  const shownExternalId = singleLine(externalId) || undefined;
  return {
    targetPageSlug: singleLine(targetPageSlug),
    templatePageSlug: '',
    context: '',
    ...withoutUndefined({ externalId: shownExternalId }),
  };
}
