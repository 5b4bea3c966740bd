import { isQuestion, isTaskId, type TaskView } from '../../contract/task.ts';
import type { Change, OfferedPage, OpenedPage, PublishView } from '../../editor/protocol.ts';
import { DomainError } from '../../errors.ts';
import { lifetimes } from '../../editor/grants.ts';
import { buildEditor } from '../../editor/buildEditor.ts';
import type { EditableTask } from '../../editor/editableTask.ts';
import { bundledPage } from '../assets.ts';
import {
  type ApiContext,
  type ApiMiddleware,
  type ApiRouter,
  callerOf,
  identityOf,
  pathParameter,
  sentIn,
  taskIdOf,
  type ValidBody,
  type ValidQuery,
  workOf,
} from '../context.ts';
import type { RouteNeeds } from '../parts.ts';
import { createRouter } from '../router.ts';
import { validBody } from '../middleware/validBody.ts';
import { refuseKey, requireRole } from '../middleware/authenticate.ts';
import {
  editorSession,
  ownerOf,
  sameOrigin,
  setSessionCookie,
} from '../middleware/editorSession.ts';
import { countLink } from '../middleware/linkLimits.ts';
import { rateLimit } from '../middleware/rateLimit.ts';
import { roomOnDisk } from '../middleware/roomOnDisk.ts';
import { validateQuery } from '../middleware/validate.ts';
import { type EditPageDeps, findEditablePage } from '../../tasks/editLink.ts';
import type { FollowUpDeps } from '../../tasks/start.ts';
import { publish } from '../../tasks/publish.ts';
import { checkPublish } from '../../tasks/goingLive.ts';
import { presentCheck } from './goingLive.ts';
import { presentStarted } from './tasks.present.ts';
import { createFraming } from './editor.frame.ts';
import { settleByHand, settlePageNotes, withStates } from '../../tasks/pageNotes.ts';
import {
  type PageQuery,
  pageQuery,
  saveBody,
  sessionBody,
  type SettleBody,
  settleBody,
} from './editor.schema.ts';

/**
 * Maximum bytes of the body with the link's key. It is small, because the client is not
 * authenticated yet.
 */
const SESSION_BODY_BYTES = 2_000;

type Deps = FollowUpDeps &
  EditPageDeps &
  RouteNeeds<'siteComparison' | 'accounts' | 'shares' | 'makers' | 'hasRoom'>;

/**
 * `/edit/<taskId>/<slug>`: the editor's page and its requests. Paths of requests begin with a dot,
 * as `.page` does; segments of slugs never do.
 */
export function editorRoutes(deps: Deps): ApiRouter {
  const { editing, rateLimits } = deps;
  const router = createRouter('/edit');
  const { page, file } = bundledPage(buildEditor);
  const framing = createFraming();
  const withSession = (limit: 'create' | 'read') => [
    editorSession(deps),
    rateLimit(rateLimits, limit),
    requireRole('member'),
  ];
  const ofPage = validateQuery(pageQuery);
  const fromHere = sameOrigin(() => editing.publicUrl());

  router.get('/assets/:file', file);
  router.post(
    '/:taskId/.session',
    fromHere,
    ...validBody(sessionBody, { maxBytes: SESSION_BODY_BYTES }),
    (ctx) => openSession(ctx, deps, ctx.state.body.key),
  );
  router.get('/:taskId/.page', ...withSession('read'), ofPage, (ctx) =>
    openPage(ctx, deps, ctx.state.query.slug),
  );
  router.put<ValidQuery<PageQuery> & ValidBody<Change>>(
    '/:taskId/.page',
    ...withSession('create'),
    ofPage,
    fromHere,
    roomOnDisk(deps),
    ...validBody(saveBody),
    (ctx) => savePage(ctx, deps, ctx.state.query.slug, ctx.state.body),
  );
  router.post<ValidQuery<PageQuery> & ValidBody<SettleBody>>(
    '/:taskId/.notes',
    ...withSession('create'),
    ofPage,
    fromHere,
    ...validBody(settleBody),
    (ctx) => settleNotes(ctx, deps, ctx.state.query.slug, ctx.state.body),
  );
  router.post(
    '/:taskId/.publish',
    ...withSession('create'),
    requirePerson('publish'),
    fromHere,
    roomOnDisk(deps),
    (ctx) => publishPages(ctx, deps),
  );
  router.get('/:taskId/.publish', ...withSession('read'), requirePerson('publish'), (ctx) =>
    tellPublish(ctx, deps),
  );
  router.get(
    '/:taskId/.publish/:publishId',
    ...withSession('read'),
    requirePerson('see what became of a publish'),
    (ctx) => readPublish(ctx, deps),
  );
  router.get('/:taskId/.frame', ...withSession('read'), ofPage, async (ctx) =>
    showFrame(ctx, deps, ctx.state.query.slug, await framing()),
  );
  router.get(
    '/:taskId{/*path}',
    async (ctx) => isTaskId(pathParameter(ctx, 'taskId')) && page(ctx),
  );
  return router;
}

