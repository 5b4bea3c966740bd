import Router from '@koa/router';
import { isTaskId } from '../../contract/task.ts';
import type { Change } from '../../editor/protocol.ts';
import { lifetimes } from '../../editor/grants.ts';
import type { EditableTask } from '../../editor/task.ts';
import {
  type ApiContext,
  type ApiRouter,
  type ApiState,
  identityOf,
  pathParameter,
  type ValidBody,
  type ValidQuery,
  workOf,
} from '../context.ts';
import { refuseKey, requireRole } from '../middleware/authenticate.ts';
import { jsonBody } from '../middleware/body.ts';
import { editorSession, ownerOf, sameOrigin, setSessionCookie } from '../middleware/editorSession.ts';
import { rateLimit } from '../middleware/rateLimit.ts';
import { roomOnDisk } from '../middleware/roomOnDisk.ts';
import { validate, validateQuery } from '../middleware/validate.ts';
import { type EditLinkDeps, findEditable } from './editLink.ts';
import { createFiles } from './editor.files.ts';
import { createFraming } from './editor.frame.ts';
import { type PageQuery, pageQuery, saveBody, sessionBody } from './editor.schema.ts';
import { taskIdOf } from './tasks.start.ts';

/** Nobody has shown a key before this one is read. */
const SESSION_BODY_BYTES = 2_000;

/**
 * `/edit/<taskId>/<slug>`: the editor's page and what it asks for. No segment of a slug begins with a dot, as `.page`
 * does.
 */
export function editorRoutes(deps: EditLinkDeps): ApiRouter {
  const { editing, rateLimits } = deps;
  const router = new Router<ApiState>({ strict: true, sensitive: true, prefix: '/edit' });
  const serve = createFiles();
  const framing = createFraming();
  const withSession = (limit: 'create' | 'read') => [
    editorSession(deps),
    rateLimit(rateLimits, limit),
    requireRole('member'),
  ];
  const ofPage = validateQuery(pageQuery);
  const fromHere = sameOrigin(() => editing.publicUrl());

  router.get('/assets/:file', (ctx) => serve(ctx, pathParameter(ctx, 'file')));
  router.post('/:taskId/.session', fromHere, jsonBody({ maxBytes: SESSION_BODY_BYTES }), validate(sessionBody), (ctx) =>
    openSession(ctx, deps, ctx.state.body.key),
  );
  router.get('/:taskId/.page', ...withSession('read'), ofPage, (ctx) => openPage(ctx, deps, ctx.state.query.slug));
  router.put<ValidQuery<PageQuery> & ValidBody<Change>>(
    '/:taskId/.page',
    ...withSession('create'),
    ofPage,
    fromHere,
    roomOnDisk(deps),
    jsonBody(),
    validate(saveBody),
    (ctx) => savePage(ctx, deps, ctx.state.query.slug, ctx.state.body),
  );
  router.get('/:taskId/.frame', ...withSession('read'), ofPage, (ctx) =>
    showFrame(ctx, deps, ctx.state.query.slug, framing()),
  );
  router.get('/:taskId{/*path}', (ctx) => isTaskId(pathParameter(ctx, 'taskId')) && serve(ctx, 'index.html'));
  return router;
}

/** Takes a link's secret, and gives a session for the same task. */
async function openSession(ctx: ApiContext, deps: EditLinkDeps, key: string): Promise<void> {
  const { editing, rateLimits } = deps;
  const taskId = pathParameter(ctx, 'taskId');
  const grant = editing.grants.read('link', key);
  if (grant?.taskId !== taskId || !grant || !(await ownerOf(grant, deps))) return refuseKey(ctx, rateLimits);
  const { token, expiresAt } = editing.grants.issue('session', grant);
  setSessionCookie(ctx, { taskId, token, seconds: lifetimes.session / 1_000, publicUrl: editing.publicUrl() });
  ctx.body = { expiresAt: expiresAt.toISOString() };
}

const taskOf = (ctx: ApiContext, deps: EditLinkDeps): Promise<EditableTask> =>
  findEditable(deps, identityOf(ctx).organizationId, taskIdOf(ctx));

async function openPage(ctx: ApiContext, deps: EditLinkDeps, slug: string): Promise<void> {
  ctx.body = await deps.editing.editor.open(await taskOf(ctx, deps), slug, workOf(ctx).signal);
}

async function savePage(ctx: ApiContext, deps: EditLinkDeps, slug: string, change: Change): Promise<void> {
  ctx.body = await deps.editing.editor.save(await taskOf(ctx, deps), slug, change);
}

async function showFrame(
  ctx: ApiContext,
  deps: EditLinkDeps,
  slug: string,
  { policy, ...framing }: ReturnType<ReturnType<typeof createFraming>>,
): Promise<void> {
  const html = await deps.editing.editor.frame(await taskOf(ctx, deps), slug, framing, workOf(ctx).signal);
  ctx.set('Content-Security-Policy', policy);
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = html;
}
