import { isSiteId } from '../../../contract/site.ts';
import { isQuestion, isTaskId, type TaskView } from '../../../contract/task.ts';
import type {
  ContentChange,
  EditorChange,
  OfferedPage,
  OpenedPage,
  PublishView,
} from '../../../editor/protocol.ts';
import { DomainError } from '../../../errors.ts';
import { grantLifetimes } from '../../../editor/grants.ts';
import { buildEditor } from '../../../editor/buildEditor.ts';
import type { EditableTask } from '../../../editor/editableTask.ts';
import { bundledPage } from '../../assets.ts';
import {
  type ApiContext,
  type ApiMiddleware,
  type ApiRouter,
  callerOf,
  callerIdentity,
  pathParameter,
  readSubmission,
  taskIdOf,
  type ValidBody,
  type ValidQuery,
  jobOwnerOf,
} from '../../context.ts';
import type { RouteDeps } from '../../apiDeps.ts';
import { createRouter } from '../../router.ts';
import { validBody } from '../../middleware/validBody.ts';
import { refuseKey, requireRole } from '../../middleware/authenticate.ts';
import {
  editorSession,
  findGrantOwner,
  readSessionGrant,
  sameOrigin,
  setSessionCookie,
} from '../../middleware/editorSession.ts';
import { countLink } from '../../middleware/linkLimits.ts';
import { rateLimit } from '../../middleware/rateLimit.ts';
import { roomOnDisk } from '../../middleware/roomOnDisk.ts';
import { validateQuery } from '../../middleware/validate.ts';
import { type EditPagePorts, findEditablePage } from '../../../tasks/editLink.ts';
import { startSitePageEdit } from '../../../tasks/editSitePage.ts';
import type { FollowUpPorts } from '../../../tasks/startTask.ts';
import { startPublishTask } from '../../../tasks/publishTask.ts';
import { previewPublish } from '../../../tasks/previewPublish.ts';
import { presentPublishCheck } from '../tasks/goingLive.ts';
import { presentStartedTask } from '../tasks/tasks.present.ts';
import type { PageCropPorts } from '../../../tasks/reviews/readPageCrop.ts';
import { cropQuery, showCrop } from './cropFrame.ts';
import { createFraming } from './editor.frame.ts';
import {
  addNoteStates,
  editorUser,
  settleEditedNotes,
  settlePageNotes,
} from '../../../tasks/pageNotes.ts';
import { removePageFacts } from '../../../tasks/removeTaskFacts.ts';
import {
  type PageQuery,
  pageQuery,
  saveBody,
  sessionBody,
  type ResolveNotesBody,
  settleBody,
} from './editor.schema.ts';

/**
 * Maximum bytes of the body with the link's key. It is small, because the client is not
 * authenticated yet.
 */
const SESSION_BODY_BYTES = 2_000;

type EditorRouteDeps = FollowUpPorts &
  EditPagePorts &
  PageCropPorts &
  RouteDeps<'siteComparison' | 'accounts' | 'shares' | 'creators' | 'hasRoom' | 'sites' | 'tasks'>;

/**
 * The editor, in which a person edits the pages of a task by hand: its page
 * (`/edit/<taskId>/<slug>`) and the requests of that page. Paths of requests begin with a dot, such
 * as `.page`, which segments of slugs never do. The id may also be that of a batch, or that of a
 * site: its pages become those of a new task when they are first saved.
 *
 * `.session` exchanges a link for a session, `.page` reads and saves a page, `.frame` shows it in a
 * sandbox, `.crop` shows a page under review at one of its texts, `.notes` resolves notes (what a
 * person should check), and `.publish` publishes the task.
 */
