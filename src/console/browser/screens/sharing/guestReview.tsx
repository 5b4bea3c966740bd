import { useEffect, useState } from 'preact/hooks';
import { hostPath } from '../../../../browser/hostPath.ts';
import { countNoun } from '../../../../browser/counts.ts';
import { postRequest, readResponse, sendRequest } from '../../../../browser/sendRequest.ts';
import type { GuestAnswer, GuestReviews, PageReview } from '../../../../contract/responses.ts';
import { listen } from '../../listen.ts';
import { Button, ButtonLink, TextArea, TextField } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import {
  PageFrame,
  PreviewElsewhere,
  SharedWidth,
  useEdits,
  WidthToggle,
} from '../../ui/pageFrame.tsx';
import { Loaded, Notice } from '../../ui/states.tsx';
import { toast } from '../../ui/toasts.tsx';
import { SHARED_PAGES_ANEW_MS, useData } from '../../useData.ts';
import { placeName, placeNames } from '../../words/reviewWords.ts';
import { type ReviewEntry, slugsOfEntry } from '../reviews/reviewEntries.ts';
import { useSteadyEntries } from '../reviews/usePageReview.ts';

/** Under this name, the browser keeps the name that a guest gave. */
const NAME_MEMORY = 'guest name';
/** Narrower windows, in CSS pixels, are phones, as in the styles. */
const PHONE_PX = 720;

interface GuestReviewProps {
  shareId: string;
  linkKey: string;
  host: 'embedded' | 'own';
}

/**
 * The review of a share link's pages by a guest, who has no account: one page per screen, first the
 * texts that differ from the template, then the whole page. The guest marks a page as fine, or says
 * what is wrong with it. Neither publishes anything.
 */
export function GuestReview({ shareId, linkKey, host }: GuestReviewProps) {
  const send = async <T,>(what: 'reviews' | 'marks' | 'comments', body: object): Promise<T> =>
    readResponse<T>(
      await sendRequest(guestPaths[what](shareId), postRequest({ key: linkKey, ...body })),
    );
  const reviews = useData(
    `guest ${shareId} ${linkKey}`,
    () => send<GuestReviews>('reviews', {}),
    SHARED_PAGES_ANEW_MS,
  );
  const { edits, onEdit } = useEdits();
  useEffect(() => {
    if (edits > 0) reviews.reload();
  }, [edits]);
  return (
    <Loaded of={reviews} lines={6} isScreen>
      {(loadedReviews) =>
        loadedReviews.pages.length === 0 ? (
          <Notice>There are no pages to review. They may be live already.</Notice>
        ) : (
          <SharedWidth first={innerWidth < PHONE_PX ? 'phone' : 'desktop'}>
            <GuestPages
              reviews={loadedReviews}
              onChange={reviews.set}
              send={send}
              host={host}
              edits={edits}
              onEdit={onEdit}
            />
          </SharedWidth>
        )
      }
    </Loaded>
  );
}

/** The paths are written out, because a test compares each with the OpenAPI document. */
const guestPaths = {
  reviews: (shareId: string) => hostPath`/shared/${shareId}/reviews`,
  marks: (shareId: string) => hostPath`/shared/${shareId}/marks`,
  comments: (shareId: string) => hostPath`/shared/${shareId}/comments`,
};

interface GuestPagesProps extends Pick<GuestReviewProps, 'host'>, ReturnType<typeof useEdits> {
  reviews: GuestReviews;
  onChange: (reviews: GuestReviews) => void;
  send: <T>(what: 'marks' | 'comments', body: object) => Promise<T>;
}

/** What the guest is asked for: the name, before the first mark, or what is wrong with a page. */
type GuestQuestion = { kind: 'name'; pages: PageReview[] } | { kind: 'comment'; page: PageReview };

