import Router from '@koa/router';
import { isTaskId } from '../../contract/task.ts';
import type { Change } from '../../editor/protocol.ts';
import { lifetimes } from '../../editor/grants.ts';
import type { EditableTask } from '../../editor/task.ts';
import { type ApiContext, type ApiRouter, type ApiState, identityOf } from '../context.ts';
import { refuseKey } from '../middleware/authenticate.ts';
import { jsonBody } from '../middleware/body.ts';
import { editorSession, sameOrigin, setSessionCookie } from '../middleware/editorSession.ts';
import { rateLimit } from '../middleware/rateLimit.ts';
import { validate, validateQuery } from '../middleware/validate.ts';
import { type EditLinkDeps, findEditable } from './editLink.ts';
import { createFiles } from './editor.files.ts';
import { createFraming } from './editor.frame.ts';
import { pageQuery, saveBody, sessionBody } from './editor.schema.ts';

/** Nobody has shown a key before this one is read. */
const SESSION_BODY_BYTES = 2_000;

/** `/edit/<taskId>/<slug>`: the editor's page and what it asks for. No slug has a segment that begins with a dot, as `.page` does. */
export function editorRoutes(deps: EditLinkDeps): ApiRouter {
  const { editing, rateLimits } = deps;
  const router = new Router<ApiState>({ strict: true, sensitive: true, prefix: '/edit' });
  const serve = createFiles();
  const framing = createFraming();
  const enter = (limit: 'create' | 'read') => [editorSession(editing.grants, rateLimits), rateLimit(rateLimits, limit)];
  const ofPage = validateQuery(pageQuery);
  const fromHere = sameOrigin(() => editing.publicUrl());

  router.get('/assets/:file', (ctx) => serve(ctx, ctx.params['file'] ?? ''));
  router.post('/:taskId/.session', fromHere, jsonBody({ maxBytes: SESSION_BODY_BYTES }), validate(sessionBody), (ctx) =>
    openSession(ctx, deps, ctx.params['taskId'] ?? ''),
  );
  router.get('/:taskId/.page', ...enter('read'), ofPage, (ctx) => openPage(ctx, deps, ctx.params['taskId'] ?? ''));
  router.put('/:taskId/.page', ...enter('create'), ofPage, fromHere, jsonBody(), validate(saveBody), (ctx) =>
    savePage(ctx, deps, ctx.params['taskId'] ?? ''),
  );
  router.get('/:taskId/.frame', ...enter('read'), ofPage, (ctx) =>
    showFrame(ctx, deps, ctx.params['taskId'] ?? '', framing()),
  );
  router.get('/:taskId{/*path}', (ctx) => isTaskId(ctx.params['taskId'] ?? '') && serve(ctx, 'index.html'));
  return router;
}

/** Takes a link's secret, and gives a session for the same task. */
async function openSession(ctx: ApiContext, { editing, rateLimits }: EditLinkDeps, taskId: string): Promise<void> {
  const grant = editing.grants.read('link', (ctx.state.body as { key: string }).key);
  if (grant?.taskId !== taskId || !grant) return refuseKey(ctx, rateLimits);
  const { token, expiresAt } = editing.grants.issue('session', grant);
  const secure = editing.publicUrl().protocol === 'https:';
  setSessionCookie(ctx, { taskId, token, seconds: lifetimes.session / 1_000, secure });
  ctx.body = { expiresAt: expiresAt.toISOString() };
}

const taskOf = (ctx: ApiContext, { editing }: EditLinkDeps, taskId: string): Promise<EditableTask> =>
  findEditable(ctx, editing, identityOf(ctx).organizationId, taskId);

const slugOf = (ctx: ApiContext) => (ctx.state.query as { slug: string }).slug;

async function openPage(ctx: ApiContext, deps: EditLinkDeps, taskId: string): Promise<void> {
  const task = await taskOf(ctx, deps, taskId);
  ctx.body = await deps.editing.editor.open(task, slugOf(ctx));
}

async function savePage(ctx: ApiContext, deps: EditLinkDeps, taskId: string): Promise<void> {
  const task = await taskOf(ctx, deps, taskId);
  ctx.body = await deps.editing.editor.save(task, slugOf(ctx), ctx.state.body as Change);
}

async function showFrame(
  ctx: ApiContext,
  deps: EditLinkDeps,
  taskId: string,
  { policy, ...framing }: ReturnType<ReturnType<typeof createFraming>>,
): Promise<void> {
  const task = await taskOf(ctx, deps, taskId);
  const html = await deps.editing.editor.frame(task, slugOf(ctx), framing);
  ctx.set('Content-Security-Policy', policy);
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = html;
}