export function editorRoutes(deps: EditorRouteDeps): ApiRouter {
  const { editing, rateLimits } = deps;
  const router = createRouter('/edit');
  const { page: sendPage, file: sendFile } = bundledPage(buildEditor);
  const createFrame = createFraming();
  const withSession = (limit: 'create' | 'read') => [
    editorSession(deps),
    rateLimit(rateLimits, limit),
    requireRole('member'),
  ];
  const validPageQuery = validateQuery(pageQuery);
  const fromOwnPages = sameOrigin(() => editing.publicUrl());

  router.get('/assets/:file', sendFile);
  router.post(
    '/:taskId/.session',
    fromOwnPages,
    ...validBody(sessionBody, { maxBytes: SESSION_BODY_BYTES }),
    (ctx) => openSession(ctx, deps, ctx.state.body.key),
  );
  router.get('/:taskId/.page', ...withSession('read'), validPageQuery, (ctx) =>
    openEditorPage(ctx, deps, ctx.state.query.slug),
  );
  router.put<ValidQuery<PageQuery> & ValidBody<EditorChange>>(
    '/:taskId/.page',
    ...withSession('create'),
    validPageQuery,
    fromOwnPages,
    roomOnDisk(deps),
    ...validBody(saveBody),
    (ctx) => savePage(ctx, deps, ctx.state.query.slug, ctx.state.body),
  );
  router.post<ValidQuery<PageQuery> & ValidBody<ResolveNotesBody>>(
    '/:taskId/.notes',
    ...withSession('create'),
    validPageQuery,
    fromOwnPages,
    ...validBody(settleBody),
    (ctx) => resolveNotesOnPage(ctx, deps, ctx.state.query.slug, ctx.state.body),
  );
  router.post(
    '/:taskId/.publish',
    ...withSession('create'),
    requirePerson('publish'),
    fromOwnPages,
    roomOnDisk(deps),
    (ctx) => publishPages(ctx, deps),
  );
  router.get('/:taskId/.publish', ...withSession('read'), requirePerson('publish'), (ctx) =>
    answerPublishCheck(ctx, deps),
  );
  router.get(
    '/:taskId/.publish/:publishId',
    ...withSession('read'),
    requirePerson('see the state of a publish task'),
    (ctx) => readPublish(ctx, deps),
  );
  router.get('/:taskId/.frame', ...withSession('read'), validPageQuery, async (ctx) =>
    showFrame(ctx, deps, ctx.state.query.slug, await createFrame()),
  );
  router.get('/:taskId/.crop', ...withSession('read'), validateQuery(cropQuery), (ctx) =>
    showCrop(ctx, deps),
  );
  router.get(
    '/:taskId{/{*path}}', // the slug of a home page is empty
    async (ctx) => isEditableId(pathParameter(ctx, 'taskId')) && sendPage(ctx),
  );
  return router;
}

const isEditableId = (id: string) => isTaskId(id) || isSiteId(id);

/** POST …/.session: exchanges the key of an editing link for the cookie of an editor session. */
async function openSession(ctx: ApiContext, deps: EditorRouteDeps, key: string): Promise<void> {
  const { editing, rateLimits } = deps;
  const taskId = pathParameter(ctx, 'taskId');
  const grant = editing.grants.read('link', key);
  if (grant?.taskId !== taskId || !grant || !(await findGrantOwner(grant, deps)))
    return refuseKey(ctx, rateLimits, 'the link is invalid or has expired');
  const linkId = 'keyId' in grant ? `${taskId} ${grant.keyId}` : grant.shareId;
  await countLink(ctx, rateLimits, 'edit', { ...grant, linkId });
  const { token, expiresAt } = editing.grants.issue('session', grant);
  setSessionCookie(ctx, {
    taskId,
    token,
    seconds: grantLifetimes.session / 1_000,
    publicUrl: editing.publicUrl(),
  });
  ctx.body = { expiresAt: expiresAt.toISOString() };
}

const findEditedTask = (
  ctx: ApiContext,
  deps: EditorRouteDeps,
  slug: string,
): Promise<EditableTask> => {
  const pathId = pathParameter(ctx, 'taskId');
  const id = isSiteId(pathId) ? pathId : taskIdOf(ctx);
  return findEditablePage(deps, callerIdentity(ctx).organizationId, { id, slug });
};

async function openEditorPage(ctx: ApiContext, deps: EditorRouteDeps, slug: string): Promise<void> {
  const task = await findEditedTask(ctx, deps, slug);
  await answerPage(
    ctx,
    deps,
    task,
    await deps.editing.editor.open(task, slug, jobOwnerOf(ctx).signal),
  );
}

async function savePage(
  ctx: ApiContext,
  deps: EditorRouteDeps,
  slug: string,
  change: EditorChange,
): Promise<void> {
  const task = await findEditedTask(ctx, deps, slug);
  const caller = callerOf(ctx);
  const { editor } = deps.editing;
  if ('drop' in change) {
    await removePageFacts(caller, deps, task, { slug, change });
    return answerPage(ctx, deps, task, await editor.open(task, slug));
  }
  if (task.isSitePage) return saveSitePage(ctx, deps, task, { slug, change });
  const page = await editor.save(task, slug, change, editorUser(caller));
  await settleEditedNotes(editorUser(caller), deps, task, [slug]);
  await answerPage(ctx, deps, task, page);
}

/**
 * Saves the first edit of a page of the site. The page that the editor gets is that of the new
 * task, and so is the session of somebody with a link.
 */