function GuestPages({ reviews, onChange, send, host, edits, onEdit }: GuestPagesProps) {
  const entries = listGuestEntries(useSteadyEntries(reviews.pages));
  const [chosenIndex, setIndex] = useState(() => firstOpenEntry(entries, reviews));
  // the list becomes shorter if pages go live meanwhile
  const index = Math.min(chosenIndex, entries.length - 1);
  const [name, setName] = useState(() => localStorage.getItem(NAME_MEMORY) ?? '');
  const [question, setQuestion] = useState<GuestQuestion>();
  const { slug: shownSlug, group } = entries[index]!;
  const pagesBySlug = new Map(reviews.pages.map((page) => [page.slug, page]));
  const pagesOf = (slugs: string[]) => slugs.flatMap((slug) => pagesBySlug.get(slug) ?? []);
  const groupPages = pagesOf(slugsOfEntry(group));
  const page = pagesOf([shownSlug])[0]!;
  const move = (step: number) => {
    setIndex(Math.max(0, Math.min(entries.length - 1, index + step)));
    scrollTo(0, 0);
  };
  useKeys(question === undefined, { j: () => move(1), k: () => move(-1) });

  const saveMark = async (pages: PageReview[], guestName: string) => {
    const mark = pages.every(({ verdict }) => verdict === 'fine') ? 'none' : 'fine';
    const marked = pages.map(({ slug, version }) => ({ slug, version }));
    const { isComplete } = await send<GuestAnswer>('marks', {
      name: guestName,
      mark,
      pages: marked,
    });
    const slugs = new Set(pages.map(({ slug }) => slug));
    const verdict = mark === 'fine' ? 'fine' : 'unseen';
    onChange({
      ...reviews,
      pages: reviews.pages.map((one) => (slugs.has(one.slug) ? { ...one, verdict } : one)),
    });
    if (isComplete) toast('You have looked at all pages. Thank you!');
    if (mark === 'fine') move(pages.length);
  };
  const toggleFine = (pages: PageReview[]) =>
    name === '' ? setQuestion({ kind: 'name', pages }) : saveMark(pages, name);
  const keepName = (guestName: string) => {
    localStorage.setItem(NAME_MEMORY, guestName);
    setName(guestName);
  };
  const saveComment = async (guestName: string, text: string) => {
    const { slug } = page;
    const { isComplete } = await send<GuestAnswer>('comments', { name: guestName, slug, text });
    keepName(guestName);
    onChange({
      ...reviews,
      comments: [...reviews.comments, { slug, text: `${guestName}: ${text}` }],
      pages: reviews.pages.map((one) => (one.slug === slug ? { ...one, verdict: 'unseen' } : one)),
    });
    toast(isComplete ? 'You have looked at all pages. Thank you!' : 'Sent');
  };
  return (
    <div class="guest">
      <GuestPageHead reviews={reviews} page={page} index={index} entries={entries} move={move} />
      <PageChanges reviews={reviews} page={page} />
      {group.kind === 'alike' && (
        <AlikePages
          pages={groupPages}
          places={reviews.places.filter(({ placeId }) => group.placeIds.includes(placeId))}
          onFine={() => toggleFine(groupPages)}
        />
      )}
      <WholePage page={page} host={host} edits={edits} />
      <div class="guest-bar" role="group" aria-label="Your answer">
        <Button onClick={() => setQuestion({ kind: 'comment', page })}>Something is wrong…</Button>
        {page.editUrl && (
          <ButtonLink href={page.editUrl} onClick={onEdit} label={`Edit ${page.slug}`}>
            Edit
          </ButtonLink>
        )}
        <Button look="primary" onClick={() => toggleFine([page])}>
          {page.verdict === 'fine' ? 'Undo fine' : 'Fine'}
        </Button>
      </div>
      {question && (
        <GuestDialog
          question={question}
          name={name}
          close={() => setQuestion(undefined)}
          onName={async (guestName, pages) => {
            await saveMark(pages, guestName);
            keepName(guestName);
          }}
          onComment={saveComment}
        />
      )}
    </div>
  );
}

type WholePageProps = Pick<GuestPagesProps, 'host' | 'edits'> & { page: PageReview };

function WholePage({ page, host, edits }: WholePageProps) {
  return (
    <section class="card" aria-label="Whole page">
      <div class="card-head">
        <h2>Whole page</h2>
        {host === 'embedded' && <WidthToggle />}
      </div>
      <div class="card-body">
        {host === 'own' ? (
          <PreviewElsewhere caption={page.slug} url={page.previewUrl} />
        ) : (
          <PageFrame key={`${page.slug} ${edits}`} caption={page.slug} url={page.previewUrl} />
        )}
      </div>
    </section>
  );
}

/** A page of the review, and the entry of the list that it belongs to. */
interface GuestEntry {
  slug: string;
  group: ReviewEntry;
}

const listGuestEntries = (groups: ReviewEntry[]): GuestEntry[] =>
  groups.flatMap((group) => slugsOfEntry(group).map((slug) => ({ slug, group })));

