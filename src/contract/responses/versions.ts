import type { Static } from 'typebox';
import { versionKinds } from '../versions.ts';
import * as t from './schemas.ts';
import { NamedCreator, NoteResponse, TaskId } from './tasks.ts';

/** Response bodies about the versions of a result. schemas.ts explains the form. */

export const VersionResponse = t.object('Version', {
  version: t.integer('The number of the version. The result itself is version 1.', { minimum: 1 }),
  kind: t.oneOf(
    ['result', ...versionKinds],
    '`edit`: changed by hand. `removal`: facts of notes removed. `repair`: failed rows of a batch written again. `undo`: an earlier version is current again. `update`: the changes of a base task or of the live site taken over.',
  ),
  at: t.time('When the version was made.'),
  by: t.nullable(
    NamedCreator,
    'Who made the version. Null if it was a person with a share link, or if it is unknown.',
  ),
  summary: t.text('What changed.', 'Remove price from 36 pages'),
  pages: t.texts('The slugs of the pages that changed.'),
  undone: t.flag('Whether a later version undid this one.'),
});
export type VersionResponse = Static<typeof VersionResponse>;

export const VersionList = t.object('VersionList', {
  taskId: t.described(
    TaskId,
    'The task or batch that has the versions. For a publish task, it is the task that was published.',
  ),
  versions: t.list(VersionResponse, 'The latest version, which is the current one, comes first.'),
});
export type VersionList = Static<typeof VersionList>;

const version = t.nullable(
  VersionResponse,
  'The new version. Null if nothing changed: then there is no new version.',
);

export const FactRemovalResponse = t.object('FactRemoval', {
  taskId: t.described(TaskId, 'The task that has the new version.'),
  version,
  undo: t.orNull(
    t.url(
      'Send a POST request with `{"version": <number>}` to this URL to undo the version. Null without a version.',
    ),
  ),
  removed: t.list(NoteResponse, 'The notes whose facts this version removed.'),
  gone: t.list(NoteResponse, 'The notes whose facts were gone before. They are resolved too.'),
  remaining: t.list(
    NoteResponse,
    'The notes that stay open, because their facts cannot be removed by themselves.',
  ),
  messages: t.texts('What was removed, and what could not be removed, as sentences.'),
});
export type FactRemovalResponse = Static<typeof FactRemovalResponse>;

export const VersionChange = t.object('VersionChange', { version });
export type VersionChange = Static<typeof VersionChange>;
