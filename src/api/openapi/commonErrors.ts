import type { Errors } from './operation.ts';

/** Errors that several groups of routes share. */
export const siteWithoutRepository = {
  'Site is missing repository information': 'The site was registered without a repository.',
};
export const unreadableTask = { 'Service Unavailable': 'The task could not be read just now.' };

export const unreadableRepository = {
  409: {
    'Folder public not found in the repository':
      'The repository cannot be read as it is registered.',
  },
  503: { 'Service Unavailable': 'The repository does not answer.' },
};
export const resultGone = {
  'Result is gone: the task finished too long ago':
    'Results are kept for `PREVIEW_RETENTION` days (30).',
};

/** @param problem the example of a body's first problem */
export const wrongBody = (problem: string) => ({
  [`Invalid request body: ${problem}`]: 'Every field that is wrong is named.',
});
export const wrongQuery = (problem: string) => ({
  [`Invalid query: ${problem}`]: 'Every parameter that is wrong is named.',
});

/** Errors of every route that starts work. */
export const diskFull = {
  'Service Unavailable: the disk is nearly full':
    'Nothing was begun. Ask again once the operator has made room.',
};

/** Errors of every route that starts a task. */
export const startErrors = {
  400: {
    'Idempotency-Key must be 1 to 255 visible ASCII characters':
      'The header field is empty, too long, or holds other characters.',
    'Invalid callback URL':
      'Not https, over 2,048 characters, or a private, internal or local address, or a host of the service itself.',
    ...siteWithoutRepository,
  },
  403: {
    'The organization has used 5000120 tokens of language models in 2026-11 (UTC); its limit is 5000000. Until an owner raises it, or the month ends, only the model "rules" works':
      'The task would be done by a language model. `GET /usage` shows what was used.',
  },
  422: {
    'Idempotency-Key was used before with another request body':
      'Send another key for another request.',
    'Idempotency-Key was used before with another path':
      'The same, for another action or another task.',
  },
  429: {
    'Too Many Requests: the organization has 100 tasks in flight, its limit':
      'Come back when one of them is done.',
  },
  500: {
    'Failed to start task':
      'No task was started under another id: send it again with the same Idempotency-Key.',
  },
  503: diskFull,
} satisfies Errors;