/** The first page that the guest has neither marked nor commented. */
function firstOpenEntry(entries: GuestEntry[], { pages, comments }: GuestReviews): number {
  const isOpen = (slug: string) =>
    pages.find((page) => page.slug === slug)?.verdict !== 'fine' &&
    !comments.some((comment) => comment.slug === slug);
  return Math.max(
    0,
    entries.findIndex(({ slug }) => isOpen(slug)),
  );
}

function useKeys(areOn: boolean, actions: Record<string, () => void>): void {
  useEffect(() => {
    if (!areOn) return undefined;
    return listen(['keydown'], (event) => {
      const { key, target, ctrlKey, metaKey, altKey } = event as KeyboardEvent;
      const isTyped = target instanceof HTMLElement && target.matches('input, textarea, select');
      if (!isTyped && !ctrlKey && !metaKey && !altKey) actions[key]?.();
    });
  });
}

interface GuestPageHeadProps {
  reviews: GuestReviews;
  page: PageReview;
  index: number;
  entries: GuestEntry[];
  move: (step: number) => void;
}

function GuestPageHead({ reviews, page, index, entries, move }: GuestPageHeadProps) {
  const answered = new Set(reviews.comments.map(({ slug }) => slug));
  for (const { slug, verdict } of reviews.pages) if (verdict === 'fine') answered.add(slug);
  return (
    <header class="row spread">
      <div>
        <h1 class="wrap">{page.slug}</h1>
        <p class="muted small" role="status">
          {index + 1} of {reviews.pages.length} · {answered.size} answered
          {page.verdict === 'fine' && <span class="tag good">Fine</span>}
        </p>
      </div>
      <span class="row">
        <Button little disabled={index === 0} onClick={() => move(-1)}>
          Back
        </Button>
        <Button little disabled={index === entries.length - 1} onClick={() => move(1)}>
          Next
        </Button>
      </span>
    </header>
  );
}

/** The texts of a page that differ from its template, and what guests said about the page. */
function PageChanges({ reviews, page }: { reviews: GuestReviews; page: PageReview }) {
  const places = new Map(reviews.places.map((place) => [place.placeId, place]));
  const comments = reviews.comments.filter(({ slug }) => slug === page.slug);
  return (
    <section class="review-card" aria-label="What is different">
      <h2>What is different</h2>
      {page.texts.length === 0 && (
        <p class="muted">No text differs from the page it is made from.</p>
      )}
      <dl>
        {page.texts.map(({ placeId, text }) => (
          <div key={placeId}>
            <dt>{placeName(places.get(placeId)!)}</dt>
            <dd>{text ?? <span class="muted">Removed</span>}</dd>
          </div>
        ))}
      </dl>
      {comments.map(({ text }, index) => (
        <Notice key={index} kind="warn">
          <span class="lines">{text}</span>
        </Notice>
      ))}
    </section>
  );
}

interface AlikePagesProps {
  pages: PageReview[];
  places: GuestReviews['places'];
  onFine: () => unknown;
}

function AlikePages({ pages, places, onFine }: AlikePagesProps) {
  const others = pages.length - 1;
  const isFine = pages.every(({ verdict }) => verdict === 'fine');
  return (
    <Notice>
      <div class="row spread">
        <span>
          The other {others} differ only in {placeNames(places)}.
        </span>
        <Button little onClick={onFine}>
          {isFine ? `Undo ${pages.length}` : `Approve ${countNoun(pages.length, 'page')} alike`}
        </Button>
      </div>
    </Notice>
  );
}

interface GuestDialogProps {
  question: GuestQuestion;
  name: string;
  close: () => void;
  onName: (name: string, pages: PageReview[]) => Promise<void>;
  onComment: (name: string, text: string) => Promise<void>;
}

function GuestDialog({ question, name, close, onName, onComment }: GuestDialogProps) {
  const [guestName, setGuestName] = useState(name);
  const [text, setText] = useState('');
  const isComment = question.kind === 'comment';
  const submit = async () => {
    await (isComment
      ? onComment(guestName.trim(), text)
      : onName(guestName.trim(), question.pages));
    close();
  };
  return (
    <Dialog
      title={isComment ? 'What is wrong?' : 'Who are you?'}
      submit={isComment ? 'Send' : 'Continue'}
      disabled={guestName.trim() === '' || (isComment && text.trim() === '')}
      onClose={close}
      onSubmit={submit}
    >
      {isComment && <TextArea label={`On ${question.page.slug}`} value={text} onInput={setText} />}
      <TextField
        label="Your name"
        hint="The team sees it next to your answers."
        autoComplete="name"
        maxLength={60}
        value={guestName}
        onInput={setGuestName}
      />
    </Dialog>
  );
}