async function saveSitePage(
  ctx: ApiContext,
  deps: EditorRouteDeps,
  sitePage: EditableTask,
  { slug, change }: { slug: string; change: ContentChange },
): Promise<void> {
  const { editing } = deps;
  const grant = isPerson(ctx) ? null : readSessionGrant(ctx, deps);
  const caller = { ...callerOf(ctx), ...(grant && 'keyId' in grant && { keyId: grant.keyId }) };
  const edit = { siteId: sitePage.siteId, slug, change };
  const task = await startSitePageEdit(caller, deps, edit, readSubmission(ctx));
  if (!task) return answerPage(ctx, deps, sitePage, await editing.editor.open(sitePage, slug));
  const { taskId } = task;
  if (grant) {
    const { token } = editing.grants.issue('session', { ...grant, taskId });
    const seconds = grantLifetimes.session / 1_000;
    setSessionCookie(ctx, { taskId, token, seconds, publicUrl: editing.publicUrl() });
  }
  await answerPage(ctx, deps, task, await editing.editor.open(task, slug));
}

async function resolveNotesOnPage(
  ctx: ApiContext,
  deps: EditorRouteDeps,
  slug: string,
  body: ResolveNotesBody,
): Promise<void> {
  const task = await findEditedTask(ctx, deps, slug);
  await settlePageNotes(callerOf(ctx), deps, task, { slug, ...body });
  await answerPage(
    ctx,
    deps,
    task,
    await deps.editing.editor.open(task, slug, jobOwnerOf(ctx).signal),
  );
}

async function answerPage(
  ctx: ApiContext,
  deps: EditorRouteDeps,
  task: EditableTask,
  page: OpenedPage,
): Promise<void> {
  const offeredPage: OfferedPage = {
    ...page,
    notes: await addNoteStates(deps, task, page),
    // a batch is published as a whole, on its own screen
    mayPublish: isPerson(ctx) && !task.row && !task.isSitePage,
    ...(!task.isSitePage && { taskId: task.taskId }),
  };
  ctx.body = offeredPage;
}

/** A link allows editing only. Publishing needs a member of the organization. */
const isPerson = (ctx: ApiContext) => callerIdentity(ctx).userId !== undefined;
function requirePerson(actionWords: string): ApiMiddleware {
  return async function requirePerson(ctx, next) {
    if (!isPerson(ctx))
      throw new DomainError('FORBIDDEN', `Forbidden: sign in as a member to ${actionWords}`);
    await next();
  };
}

/** POST /edit/{taskId}/.publish */
async function publishPages(ctx: ApiContext, deps: EditorRouteDeps): Promise<void> {
  const publishRequest = { taskId: taskIdOf(ctx) };
  ctx.body = presentStartedTask(
    await startPublishTask(callerOf(ctx), deps, publishRequest, readSubmission(ctx)),
  );
}

/** GET /edit/{taskId}/.publish: the changes that publishing would put live. */
async function answerPublishCheck(ctx: ApiContext, deps: EditorRouteDeps): Promise<void> {
  ctx.body = presentPublishCheck(
    await previewPublish(callerOf(ctx), deps, { taskId: taskIdOf(ctx) }, jobOwnerOf(ctx)),
  );
}

/** GET /edit/{taskId}/.publish/{publishId}: the state of a publish task. */
async function readPublish(ctx: ApiContext, { tasks }: EditorRouteDeps): Promise<void> {
  const publishId = pathParameter(ctx, 'publishId');
  if (!isTaskId(publishId)) throw new DomainError('NOT_FOUND', 'Task not found');
  const view = await tasks.read(callerIdentity(ctx).organizationId, publishId);
  ctx.body = presentPublish(view);
}

function presentPublish(view: TaskView): PublishView {
  if (view.status === 'failed') return { status: 'failed', error: view.errorMessage };
  if (view.status === 'completed') return { status: 'completed' };
  const externalWait = view.progress?.waitingFor;
  return {
    status: 'running',
    ...(externalWait && !isQuestion(externalWait) && { waitsFor: externalWait.what }),
  };
}

async function showFrame(
  ctx: ApiContext,
  deps: EditorRouteDeps,
  slug: string,
  { policy, ...framing }: Awaited<ReturnType<ReturnType<typeof createFraming>>>,
): Promise<void> {
  const html = await deps.editing.editor.frame(
    await findEditedTask(ctx, deps, slug),
    slug,
    framing,
    jobOwnerOf(ctx).signal,
  );
  ctx.set('Content-Security-Policy', policy);
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = html;
}
