import type { PreviewText } from '../../contract/deployment.ts';

/** Notes of one pull request. Forges limit a body's length. */
const NOTES = 100;

/** A pull request's body: what to check, and where the task is read. */
export function pullRequestBody({ notes }: PreviewText, taskAddress: string): string {
  const listed = notes.slice(0, NOTES).map((note) => `- [ ] ${escaped(note)}`);
  const more = notes.length > NOTES ? [`- [ ] and ${notes.length - NOTES} more, in the task`] : [];
  const check = listed.length === 0 ? [] : ['Please check:', '', ...listed, ...more, ''];
  return [...check, `Task and previews: ${taskAddress}`, ''].join('\n');
}

/** Texts of pages are data: no mention of people, link or markup in them takes effect. */
const escaped = (text: string) =>
  text
    .replace(/\s+/g, ' ')
    .slice(0, 1_000)
    .replace(/[\\`*_{}[\]()<>#+!|~]/g, '\\$&')
    .replaceAll('@', '@\u200b')
    .replace(/:(?=\/\/)/g, ':\u200b');
