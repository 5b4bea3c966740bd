import { expect } from 'chai';
import { guestLimits } from '../../src/contract/reviews/guestComments.ts';
import { BatchEditing } from '../helpers/batchEditing.ts';
import { startHttpReceiver } from '../helpers/httpReceiver.ts';
import { answerOf } from '../helpers/operator.ts';
import { endServices, type Reply, type Service, sharedService } from '../helpers/service.ts';
import { citiesBody, removeTeamSites, TeamSite } from '../helpers/team/site.ts';

interface ReviewedPage {
  slug: string;
  version: string;
  verdict: string;
}

/** A guest's browser, which has opened a link. */
interface Guest {
  shareId: string;
  send: (what: string, body?: object) => Promise<Reply>;
  pages: () => Promise<ReviewedPage[]>;
}

describe('guests with a share link, on a running service', function () {
  this.timeout(300_000);
  let service: Service;
  let site: TeamSite;
  let taskId: string;
  const batch = new BatchEditing(() => service);
  before(async () => {
    service = await sharedService();
    site = await TeamSite.register(service, 'guests');
    taskId = await site.create(citiesBody(['Rouen', 'Siena']));
    await service.waitForTask(taskId);
  });
  after(async function () {
    await endServices(this.currentTest);
    removeTeamSites();
  });

  async function invite(access: string, path = `/agent/tasks/${taskId}`): Promise<Guest> {
    const { json } = await batch.send('POST', `/api/v1${path}/shares`, { access });
    const { origin, hash } = new URL(String(json.url));
    const key = hash.slice('#key='.length);
    const shareId = String(json.shareId);
    const send = (what: string, body: object = {}) =>
      batch.send('POST', `/shared/${shareId}/${what}`, { key, ...body }, { origin });
    const pages = async () => {
      const reviews = await send('reviews');
      expect(reviews.status, reviews.text).to.equal(200);
      return reviews.json.pages as ReviewedPage[];
    };
    return { shareId, send, pages };
  }

  const name = 'Chris';
  const markFine = (guest: Guest, pages: ReviewedPage[]) =>
    guest.send('marks', {
      name,
      mark: 'fine',
      pages: pages.map(({ slug, version }) => ({ slug, version })),
    });
  const comment = (guest: Guest, text: string, more: object = {}) =>
    guest.send('comments', { name, slug: '/locations/rouen', text, ...more });
  const notesOfTask = async () =>
    (
      (await batch.send('GET', `/api/v1/agent/tasks/${taskId}`)).json.output.notes as {
        id: string;
        kind: string;
        page: string;
        text: string;
        state: string;
      }[]
    ).filter(({ kind }) => kind === 'comment');

  it('mark pages as fine, which approves the version and publishes nothing', async () => {
    const guest = await invite('comment');
    const pages = await guest.pages();
    expect(pages.map(({ slug, verdict }) => [slug, verdict])).to.have.deep.members([
      ['/locations/rouen', 'unseen'],
      ['/locations/siena', 'unseen'],
    ]);
    expect((await markFine(guest, pages.slice(0, 1))).json).to.deep.equal({ isComplete: false });
    const approvals = async () => {
      const { json } = await batch.send('GET', `/api/v1/agent/tasks/${taskId}/approvals`);
      return json as { isApproved: boolean; approvals: object[] };
    };
    expect((await approvals()).isApproved).to.equal(false);
    expect((await markFine(guest, pages.slice(1))).json).to.deep.equal({ isComplete: true });
    const { isApproved, approvals: list } = await approvals();
    expect(isApproved).to.equal(true);
    expect(list[0]).to.include({ name, shareId: guest.shareId, userId: null });
    expect((await guest.pages()).map(({ verdict }) => verdict)).to.deep.equal(['fine', 'fine']);
    const { json: team } = await batch.send('GET', `/api/v1/agent/tasks/${taskId}/reviews`);
    expect((team.pages as { marks: { guestName: string }[] }[])[0]!.marks[0]).to.include({
      guestName: name,
    });
    const live = await service.request('GET', site.live('/locations/rouen'));
    expect(live.status).to.equal(404);
  });

  it('end a review, which sends one event with their name and what they found', async () => {
    const receiver = await startHttpReceiver(() => 204);
    const admin = ['--organization', service.demo.organizationId, '--role', 'admin'];
    const { apiKey } = await answerOf(service.dataDir, 'key', 'create', ...admin);
    const headers = {
      authorization: `Bearer ${String(apiKey)}`,
      'content-type': 'application/json',
    };
    const url = receiver.url('/events');
    const body = JSON.stringify({ url, description: 'CRM', eventTypes: ['review.completed'] });
    const endpoint = await service.request('POST', '/api/v1/webhook-endpoints', { headers, body });
    try {
      const guest = await invite('comment');
      const pages = await guest.pages();
      await markFine(guest, pages.slice(0, 1));
      await markFine(guest, pages.slice(1));
      const [event] = await receiver.deliveries('/events', 1);
      const { type, data } = JSON.parse(event!.body) as { type: string; data: object };
      expect(type).to.equal('review.completed');
      const { siteId } = site;
      expect(data).to.deep.include({ taskId, siteId, shareId: guest.shareId });
      expect(data).to.deep.include({ guest: name, isFine: true });
      expect(receiver.received('/events')).to.have.length(1);
    } finally {
      const path = `/api/v1/webhook-endpoints/${String(endpoint.json['endpointId'])}`;
      await service.request('DELETE', path, { headers });
      await receiver.close();
    }
  });

  it('comment on a page, which is an open note until the team resolves it', async () => {
    const guest = await invite('comment');
    const text = '<b onclick="x">The phone\u202e number</b>\n\n  is `old`';
    expect((await comment(guest, text)).status).to.equal(201);
    expect((await comment(guest, text)).status).to.equal(201);
    const [note, ...others] = await notesOfTask();
    expect(others).to.deep.equal([]);
    expect(note).to.include({
      page: '/locations/rouen',
      state: 'open',
      text: '/locations/rouen: Chris: <b onclick="x">The phone number</b> is `old`',
    });
    const { json: view } = await batch.send('GET', `/api/v1/agent/tasks/${taskId}`);
    expect(view.output.warnings).to.include(note!.text);
    const done = await batch.send('PATCH', `/api/v1/agent/tasks/${taskId}/notes`, {
      state: 'done',
      notes: [note!.id],
    });
    expect(done.status, done.text).to.equal(200);
    expect((await notesOfTask())[0]!.state).to.equal('done');
    // another link shows neither the comment nor the marks
    const other = await invite('edit');
    const { json } = await other.send('reviews');
    expect(json.comments).to.deep.equal([]);
    expect((await guest.send('reviews')).json.comments).to.have.length(1);
  });

  it('comment on a page of a batch, which is a note of its row', async () => {
    const batchId = await batch.create(site.siteId, ['Tours', 'Urbino']);
    await batch.reaches(batchId, 'completed');
    const guest = await invite('comment', `/agent/batches/${batchId}`);
    const pages = await guest.pages();
    expect(pages).to.have.length(2);
    const said = await comment(guest, 'Wrong city', { slug: '/locations/tours' });
    expect(said.status, said.text).to.equal(201);
    const { json } = await batch.send('GET', `/api/v1/agent/batches/${batchId}/notes`);
    const notes = json.notes as { kind: string; text: string; state: string }[];
    expect(notes.find(({ kind }) => kind === 'comment')).to.include({
      text: 'Chris: Wrong city',
      state: 'open',
    });
    const ended = await markFine(
      guest,
      pages.filter(({ slug }) => slug !== '/locations/tours'),
    );
    expect(ended.json).to.deep.equal({ isComplete: true });
    const approvals = await batch.send('GET', `/api/v1/agent/batches/${batchId}/approvals`);
    expect(approvals.json.isApproved).to.equal(false);
  });

  it('are refused with texts that are too long or have control characters, and unknown pages', async () => {
    const guest = await invite('comment');
    const [page] = await guest.pages();
    const longest = 'x'.repeat(guestLimits.commentLength);
    for (const text of [`${longest}x`, 'a\u0000b', 'a\u001b[2Jb', ' \n ', '\ud800'])
      expect((await comment(guest, text)).status, text.slice(0, 9)).to.equal(400);
    for (const wrong of ['', 'x'.repeat(guestLimits.nameLength + 1), 'a\nb', 'a\u202eb'])
      expect((await comment(guest, 'x', { name: wrong })).status, wrong).to.equal(400);
    expect((await comment(guest, 'x', { slug: '/pricing' })).status).to.equal(404);
    const unknown = await markFine(guest, [{ ...page!, slug: '/pricing' }]);
    expect(unknown.status).to.equal(404);
    const leftOut = {
      name,
      mark: 'left-out',
      pages: [{ slug: page!.slug, version: page!.version }],
    };
    expect((await guest.send('marks', leftOut)).status).to.equal(400);
    // the mark of another version counts for nothing
    await markFine(guest, [{ ...page!, version: '0'.repeat(40) }]);
    expect((await guest.pages()).map(({ verdict }) => verdict)).not.to.include('fine');
  });

  it('are refused over the limits of a link', async () => {
    const guest = await invite('comment');
    const statuses = new Set<number>();
    for (let n = 0; n < 130; n++) statuses.add((await comment(guest, `Comment ${n}`)).status);
    expect([...statuses]).to.deep.equal([201, 429]);
  });

  it('are refused with a link for looking, an ended link and a wrong key', async () => {
    const viewer = await invite('view');
    for (const what of ['reviews', 'marks', 'comments']) {
      const body =
        what === 'reviews'
          ? {}
          : what === 'marks'
            ? { name, mark: 'fine', pages: [{ slug: '/x', version: '0'.repeat(40) }] }
            : { name, slug: '/x', text: 'x' };
      expect((await viewer.send(what, body)).status, what).to.equal(403);
      const guest = await invite('comment');
      expect((await guest.send(what, { ...body, key: 'wrong' })).status, what).to.equal(401);
      await batch.send('DELETE', `/api/v1/shares/${guest.shareId}`);
      expect((await guest.send(what, body)).status, what).to.equal(401);
    }
  });
});
