import { useState } from 'preact/hooks';
import { hostPath } from '../../../../browser/hostPath.ts';
import { callAccount } from '../../client/api.ts';
import {
  postRequest,
  readResponse,
  RefusedRequestError,
  sendRequest,
} from '../../../../browser/sendRequest.ts';
import { session } from '../../client/session.ts';
import type { OpenedShareResponse } from '../../../../contract/responses.ts';
import { SHARED_PAGES_ANEW_MS, useData } from '../../useData.ts';
import { Button } from '../../ui/controls.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyCard, Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { countNoun } from '../../../../browser/counts.ts';
import { Brand, Door } from '../entry/door.tsx';
import { GuestReview } from './guestReview.tsx';
import { PageFrame, SharedWidth, PreviewElsewhere, WidthToggle } from '../../ui/pageFrame.tsx';

/** Narrower windows, in CSS pixels, are phones, as in the styles. */
const PHONE_PX = 720;

/** Pages that are shown at once. A link to a batch may have thousands of pages. */
const PAGES_AT_ONCE = 20;

/** The screen of a share link: its pages, for people without an account and for viewers. */
export function SharedPages({ shareId, linkKey }: { shareId: string; linkKey: string }) {
  const [cursors, setCursors] = useState<string[]>([]);
  const cursor = cursors.at(-1);
  const sharedPages = useData(
    `shared ${shareId} ${linkKey} ${cursor}`,
    () => readSharedPages(shareId, linkKey, { limit: PAGES_AT_ONCE, cursor }),
    SHARED_PAGES_ANEW_MS,
  );
  const turnTo = (shownCursors: string[]) => {
    setCursors(shownCursors);
    scrollTo(0, 0);
  };
  const { error } = sharedPages;
  const isRefused = error instanceof RefusedRequestError && error.status in refusals;
  if (isRefused)
    return <Refusal>{linkKey || error.status === 409 ? refusals[error.status]! : keyless}</Refusal>;
  return (
    <main class="shared">
      <Brand />
      <Loaded of={sharedPages} lines={6} isScreen>
        {(loadedPages) =>
          linkKey && loadedPages.access !== 'view' ? (
            <GuestReview shareId={shareId} linkKey={linkKey} host={loadedPages.host} />
          ) : (
            <SharedWidth first={innerWidth < PHONE_PX ? 'phone' : 'desktop'}>
              <SharedPageList of={loadedPages} isViewer={!linkKey} />
              <div class="row">
                {cursor !== undefined && (
                  <Button onClick={() => turnTo(cursors.slice(0, -1))}>Previous pages</Button>
                )}
                {loadedPages.nextCursor !== null && (
                  <Button onClick={() => turnTo([...cursors, loadedPages.nextCursor!])}>
                    Next pages
                  </Button>
                )}
              </div>
            </SharedWidth>
          )
        }
      </Loaded>
    </main>
  );
}

async function readSharedPages(
  shareId: string,
  linkKey: string,
  part: { limit: number; cursor: string | undefined },
): Promise<OpenedShareResponse> {
  if (!linkKey && session.get().phase !== 'in') throw new RefusedRequestError(401, '');
  // A member of the organization does not need the key.
  if (!linkKey) return callAccount(hostPath`/shared/${shareId}`, { query: part });
  return readResponse(
    await sendRequest(hostPath`/shared/${shareId}`, postRequest({ key: linkKey, ...part })),
  );
}

const linkOver =
  'The link has expired, or a part of it is missing. Open it again as you received it, or ask the person who sent it for a new one.';
const pagesGone =
  'The previews of these pages no longer exist. Ask the person who sent you the link to create them again.';
const refusals: Record<number, string> = {
  400: linkOver,
  401: linkOver,
  404: pagesGone,
  409: pagesGone,
};
const keyless =
  'This address is only a part of the link. Open the whole link as you received it, or sign in if you are a viewer.';

const Refusal = ({ children }: { children: string }) => (
  <Door title={children === keyless ? 'Open the link again' : 'This link does not work'}>
    <EmptyCard icon="clock" title="There is nothing to show">
      {children}
    </EmptyCard>
  </Door>
);

function SharedPageList({
  of: openedShare,
  isViewer,
}: {
  of: OpenedShareResponse;
  isViewer: boolean;
}) {
  const { site, host, expiresAt, total, pages } = openedShare;
  return (
    <Page
      full
      title={site}
      crumbs={isViewer ? [['/', 'Shared with you']] : []}
      facts={
        <>
          <span>{countNoun(total, 'page')} to review</span>
          <span>
            The link expires <Time at={expiresAt} />
          </span>
        </>
      }
      actions={host === 'embedded' && <WidthToggle />}
    >
      <p class="muted">
        {pages.every(({ live }) => live)
          ? 'These pages are live.'
          : 'These are previews. The team that sent you the link decides what goes live.'}
      </p>
      {pages.map((page) => (
        <SharedPageCard key={page.slug} page={page} host={host} />
      ))}
    </Page>
  );
}

interface SharedPageProps {
  page: OpenedShareResponse['pages'][number];
  host: OpenedShareResponse['host'];
}

function SharedPageCard({ page, host }: SharedPageProps) {
  const { slug, previewUrl, live, published } = page;
  return (
    <article class="card" aria-label={slug}>
      <div class="card-head">
        <div class="row">
          <h2 class="wrap">{slug}</h2>
          {live && <span class="tag good">Live</span>}
          {published && !live && <span class="tag">Another version is live</span>}
        </div>
      </div>
      <div class="card-body">
        {host === 'own' ? (
          <PreviewElsewhere caption="Preview" url={previewUrl} />
        ) : (
          <PageFrame caption="Preview" url={previewUrl} />
        )}
      </div>
    </article>
  );
}