/** Exchanges a link's secret for an editor session for the link's task. */
async function openSession(ctx: ApiContext, deps: Deps, key: string): Promise<void> {
  const { editing, rateLimits } = deps;
  const taskId = pathParameter(ctx, 'taskId');
  const grant = editing.grants.read('link', key);
  if (grant?.taskId !== taskId || !grant || !(await ownerOf(grant, deps)))
    return refuseKey(ctx, rateLimits, 'the link has ended, or is none');
  const linkId = 'keyId' in grant ? `${taskId} ${grant.keyId}` : grant.shareId;
  await countLink(ctx, rateLimits, 'edit', { ...grant, linkId });
  const { token, expiresAt } = editing.grants.issue('session', grant);
  setSessionCookie(ctx, {
    taskId,
    token,
    seconds: lifetimes.session / 1_000,
    publicUrl: editing.publicUrl(),
  });
  ctx.body = { expiresAt: expiresAt.toISOString() };
}

const taskOf = (ctx: ApiContext, deps: Deps, slug: string): Promise<EditableTask> =>
  findEditablePage(deps, identityOf(ctx).organizationId, { id: taskIdOf(ctx), slug });

async function openPage(ctx: ApiContext, deps: Deps, slug: string): Promise<void> {
  const task = await taskOf(ctx, deps, slug);
  await present(ctx, deps, task, await deps.editing.editor.open(task, slug, workOf(ctx).signal));
}

async function savePage(ctx: ApiContext, deps: Deps, slug: string, change: Change): Promise<void> {
  const task = await taskOf(ctx, deps, slug);
  const page = await deps.editing.editor.save(task, slug, change, identityOf(ctx).userId);
  await settleByHand(callerOf(ctx), deps, task, {
    slug,
    ...('drop' in change && { dropped: change.drop }),
  });
  await present(ctx, deps, task, page);
}

async function settleNotes(
  ctx: ApiContext,
  deps: Deps,
  slug: string,
  body: SettleBody,
): Promise<void> {
  const task = await taskOf(ctx, deps, slug);
  await settlePageNotes(callerOf(ctx), deps, task, { slug, ...body });
  await present(ctx, deps, task, await deps.editing.editor.open(task, slug, workOf(ctx).signal));
}

async function present(
  ctx: ApiContext,
  deps: Deps,
  task: EditableTask,
  page: OpenedPage,
): Promise<void> {
  const offered: OfferedPage = {
    ...page,
    notes: await withStates(deps, task, page),
    // a batch is published as a whole, on its own screen
    mayPublish: isPerson(ctx) && !task.row,
  };
  ctx.body = offered;
}

/** A link allows editing only. Publishing needs a member of the organization. */
const isPerson = (ctx: ApiContext) => identityOf(ctx).userId !== undefined;
function requirePerson(what: string): ApiMiddleware {
  return async function requirePerson(ctx, next) {
    if (!isPerson(ctx))
      throw new DomainError('FORBIDDEN', `Forbidden: sign in as a member to ${what}`);
    await next();
  };
}

/** POST /edit/{taskId}/.publish */
async function publishPages(ctx: ApiContext, deps: Deps): Promise<void> {
  const request = { taskId: taskIdOf(ctx) };
  ctx.body = presentStarted(await publish(callerOf(ctx), deps, request, sentIn(ctx)));
}

/** GET /edit/{taskId}/.publish: the changes that publishing would put live. */
async function tellPublish(ctx: ApiContext, deps: Deps): Promise<void> {
  ctx.body = presentCheck(await checkPublish(callerOf(ctx), deps, taskIdOf(ctx), workOf(ctx)));
}

/** GET /edit/{taskId}/.publish/{publishId}: the state of a publish task. */
async function readPublish(ctx: ApiContext, { tasks }: Deps): Promise<void> {
  const publishId = pathParameter(ctx, 'publishId');
  if (!isTaskId(publishId)) throw new DomainError('NOT_FOUND', 'Task not found');
  const view = await tasks.read(identityOf(ctx).organizationId, publishId);
  ctx.body = publishViewOf(view);
}

function publishViewOf(view: TaskView): PublishView {
  if (view.status === 'failed') return { status: 'failed', error: view.errorMessage };
  if (view.status === 'completed') return { status: 'completed' };
  const awaited = view.progress?.waitingFor;
  return { status: 'running', ...(awaited && !isQuestion(awaited) && { waitsFor: awaited.what }) };
}

async function showFrame(
  ctx: ApiContext,
  deps: Deps,
  slug: string,
  { policy, ...framing }: Awaited<ReturnType<ReturnType<typeof createFraming>>>,
): Promise<void> {
  const html = await deps.editing.editor.frame(
    await taskOf(ctx, deps, slug),
    slug,
    framing,
    workOf(ctx).signal,
  );
  ctx.set('Content-Security-Policy', policy);
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = html;
}
