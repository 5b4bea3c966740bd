import type { VersionChange, VersionList, VersionResponse } from '../../../contract/responses.ts';
import {
  listTaskVersions,
  type TaskVersion,
  undoTaskVersion,
  updateTask,
  type VersionPorts,
} from '../../../tasks/taskVersions.ts';
import type { RouteDeps } from '../../apiDeps.ts';
import { type ApiRouter, callerOf, jobOwnerOf, taskIdOf } from '../../context.ts';
import { enter } from '../../middleware/enter.ts';
import { roomOnDisk } from '../../middleware/roomOnDisk.ts';
import { validBody } from '../../middleware/validBody.ts';
import { createRouter } from '../../router.ts';
import { undoBody, updateBody } from './versions.schema.ts';

type VersionRouteDeps = VersionPorts & RouteDeps<'hasRoom'>;

/** The versions of a task's result: what people and programs changed after it was completed. */
export function versionRoutes(deps: VersionRouteDeps): ApiRouter {
  const router = createRouter();
  const changeChecks = [...enter(deps, 'create'), roomOnDisk(deps)];
  router.get('/agent/tasks/:taskId/versions', ...enter(deps, 'read'), async (ctx) => {
    const { signal } = jobOwnerOf(ctx);
    ctx.body = presentVersions(await listTaskVersions(callerOf(ctx), deps, taskIdOf(ctx), signal));
  });
  router.post(
    '/agent/tasks/:taskId/versions/undo',
    ...changeChecks,
    ...validBody(undoBody, { optional: true }),
    async (ctx) => {
      const request = { taskId: taskIdOf(ctx), ...ctx.state.body };
      const version = await undoTaskVersion(callerOf(ctx), deps, request);
      ctx.body = { version: presentVersion(version) } satisfies VersionChange;
    },
  );
  router.post(
    '/agent/tasks/:taskId/versions/update',
    ...changeChecks,
    ...validBody(updateBody, { optional: true }),
    async (ctx) => {
      const request = { taskId: taskIdOf(ctx), ...ctx.state.body };
      const version = await updateTask(callerOf(ctx), deps, request);
      ctx.body = { version: version && presentVersion(version) } satisfies VersionChange;
    },
  );
  return router;
}

export const presentVersions = ({
  taskId,
  versions,
}: {
  taskId: string;
  versions: TaskVersion[];
}): VersionList => ({ taskId, versions: versions.map(presentVersion) });

export const presentVersion = ({
  number: version,
  isUndone: undone,
  ...fields
}: TaskVersion): VersionResponse => ({ version, ...fields, undone });

/** The address to which a request undoes the current version. */
export const undoUrlOf = (publicUrl: URL, taskId: string) =>
  new URL(`/api/v1/agent/tasks/${taskId}/versions/undo`, publicUrl).href;
